package explain_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
)

func row(kind footy.EntryKind, change ...func(*footy.Entry)) footy.Entry {
	e := footy.Entry{Kind: kind}
	for _, c := range change {
		c(&e)
	}
	return e
}

func post(id string) func(*footy.Entry)     { return func(e *footy.Entry) { e.PostID = id } }
func why(r footy.Reason) func(*footy.Entry) { return func(e *footy.Entry) { e.Reason = r } }
func as(id string) func(*footy.Entry)       { return func(e *footy.Entry) { e.ClipID = id } }
func query(state string) footy.Entry {
	return footy.Entry{Kind: footy.EntryQuery, Data: footy.Evidence{State: footy.SearchState(state)}}
}
func judged(as string) func(*footy.Entry) { return func(e *footy.Entry) { e.Data.Outcome = as } }
func card(e *footy.Entry)                 { e.Data.What = footy.KindRedCard }
func taken(id string) footy.Entry         { return row(footy.EntryCandidate, post(id)) }
func refused(id string, r footy.Reason) footy.Entry {
	return row(footy.EntryRejected, post(id), why(r))
}
func verified(id, clip string) footy.Entry {
	return row(footy.EntryVerdict, post(id), as(clip), judged("verified"))
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
		{"no query", []footy.Entry{certain, searching, row(footy.EntryCompleted, judged("lost(no_query)"))}, "Why no clip?",
			"No search was made: not searched, because there is no word to search for."},
		{"one waits", []footy.Entry{certain, searching, query("results"), taken("1"), row(footy.EntryWaiting, post("1"), why(footy.ReasonStorage)), taken("2")}, "Why no clip yet?",
			"1 search found 2 posts, none of which shows this goal for certain: 1 is still being checked and 1 waits and is tried again."},
		{"a red card", []footy.Entry{row(footy.EntryNew, card), certain, searching, query("results"), taken("1"), refused("1", footy.ReasonScreen), done}, "Why no clip?",
			"1 search found 1 post, none of which shows this red card for certain: 1 was a phone filming a screen."},
		{"a red card that was taken back", []footy.Entry{row(footy.EntryNew, card), row(footy.EntryRemoved, why(footy.ReasonVAR))}, "Why no clip?",
			"This red card no longer stands: it was cancelled by VAR."},
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
	require.Equal(t, "1 clips 0 refused 0 pending of 1", count(taken("1"), row(footy.EntryVerdict, post("1"), why(footy.ReasonUnvalidated), judged("unvalidated")),
		verified("1", "c"), clip), "looked at once the model was back")
	require.Equal(t, "0 clips 1 refused 0 pending of 1", count(taken("1"), row(footy.EntryVerdict, post("1"), why(footy.ReasonUnvalidated), judged("unvalidated"))))
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
				Data: footy.Evidence{Outcome: rapid.SampledFrom([]string{"", "verified", "unverified", "rejected", "unvalidated"}).Draw(t, "outcome")}})
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

// A reason that nobody put into words is shown as it is, never dropped; each of ours has its words.
func TestReasonsHaveWords(t *testing.T) {
	t.Parallel()
	require.Equal(t, "brand new reason", explain.Ending("brand_new_reason"))
	require.Equal(t, "too short", explain.Ending(footy.ReasonTooShort))
	for _, r := range footy.Reasons() {
		require.NotEqual(t, strings.ReplaceAll(string(r), "_", " "), explain.Reason(r), r)
		require.NotEmpty(t, explain.Ending(r), r)
	}
	for _, r := range footy.WaitCauses() {
		waits := explain.WaitsFor([]footy.Post{{State: footy.PostWaiting, Reason: r, WaitingSince: time.Unix(1, 0)}})
		require.NotEqual(t, "waits for something else", waits, r)
		require.NotEmpty(t, explain.Wait(r), r)
	}
	require.NotEqual(t, explain.Reason(footy.ReasonDeleted), explain.Wait(footy.ReasonDeleted), "it is not believed yet")
}

func TestAnAnswerWithoutARefusalHasAnEmptyList(t *testing.T) {
	t.Parallel()
	body, err := json.Marshal(explain.Why(nil, nil))
	require.NoError(t, err)
	require.Contains(t, string(body), `"reasons":[]`)
}
