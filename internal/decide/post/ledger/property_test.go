package ledger_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
)

// kinds of fortune that can meet a post, by a Download or by nobody.
var fortunes = map[string]func(t *rapid.T, p footy.Post, by string) (ledger.Move, bool){
	"claim": func(_ *rapid.T, _ footy.Post, by string) (ledger.Move, bool) { return ledger.Claim(by), true },
	"hold":  func(_ *rapid.T, _ footy.Post, by string) (ledger.Move, bool) { return ledger.Hold(by), true },
	"fetch": func(_ *rapid.T, _ footy.Post, by string) (ledger.Move, bool) { return ledger.Fetch(by, media), true },
	"same": func(_ *rapid.T, _ footy.Post, by string) (ledger.Move, bool) {
		return ledger.Recognise(by, "abc"), true
	},
	"judge": func(t *rapid.T, _ footy.Post, by string) (ledger.Move, bool) {
		v := rapid.SampledFrom([]footy.Outcome{footy.OutcomeVerified, footy.OutcomeUnverified, footy.OutcomeRejected}).Draw(t, "verdict")
		return ledger.Judge(by, footy.Verdict{Outcome: v, Reason: footy.ReasonWrongMinute}), true
	},
	"refuse": func(_ *rapid.T, _ footy.Post, by string) (ledger.Move, bool) {
		return ledger.Refuse(by, footy.ReasonTooShort, "3 s", ""), true
	},
	"doubt": func(t *rapid.T, _ footy.Post, by string) (ledger.Move, bool) {
		why := rapid.SampledFrom([]footy.Reason{footy.ReasonDeleted, footy.ReasonGeoBlocked}).Draw(t, "answer")
		return ledger.Doubt(by, why, "", rapid.Bool().Draw(t, "others")), true
	},
	"trouble": func(t *rapid.T, _ footy.Post, by string) (ledger.Move, bool) {
		return ledger.Trouble(by, rapid.SampledFrom(footy.WaitCauses()).Draw(t, "cause"), ""), true
	},
	"unfit": func(t *rapid.T, _ footy.Post, by string) (ledger.Move, bool) {
		passed := start.Add(time.Duration(rapid.IntRange(0, 20).Draw(t, "hours")) * time.Hour)
		return ledger.Misfit(by, rapid.SampledFrom([]footy.Reason{footy.ReasonMachine, footy.ReasonModelJunk}).Draw(t, "cause"), "", passed), true
	},
	"still": func(*rapid.T, footy.Post, string) (ledger.Move, bool) {
		return ledger.StillWait(footy.ReasonNoModel), true
	},
	"unstage": func(_ *rapid.T, _ footy.Post, by string) (ledger.Move, bool) {
		return ledger.Unstage(by, "gone"), true
	},
	"spoil": func(_ *rapid.T, _ footy.Post, by string) (ledger.Move, bool) {
		return ledger.Spoil(by, "changed"), true
	},
	"take down": func(*rapid.T, footy.Post, string) (ledger.Move, bool) { return ledger.TakeDown("asked"), true },
	"clips": func(t *rapid.T, p footy.Post, _ string) (ledger.Move, bool) {
		c := footy.Clip{ID: "abc", Posts: []string{"1"}, ReplacedBy: rapid.SampledFrom([]string{"", "winner"}).Draw(t, "winner")}
		return ledger.ByClips(p, footy.Event{Clips: []footy.Clip{c}})
	},
	"suspend": func(t *rapid.T, p footy.Post, _ string) (ledger.Move, bool) {
		return ledger.Suspend(p, &footy.Event{Removed: rapid.Bool().Draw(t, "removed")})
	},
	"retry":   func(*rapid.T, footy.Post, string) (ledger.Move, bool) { return ledger.Retry(), true },
	"give up": func(*rapid.T, footy.Post, string) (ledger.Move, bool) { return ledger.GiveUp(), true },
	"gone":    func(*rapid.T, footy.Post, string) (ledger.Move, bool) { return ledger.LoseEvent(), true },
	"choose": func(_ *rapid.T, _ footy.Post, by string) (ledger.Move, bool) {
		return ledger.Choose(footy.Candidate{PostID: "1"}, ledger.Search{Round: 2, Try: 9}, by), true
	},
}

// TestWhateverHappensTheRecordStaysWhole walks a post through any sequence of events; those that the table refuses change nothing.
func TestWhateverHappensTheRecordStaysWhole(t *testing.T) {
	t.Parallel()
	names := []string{}
	for name := range fortunes {
		names = append(names, name)
	}
	slices.Sort(names)
	rapid.Check(t, func(t *rapid.T) {
		now, p := start, offered()
		if rapid.Bool().Draw(t, "passed over") {
			p, _ = ledger.PassedOver(5000, goal, footy.Candidate{PostID: "1"}, ledger.Search{Round: 2, Try: 3}, start)
		}
		for range rapid.IntRange(1, 60).Draw(t, "length") {
			now = now.Add(time.Duration(rapid.IntRange(0, 1200).Draw(t, "seconds")) * time.Second)
			by := rapid.SampledFrom([]string{mine, other}).Draw(t, "by")
			e, can := fortunes[rapid.SampledFrom(names).Draw(t, "fortune")](t, p, by)
			if !can {
				continue
			}
			next, rows, err := ledger.Advance(p, e, now, w)
			if err != nil {
				require.ErrorIs(t, err, ledger.ErrIllegal)
				require.Equal(t, p, next)
				continue
			}
			requireWhole(t, next, now)
			require.False(t, p.Ended() && !next.Ended() && e.Kind() != ledger.Chosen, "%s brought back a post that was %s", e.Kind(), p.State)
			require.Equal(t, p.EventUID+p.PostID, next.EventUID+next.PostID)
			for _, r := range rows {
				require.Equal(t, "5000-1", r.EventUID)
				require.True(t, strings.HasPrefix(r.Key, "5000-1/"+string(r.Kind)+"/1"), r.Key)
				require.Equal(t, next.Reason, cmpReason(r, next))
			}
			unlogged := next.Reason == footy.ReasonEventGone || next.Reason == footy.ReasonNotChosen // no page of it; the search has logged it
			if next.State == footy.PostRefused && p.State != footy.PostRefused && !unlogged {
				require.Len(t, rows, 1, "an end is told")
			}
			p = next
		}
	})
}

// cmpReason is the reason that a row must share with its record: a verdict's is its own.
func cmpReason(r footy.Entry, p footy.Post) footy.Reason {
	if r.Kind == footy.EntryVerdict {
		return p.Reason
	}
	return r.Reason
}

func requireWhole(t require.TestingT, p footy.Post, now time.Time) {
	require.Contains(t, footy.PostStates, p.State, "exactly one state")
	require.Equal(t, p.Ended(), p.NextTry.IsZero(), "whatever has not ended is tried again")
	require.Equal(t, p.Ended(), ledger.NextStep(p) == ledger.StepNone)
	if !p.Ended() {
		require.LessOrEqual(t, p.NextTry.Sub(now), w.Longest)
	}
	switch p.State {
	case footy.PostWaiting:
		require.NotEmpty(t, p.Reason, "it says what it waits for")
		require.False(t, p.WaitingSince.IsZero())
	case footy.PostFetched:
		require.NotNil(t, p.Media)
		require.Nil(t, p.Verdict)
	case footy.PostJudged:
		require.Equal(t, ledger.StepPublish, ledger.NextStep(p))
	case footy.PostRefused, footy.PostPassed:
		require.NotEmpty(t, p.Reason)
	case footy.PostPublished, footy.PostMerged:
		require.NotEmpty(t, p.ClipID)
	}
	if p.State != footy.PostOffered && p.State != footy.PostPassed && !p.Ended() {
		require.NotEmpty(t, p.Download, "somebody drives it, or drove it last")
	}
}

// TestEveryOpenStateHasAWayToAnEnd reads the printed table as a graph: from each open state an end can be reached without an operator,
// and nothing but a search, or a sibling goal, that chooses a passed-over post leaves an end.
func TestEveryOpenStateHasAWayToAnEnd(t *testing.T) {
	t.Parallel()
	ends := []string{"published", "merged", "refused", "passed over"}
	arrows := map[string][]string{}
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(ledger.Table()), "\n")[2:] {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		for _, from := range strings.Split(cells[0], ", ") {
			to := strings.Split(cells[3], " or ")
			if cells[3] == "what it was" {
				to = []string{from}
			}
			seen[from] = true
			for _, s := range to {
				seen[s] = true
				if slices.Contains(ends, from) && !slices.Contains(ends, s) {
					require.Equal(t, "passed over by search, or a sibling goal's Download", from+" by "+cells[2], line)
				}
				if !strings.Contains(cells[2], "operator") {
					arrows[from] = append(arrows[from], s)
				}
			}
		}
	}
	for _, s := range footy.PostStates {
		name := strings.ReplaceAll(string(s), "_", " ")
		require.True(t, seen[name], "the table lacks %s", name)
		reached := map[string]bool{}
		for next := []string{name}; len(next) > 0; next = next[1:] {
			if !reached[next[0]] {
				reached[next[0]] = true
				next = append(next, arrows[next[0]]...)
			}
		}
		require.True(t, slices.ContainsFunc(ends, func(e string) bool { return reached[e] }), "%s never ends", name)
	}
}
