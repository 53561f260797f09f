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

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

func query(state string) footy.Entry {
	return footy.Entry{Kind: footy.EntryQuery, Data: footy.Evidence{State: footy.SearchState(state)}}
}

// certain is a goal that is searched for; its clips have the ids seen and hidden.
func certain(change ...func(*footy.Event)) *footy.Event {
	e := &footy.Event{Kind: footy.KindGoal, CertainAt: time.Unix(1, 0), Clips: []footy.Clip{{ID: "seen", Rank: 1}, {ID: "hidden", Hidden: true}, {ID: "worse", ReplacedBy: "seen"}}}
	for _, c := range change {
		c(e)
	}
	return e
}

func done(e *footy.Event)       { e.DownloadComplete = true }
func card(e *footy.Event)       { e.Kind = footy.KindRedCard }
func removedVAR(e *footy.Event) { e.Removed, e.RemovedReason = true, footy.ReasonVAR }
func lost(why footy.Reason) func(*footy.Event) {
	return func(e *footy.Event) { e.Round.End = why }
}

func refused(why footy.Reason) footy.Post {
	return footy.Post{State: footy.PostRefused, Reason: why}
}
func in(s footy.PostState) footy.Post  { return footy.Post{State: s} }
func published(clip string) footy.Post { return footy.Post{State: footy.PostPublished, ClipID: clip} }
func because(why footy.Reason, row footy.Entry) footy.Entry {
	row.Reason = why
	return row
}
func posts(list ...footy.Post) []footy.Post  { return list }
func rows(list ...footy.Entry) []footy.Entry { return list }

func TestWhy(t *testing.T) {
	t.Parallel()
	waits := footy.Post{State: footy.PostWaiting, Reason: footy.ReasonStorage, WaitingSince: time.Unix(2, 0)}
	cases := []struct {
		name     string
		event    *footy.Event
		posts    []footy.Post
		rows     []footy.Entry
		question string
		sentence string
	}{
		{"nothing known", &footy.Event{Kind: footy.KindGoal}, nil, nil, "Why no clip yet?", "The goal was reported but is not certain yet. Its clips are checked and shown when it is."},
		{"found ahead", &footy.Event{Kind: footy.KindGoal}, posts(footy.Post{State: footy.PostWaiting, Reason: footy.ReasonNotCertain, WaitingSince: time.Unix(2, 0)}, refused(footy.ReasonScreen)), nil,
			"Why no clip yet?", "The goal was reported but is not certain yet. Its clips are checked and shown when it is. 1 post was found already and is checked then."},
		{"certain", certain(), nil, nil, "Why no clip yet?", "The goal is certain; the first search is about to start."},
		{"nobody posts", certain(done), nil, rows(query("empty"), query("empty")), "Why no clip?", "2 searches found no post with a video."},
		{"could not look", certain(done), nil, rows(query("login_required"), query("timeout")), "Why no clip?",
			"We could not look: 2 searches without an answer (login required, timeout)."},
		{"partly blind", certain(), nil, rows(query("empty"), query("rate_limited")), "Why no clip yet?",
			"1 search found no post with a video; 1 more search could not look so far."},
		{"Reddit refuses", certain(), nil, rows(because(footy.ReasonRedditPublic, query("login_required"))), "Why no clip yet?",
			"We could not look: 1 search without an answer. Reddit refuses its public list to this machine. The remedy takes a minute: copy an address from preferences > RSS feeds of any free account, and set it as REDDIT_FEED."},
		{"Reddit refuses beside X", certain(done), nil, rows(query("empty"), because(footy.ReasonRedditFeed, query("empty"))), "Why no clip?",
			"2 searches found no post with a video. Reddit refuses the address that was set as REDDIT_FEED. Copy it again from preferences > RSS feeds."},
		{"Reddit refused once", certain(done), nil, rows(because(footy.ReasonRedditPublic, query("empty")), query("empty")), "Why no clip?",
			"2 searches found no post with a video."},
		{"all refused", certain(done), posts(refused(footy.ReasonScreen), refused(footy.ReasonPortrait), refused(footy.ReasonPortrait)), rows(query("results")), "Why no clip?",
			"1 search found 3 posts, none of which shows this goal for certain: 2 were portrait or square and 1 was a phone filming a screen."},
		{"passed over", certain(done), posts(footy.Post{State: footy.PostPassed, Reason: footy.ReasonNotChosen}), rows(query("results")), "Why no clip?",
			"1 search found 1 post, none of which shows this goal for certain: 1 was passed over for longer ones."},
		{"removed", certain(removedVAR), nil, nil, "Why no clip?", "This goal no longer stands: it was cancelled by VAR."},
		{"no query", certain(done, lost(footy.ReasonNoQuery)), nil, nil, "Why no clip?",
			"No search was made: not searched, because there is no word to search for."},
		{"one waits", certain(), posts(waits, in(footy.PostFetching)), rows(query("results")), "Why no clip yet?",
			"1 search found 2 posts, none of which shows this goal for certain: 1 is still being checked and 1 waits and is tried again."},
		{"a red card", certain(card, done), posts(refused(footy.ReasonScreen)), rows(query("results")), "Why no clip?",
			"1 search found 1 post, none of which shows this red card for certain: 1 was a phone filming a screen."},
		{"a red card that was taken back", certain(card, removedVAR), nil, nil, "Why no clip?", "This red card no longer stands: it was cancelled by VAR."},
		{"found", certain(done), posts(published("seen")), rows(query("results")), "", "1 of 1 post found shows this goal."},
		{"found among others", certain(done), posts(published("seen"), refused(footy.ReasonDeleted)), rows(query("results")), "",
			"1 of 2 posts found shows this goal; of the others 1 was deleted before we came."},
		{"found, and one hidden", certain(done), posts(published("seen"), published("hidden")), rows(query("results")), "",
			"1 of 2 posts found shows this goal; of the others 1 is hidden by an operator."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := explain.Why(c.event, c.posts, c.rows)
			require.Equal(t, c.question, a.Question)
			require.Equal(t, c.sentence, a.Sentence)
		})
	}
}

func TestWhatBecameOfAPost(t *testing.T) {
	t.Parallel()
	count := func(p ...footy.Post) string {
		a := explain.Why(certain(), p, nil)
		return fmt.Sprintf("%d clips %d refused %d pending %d withdrawn of %d", a.Clips, a.Rejected, a.Pending, a.Withdrawn, a.Posts)
	}
	require.Equal(t, "0 clips 0 refused 1 pending 0 withdrawn of 1", count(in(footy.PostOffered)))
	require.Equal(t, "0 clips 0 refused 1 pending 0 withdrawn of 1", count(in(footy.PostJudged)), "accepted is not published yet")
	require.Equal(t, "2 clips 0 refused 0 pending 0 withdrawn of 2", count(published("seen"), footy.Post{State: footy.PostMerged, ClipID: "seen"}))
	require.Equal(t, "1 clips 0 refused 0 pending 0 withdrawn of 1", count(published("worse")), "another clip stands for it")
	require.Equal(t, "0 clips 0 refused 0 pending 2 withdrawn of 2", count(published("hidden"), published("deleted")))
	require.Equal(t, "0 clips 2 refused 0 pending 0 withdrawn of 2", count(in(footy.PostPassed), refused(footy.ReasonScreen)))
}

// Each post has exactly one end, whatever the ledger holds, and the reasons add up to the refused.
func TestCountsAddUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var posts []footy.Post
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			posts = append(posts, footy.Post{State: rapid.SampledFrom(footy.PostStates).Draw(t, "state"),
				Reason: rapid.SampledFrom([]footy.Reason{"", footy.ReasonScreen, footy.ReasonNotChosen, "brand_new_reason"}).Draw(t, "reason"),
				ClipID: rapid.SampledFrom([]string{"", "seen", "hidden", "worse", "nobody's"}).Draw(t, "clip")})
		}
		e := certain()
		e.Removed, e.DownloadComplete = rapid.Bool().Draw(t, "removed"), rapid.Bool().Draw(t, "complete")
		a := explain.Why(e, posts, nil)
		n := 0
		for _, c := range a.Reasons {
			n += c.N
		}
		if a.Posts != a.Clips+a.Rejected+a.Pending+a.Withdrawn || n != a.Rejected || a.Sentence == "" || !reflect.DeepEqual(a, explain.Why(e, posts, nil)) {
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
	body, err := json.Marshal(explain.Why(&footy.Event{}, nil, nil))
	require.NoError(t, err)
	require.Contains(t, string(body), `"reasons":[]`)
}
