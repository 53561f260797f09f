package inspect

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/connect/feed/espn"
	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/decide/match/score"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// ReplayOptions choose what a replay follows.
type ReplayOptions struct {
	Trace int64 // only this fixture
	Rules cycle.Rules
	Every time.Duration // between polls; 0 = 30 s
}

// Row is one decision of a replay.
type Row struct {
	Poll        int             `json:"poll"`
	Fixture     int64           `json:"fixture"`
	EventID     string          `json:"event_id"`
	Decision    footy.EntryKind `json:"decision"`
	Reason      footy.Reason    `json:"reason"`
	ScoreBefore footy.Score     `json:"score_before"`
	ScoreAfter  footy.Score     `json:"score_after"`
	Text        string          `json:"text,omitempty"`
	EventUID    string          `json:"event_uid,omitempty"`
}

// Replayer is a monitor without a world: the same rules over fixtures held in memory.
type Replayer struct {
	o        ReplayOptions
	row      func(Row)
	remark   func(fixture int64, text string) // for people: no decision
	fixtures map[int64]*held
	n        int
	now      time.Time
}

type held struct {
	f       footy.Fixture
	last    *footy.Snapshot
	kickoff time.Time // as it was when the fixture got its present stage
}

// NewReplayer makes one that hands every decision to row, and what else people may want to know to remark.
func NewReplayer(o ReplayOptions, row func(Row), remark func(fixture int64, text string)) *Replayer {
	o.Every = cmp.Or(o.Every, 30*time.Second)
	if o.Rules.Windows == (lifecycle.Windows{}) {
		o.Rules.Windows = lifecycle.Defaults()
	}
	return &Replayer{o: o, row: row, remark: remark, fixtures: map[int64]*held{}}
}

// keptAnswer is an answer that the product kept (inspect answers). It kept those that changed something.
type keptAnswer struct {
	Answered time.Time       `json:"answered"`
	PollID   string          `json:"poll_id"`
	Said     json.RawMessage `json:"said"`
}

// Kept applies an answer that was kept, as often as it was given again until the next one, and is of use.
func (r *Replayer) Kept(a keptAnswer, next time.Time) {
	var parse feed.Feed = new(apifootball.Feed)
	if !gjson.GetBytes(a.Said, "fixture").Exists() {
		parse = new(espn.Feed)
	}
	times := max(r.o.Rules.Votes.Sightings, r.o.Rules.Votes.Absences, 3)
	for n := 0; n < times && (n == 0 || next.IsZero() || a.Answered.Add(time.Duration(n)*r.o.Every).Before(next)); n++ {
		r.n++
		r.now = a.Answered.Add(time.Duration(n) * r.o.Every)
		s, err := parse.Parse(a.Said, r.now)
		if err != nil {
			r.row(Row{Poll: r.n, Decision: footy.EntryPollFailed, Reason: footy.Reason(footy.RootCause(err)), Text: "The answer cannot be read. Nothing was decided."})
			return
		}
		r.apply([]footy.Snapshot{s})
	}
}

// Poll applies the responses of one poll.
func (r *Replayer) Poll(responses []json.RawMessage) {
	r.n++
	snapshots := r.open(responses)
	r.now = answeredAt(r.now, r.o.Every, snapshots)
	r.apply(snapshots)
}

func (r *Replayer) apply(snapshots []footy.Snapshot) {
	for i := range snapshots {
		snapshots[i].Answered = r.now
	}
	distrusted, regressed := r.trust(snapshots)
	for _, s := range snapshots {
		r.decide(s, distrusted, regressed[s.Match.ID])
	}
}

// open reads what the responses of a poll hold, and reports what was asked and not answered.
func (r *Replayer) open(responses []json.RawMessage) []footy.Snapshot {
	var out []footy.Snapshot
	seen := map[int64]bool{}
	fail := func(id int64, why string) {
		r.row(Row{Poll: r.n, Fixture: id, Decision: footy.EntryPollFailed, Reason: footy.Reason(why),
			Text: "No answer to trust: " + why + ". Nothing was decided."})
	}
	for _, raw := range responses {
		body, status, _ := unwrap(raw)
		if status != 0 && status != 200 {
			body = fmt.Appendf(nil, `{"errors":{"http":"HTTP %d"},"response":[]}`, status)
		}
		env, err := apifootball.Open(body, r.now)
		asked := env.Asked()
		if err != nil {
			why := strings.TrimPrefix(err.Error(), "read answer: ")
			if len(asked) == 0 {
				asked = []int64{0}
			}
			for _, id := range asked {
				fail(id, why)
			}
			continue
		}
		good, failed := apifootball.Read(env, r.now, len(asked) > 0).All()
		for _, s := range good {
			if env.Parameters["live"] != "" && len(s.Events) == 0 {
				s.HasEvents = false // a live list may carry empty lists of events, which mean nothing
			}
			if !seen[s.Match.ID] {
				seen[s.Match.ID] = true
				out = append(out, s)
			}
		}
		for _, f := range failed {
			seen[f.ID] = true
			fail(f.ID, f.Reason)
		}
		for _, id := range asked {
			if !seen[id] {
				fail(id, apifootball.Absent)
			}
		}
		if len(good)+len(failed) == 0 && len(env.Response) > 0 {
			fail(0, fmt.Sprintf("none of %d entries is a fixture", len(env.Response)))
		}
	}
	slices.SortStableFunc(out, func(x, y footy.Snapshot) int { return cmp.Compare(x.Match.ID, y.Match.ID) })
	return out
}

// trust looks at the whole poll before anything is decided.
func (r *Replayer) trust(snapshots []footy.Snapshot) (distrusted bool, regressed map[int64]bool) {
	regressed = map[int64]bool{}
	why := map[int64][]string{}
	missing := 0
	for _, s := range snapshots {
		h, ok := r.fixtures[s.Match.ID]
		if !ok || h.over(s) {
			continue
		}
		trust := cycle.TrustOf(h.f, h.last, s)
		if len(trust.Regressed) > 0 {
			regressed[s.Match.ID] = true
			why[s.Match.ID] = trust.Regressed
		}
		if len(trust.Missing) > 0 {
			missing += len(trust.Missing)
			why[s.Match.ID] = append(why[s.Match.ID], "goals vanished")
		}
	}
	trusted, text := debounce.PollTrusted(len(regressed), missing)
	for _, s := range snapshots {
		id, odd := s.Match.ID, strings.Join(why[s.Match.ID], ", ")
		switch {
		case trusted && regressed[id]:
			r.remark(id, "Contradicts what was known ("+odd+"). The poll is believed: only one fixture does.")
		case !trusted && odd != "":
			r.row(Row{Poll: r.n, Fixture: id, Decision: footy.EntryDistrusted, Reason: footy.Reason(odd),
				Text: "This poll may add, not remove: " + strings.TrimRight(text, ".") + "."})
		}
	}
	return !trusted, regressed
}

func (h *held) over(s footy.Snapshot) bool {
	return h.f.Stage == footy.StageCompleted && !s.Match.Status.InPlay() && !s.Match.Kickoff.After(h.f.Match.Kickoff)
}

// decide is what the monitor does with one fixture of an answered poll.
func (r *Replayer) decide(s footy.Snapshot, distrusted, regressed bool) {
	h, ok := r.fixtures[s.Match.ID]
	if !ok {
		h = &held{f: footy.Fixture{ID: s.Match.ID, Stage: footy.StageActive}, kickoff: s.Match.Kickoff}
		r.fixtures[s.Match.ID] = h
	}
	if h.over(s) {
		return
	}
	decided := r.o.Rules.Decide(&h.f, s, debounce.Poll{ID: fmt.Sprintf("replay-%d", r.n), Now: r.now, Distrusted: distrusted}, regressed)
	h.last = &s
	for _, d := range decided.Events {
		row := Row{Poll: r.n, Fixture: h.f.ID, EventUID: d.EventUID, Decision: d.Kind, Reason: reason(d.Entry), Text: explain.Row(d.Entry, nil)}
		if e := h.f.Event(d.EventUID); e != nil {
			row.EventID, row.ScoreBefore, row.ScoreAfter = e.ID, e.ScoreBefore, e.ScoreAfter
		}
		r.row(row)
	}
	if n := score.WithoutEvent(h.f); s.HasEvents && n > 0 && r.o.Rules.Windows.Unlisted {
		r.row(Row{Poll: r.n, Fixture: h.f.ID, Decision: footy.EntryWithheld, Reason: footy.ReasonScoreNeeds,
			ScoreBefore: h.f.Score, ScoreAfter: h.f.Score, Text: fmt.Sprintf("The score counts %d more than the feed ever listed.", n)})
	}
	if !decided.Withheld {
		r.move(h)
	}
}

// reason is why something was decided; where the log needs no more than the decision itself, a reader of rows does.
func reason(d footy.Entry) footy.Reason {
	return cmp.Or(d.Reason, map[footy.EntryKind]footy.Reason{footy.EntryNew: "first_seen", footy.EntrySighting: "listed", footy.EntryAbsence: "not_listed",
		footy.EntryCertain: "votes_agree", footy.EntryRestored: "listed_again"}[d.Kind])
}

// move plans the fixture's stage. Here no clips are searched for, so a certain event counts as complete.
func (r *Replayer) move(h *held) {
	f := h.f
	f.Events = slices.Clone(f.Events)
	for i := range f.Events {
		f.Events[i].DownloadComplete = f.Events[i].DownloadComplete || f.Events[i].Certain()
	}
	m := lifecycle.Plan(f, r.now, r.o.Rules.Windows)
	switch {
	case m.To == "" || m.To == h.f.Stage:
		before := h.f
		before.Match.Kickoff = h.kickoff
		if m = lifecycle.News(before, h.f, r.o.Rules.Windows); m.Kind == "" {
			return
		}
	case m.Reason == lifecycle.ReasonNewDate && h.kickoff.Equal(h.f.Match.Kickoff):
		return // a fixture not seen before counts as active, however far its kickoff
	default:
		h.f.Stage = m.To
		lifecycle.Apply(&h.f, m, r.now)
	}
	h.kickoff = h.f.Match.Kickoff
	r.row(Row{Poll: r.n, Fixture: h.f.ID, Decision: m.Kind, Reason: m.Reason, ScoreBefore: h.f.Score, ScoreAfter: h.f.Score,
		Text: explain.Row(m.Entry(h.f.ID, "", r.now), nil)})
}

// Recordings do not say when they were made, but the matches in them do: the clock of a running match and its kickoff
// tell the time within minutes. Between polls at least an interval passes.
const (
	halfTime  = 15 * time.Minute
	wholeGame = 115 * time.Minute
	beforeAll = 10 * time.Minute // a match that has not begun is looked at shortly before
)

// answeredAt estimates when a poll was answered.
func answeredAt(last time.Time, every time.Duration, snapshots []footy.Snapshot) time.Time {
	var running, over, waiting []time.Time
	for _, s := range snapshots {
		k := s.Match.Kickoff
		if k.IsZero() {
			continue
		}
		switch status := s.Match.Status; {
		case status.Elapsed != nil && !status.Terminal() && !status.Pre() && !status.Postponed(): // it is played, or was until it came to rest
			at := k.Add(time.Duration(status.Minute().Elapsed+status.Minute().Extra) * time.Minute)
			if *status.Elapsed > 45 || status.Code == "HT" {
				at = at.Add(halfTime)
			}
			running = append(running, at)
		case status.Terminal():
			over = append(over, k.Add(wholeGame))
		case status.Pre():
			waiting = append(waiting, k.Add(-beforeAll))
		}
	}
	next := last.Add(every)
	var estimate time.Time
	switch {
	case len(running) > 0:
		slices.SortFunc(running, time.Time.Compare)
		estimate = running[len(running)/2]
	case len(over) > 0:
		estimate = slices.MaxFunc(over, time.Time.Compare)
	case last.IsZero() && len(waiting) > 0:
		estimate = slices.MinFunc(waiting, time.Time.Compare) // none has begun: not even the first
	}
	if !estimate.IsZero() && (last.IsZero() || estimate.After(next)) {
		return estimate
	}
	return next
}

// Replay feeds recorded responses to the rules, in memory, and hands on every decision: a Row each, and a command.Remark where
// people need more than the rows.
func Replay(paths []string, o ReplayOptions, out func(fmt.Stringer) error) error {
	files, err := expand(paths)
	if err != nil {
		return err
	}
	var failed error
	answer := func(fixture int64, a fmt.Stringer) {
		if failed == nil && (o.Trace == 0 || o.Trace == fixture || fixture == 0) {
			failed = out(a)
		}
	}
	recorded, r := false, (*Replayer)(nil)
	r = NewReplayer(o, func(row Row) { answer(row.Fixture, row) }, func(fixture int64, text string) {
		answer(fixture, command.Remark(line(r.n, "note", fmt.Sprint(fixture), footy.Score{}, text)))
	})
	for _, path := range files {
		var last *keptAnswer
		if err := polls(path, func(responses []json.RawMessage) error {
			recorded = recorded || slices.ContainsFunc(responses, func(one json.RawMessage) bool {
				return gjson.GetBytes(one, "{response,errors,message,said,body}").Raw != "{}"
			})
			kept := keptAnswer{}
			if len(responses) == 1 && json.Unmarshal(responses[0], &kept) == nil && kept.Said != nil {
				if last != nil {
					r.Kept(*last, kept.Answered)
				}
				last = &kept
			} else {
				r.Poll(responses)
			}
			return failed
		}); err != nil {
			return err
		}
		if last != nil {
			r.Kept(*last, time.Time{})
		}
	}
	if !recorded {
		return footy.Errorf(footy.CodeInvalid, "", "%s: holds no answer of a feed; give what footy inspect answers wrote, or answers as API-Football sent them", strings.Join(paths, ", "))
	}
	polls := explain.Plural(r.n, "poll", "polls")
	if r.fixtures[o.Trace] == nil && o.Trace != 0 {
		return footy.Errorf(footy.CodeNotFound, "", "fixture %d (--trace) does not occur in what was read (%s); without --trace all fixtures are replayed", o.Trace, polls)
	}
	return out(command.Remark(fmt.Sprintf("%s, %s\n", polls, explain.Plural(len(r.fixtures), "fixture", "fixtures"))))
}

// String is for people.
func (r Row) String() string {
	return line(r.Poll, string(r.Decision), cmp.Or(r.EventID, fmt.Sprint(r.Fixture)), r.ScoreAfter, r.Text)
}

func line(poll int, decision, about string, s footy.Score, text string) string {
	score := ""
	if s.Home != nil || s.Away != nil {
		score = explain.Tally(s)
	}
	return fmt.Sprintf("poll %-4d %-16s %-28s %-6s %s\n", poll, decision, about, score, text)
}

// Answers prints the answers about a match that were kept, one a line, for Replay.
func Answers(ctx context.Context, s store.Answers, fixture int64, to io.Writer) error {
	kept, err := s.KeptAnswers(ctx, fixture)
	if err != nil {
		return err
	}
	if len(kept) == 0 {
		return footy.Errorf(footy.CodeNotFound, "", "no answer about match %d is kept: its id stands in the address of its goals; answers are kept from its first poll on, as long as the match", fixture)
	}
	out := json.NewEncoder(to)
	for _, a := range kept {
		if err := out.Encode(keptAnswer{a.Answered, a.PollID, json.RawMessage(a.Said)}); err != nil {
			return footy.Wrap(footy.CodeUnavailable, "print answers", err)
		}
	}
	return nil
}
