package explain_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
)

type data = map[string]any

func row(kind footy.EntryKind, change ...func(*footy.Entry)) footy.Entry {
	e := footy.Entry{Kind: kind}
	for _, c := range change {
		c(&e)
	}
	return e
}

func post(id string) func(*footy.Entry)       { return func(e *footy.Entry) { e.PostID = id } }
func why(r footy.Reason) func(*footy.Entry)   { return func(e *footy.Entry) { e.Reason = r } }
func as(id string) func(*footy.Entry)         { return func(e *footy.Entry) { e.ClipID = id } }
func with(k string, v any) func(*footy.Entry) { return func(e *footy.Entry) { e.Data = data{k: v} } }
func query(state string) footy.Entry          { return row(footy.EntryQuery, with("state", state)) }
func taken(id string) footy.Entry             { return row(footy.EntryCandidate, post(id)) }
func refused(id string, r footy.Reason) footy.Entry {
	return row(footy.EntryRejected, post(id), why(r))
}
func verified(id, clip string) footy.Entry {
	return row(footy.EntryVerdict, post(id), as(clip), with("outcome", "verified"))
}

var (
	certain   = row(footy.EntryCertain)
	searching = row(footy.EntrySearching)
	done      = row(footy.EntryCompleted)
)

func TestWhy(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name     string
		rows     []footy.Entry
		question string
		sentence string
	}{
		{"nothing known", nil, "Why no clip yet?", "The goal was reported but is not certain yet; the search starts when it is."},
		{"certain", []footy.Entry{certain}, "Why no clip yet?", "The goal is certain; the first search is about to start."},
		{"nobody posts", []footy.Entry{certain, searching, query("empty"), query("empty"), done}, "Why no clip?", "2 searches found no post with a video."},
		{"could not look", []footy.Entry{certain, searching, query("login_required"), query("timeout"), done}, "Why no clip?",
			"We could not look: 2 searches without an answer (login required, timeout)."},
		{"partly blind", []footy.Entry{certain, searching, query("empty"), query("rate_limited")}, "Why no clip yet?",
			"1 search found no post with a video; 1 more search could not look so far."},
		{"all refused", []footy.Entry{certain, searching, query("results"), taken("1"), taken("2"), taken("3"), refused("1", footy.ReasonScreen),
			refused("2", footy.ReasonPortrait), refused("3", footy.ReasonPortrait), done}, "Why no clip?",
			"1 search found 3 posts, none of which shows this goal for certain: 2 were portrait or square and 1 was a phone filming a screen."},
		{"removed", []footy.Entry{certain, row(footy.EntryRemoved, why(footy.ReasonVAR))}, "Why no clip?", "This goal no longer stands: it was cancelled by VAR."},
		{"no source", []footy.Entry{certain, searching, row(footy.EntryCompleted, with("outcome", "lost(no_source)"))}, "Why no clip?",
			"No search was made: not searched, because no source of clips was available."},
		{"one waits", []footy.Entry{certain, searching, query("results"), taken("1"), row(footy.EntryWaiting, post("1"), why(footy.ReasonStorage)), taken("2")}, "Why no clip yet?",
			"1 search found 2 posts, none of which shows this goal for certain: 1 is still being checked and 1 waits and is tried again."},
		{"found", []footy.Entry{certain, searching, query("results"), taken("1"), verified("1", "c"), row(footy.EntryClip, as("c")), done}, "",
			"1 post of 1 looked at shows this goal."},
		{"found among others", []footy.Entry{certain, searching, query("results"), taken("1"), verified("1", "c"), row(footy.EntryClip, as("c")), taken("2"),
			refused("2", footy.ReasonDeleted), done}, "", "1 post of 2 looked at shows this goal; of the others 1 was deleted before we came."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := explain.Why(c.rows, nil)
			require.Equal(t, c.question, a.Question)
			require.Equal(t, c.sentence, a.Sentence)
		})
	}
}

func TestWhatBecameOfAPost(t *testing.T) {
	t.Parallel()
	count := func(rows ...footy.Entry) string {
		a := explain.Why(append([]footy.Entry{certain, searching, query("results")}, rows...), nil)
		return fmt.Sprintf("%d clips %d refused %d pending of %d", a.Clips, a.Rejected, a.Pending, a.Posts)
	}
	clip := row(footy.EntryClip, as("c"))
	require.Equal(t, "0 clips 0 refused 1 pending of 1", count(taken("1")))
	require.Equal(t, "0 clips 0 refused 1 pending of 1", count(taken("1"), verified("1", "c")), "accepted is not published yet")
	require.Equal(t, "1 clips 0 refused 0 pending of 1", count(taken("1"), verified("1", "c"), clip))
	require.Equal(t, "2 clips 0 refused 0 pending of 2", count(taken("1"), verified("1", "c"), clip, taken("2"),
		row(footy.EntryRejected, post("2"), as("c"), why(footy.ReasonDuplicate))), "the same file supports the clip")
	require.Equal(t, "0 clips 1 refused 0 pending of 1", count(row(footy.EntryCandidate, post("1"), why(footy.ReasonNotChosen))))
	require.Equal(t, "0 clips 0 refused 1 pending of 1", count(row(footy.EntryCandidate, post("1"), why(footy.ReasonNotChosen)), taken("1")), "taken the next time")
	require.Equal(t, "1 clips 0 refused 0 pending of 1", count(taken("1"), row(footy.EntryVerdict, post("1"), why(footy.ReasonUnvalidated), with("outcome", "unvalidated")),
		verified("1", "c"), clip), "looked at once the model was back")
	require.Equal(t, "0 clips 1 refused 0 pending of 1", count(taken("1"), row(footy.EntryVerdict, post("1"), why(footy.ReasonUnvalidated), with("outcome", "unvalidated"))))
}

// Each post has exactly one end, whatever the log holds, and the reasons add up to the refused.
func TestCountsAddUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		kinds := []footy.EntryKind{footy.EntryCandidate, footy.EntryRejected, footy.EntryVerdict, footy.EntryClip, footy.EntryMerged, footy.EntryQuery, footy.EntryCompleted, footy.EntryRemoved}
		reasons := []footy.Reason{"", footy.ReasonScreen, footy.ReasonDuplicate, footy.ReasonNotChosen, "brand_new_reason"}
		var rows []footy.Entry
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			rows = append(rows, footy.Entry{Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Reason: rapid.SampledFrom(reasons).Draw(t, "reason"),
				PostID: rapid.SampledFrom([]string{"", "1", "2", "3"}).Draw(t, "post"), ClipID: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "clip"),
				Data: data{"outcome": rapid.SampledFrom([]string{"", "verified", "unverified", "rejected", "unvalidated"}).Draw(t, "outcome")}})
		}
		a := explain.Why(rows, nil)
		n := 0
		for _, c := range a.Reasons {
			n += c.N
		}
		if a.Posts != a.Clips+a.Rejected+a.Pending+a.Withdrawn || n != a.Rejected || a.Sentence == "" || !reflect.DeepEqual(a, explain.Why(rows, nil)) {
			t.Fatalf("%+v", a)
		}
	})
}

func TestRowsFromADatabaseReadLikeFreshOnes(t *testing.T) {
	t.Parallel()
	fresh := row(footy.EntryVerdict, post("1"), as("c"), with("outcome", string(footy.OutcomeVerified)))
	fresh.Data["n"] = 3
	body, err := json.Marshal(fresh)
	require.NoError(t, err)
	var stored footy.Entry
	require.NoError(t, json.Unmarshal(body, &stored))
	require.Equal(t, explain.Text(fresh.Data, "outcome"), explain.Text(stored.Data, "outcome"))
	a, _ := explain.Number(fresh.Data, "n")
	b, ok := explain.Number(stored.Data, "n")
	require.True(t, ok)
	require.InDelta(t, a, b, 0)
}

func TestMeasure(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)
	goal := func(after time.Duration, verified, removed bool) footy.Event {
		e := footy.Event{Kind: footy.KindGoal, FirstSeen: at, Removed: removed, DownloadComplete: true}
		if after > 0 {
			e.Clips = []footy.Clip{{ID: "a", AddedAt: at.Add(after), Verified: verified}}
		}
		return e
	}
	late := goal(9*time.Minute, true, false)
	late.Clips = append(late.Clips, footy.Clip{ID: "b", AddedAt: at.Add(time.Minute), ReplacedBy: "a"}) // people saw this one first
	f := footy.Fixture{Events: []footy.Event{goal(0, false, false), goal(2*time.Minute, false, false), late, goal(time.Minute, true, true), {Kind: footy.KindMissedPenalty}}}
	m := explain.Of([]footy.Fixture{f})
	require.Equal(t, 3, m.Goals)
	require.Equal(t, 2, m.WithClip)
	require.Equal(t, 1, m.Verified)
	require.Equal(t, 90*time.Second, m.Median)
	require.InDelta(t, 1.0/3, m.Share(), 1e-9)
	require.Zero(t, explain.Of(nil).Share())
	twice := m.Plus(explain.Of([]footy.Fixture{{Events: []footy.Event{goal(20*time.Minute, true, false)}}}))
	require.Equal(t, 4, twice.Goals)
	require.Equal(t, 2*time.Minute, twice.Median, "the median of all goals, not the mean of medians")
	require.Len(t, m.Durations, 2, "what was joined stays as it was")
}

// A reason that nobody put into words is shown as it is, never dropped.
func TestWords(t *testing.T) {
	t.Parallel()
	require.Equal(t, "brand new reason", explain.Words("brand_new_reason"))
	require.Equal(t, "too short", explain.Words(footy.ReasonTooShort))
}
