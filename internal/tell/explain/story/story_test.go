package story_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain/story"
)

var start = time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)

// log numbers rows and spaces them a second apart.
func log(rows ...footy.Entry) []footy.Entry {
	for i := range rows {
		rows[i].Key, rows[i].At = fmt.Sprint(i), start.Add(time.Duration(i)*time.Second)
	}
	return rows
}

// goal is certain and has two clips.
func goal() *footy.Event {
	return &footy.Event{Kind: footy.KindGoal, CertainAt: start, Clips: []footy.Clip{{ID: "c", Rank: 1}, {ID: "00000000000000aa", Rank: 2}}}
}

func tell(e *footy.Event, posts []footy.Post, rows []footy.Entry) story.Story {
	return story.Of(e, posts, rows)
}

// told is the story of a goal whose posts do not matter.
func told(rows []footy.Entry) story.Story { return tell(goal(), nil, rows) }

func posts(list ...footy.Post) []footy.Post { return list }

// found is a post as the ledger has it, by the number of the search that found it.
func found(id string, try int, s footy.PostState) footy.Post {
	return footy.Post{PostID: id, State: s, Round: 1, Try: try, FirstSeen: start, ChangedAt: start, Candidate: footy.Candidate{PostID: id, Author: "a" + id}}
}

func refused(id string, try int, why footy.Reason) footy.Post {
	p := found(id, try, footy.PostRefused)
	p.Reason = why
	return p
}

func query(n int, state string) footy.Entry {
	return footy.Entry{Kind: footy.EntryQuery, Try: n, Data: footy.Evidence{Query: "salah", State: footy.SearchState(state), Found: 1, Round: 1}}
}

func post(id string, attempt int, kind footy.EntryKind, why footy.Reason) footy.Entry {
	return footy.Entry{Kind: kind, PostID: id, Try: attempt, Reason: why, Data: footy.Evidence{Author: "a" + id}}
}

func TestEachPostStandsUnderTheSearchThatTookIt(t *testing.T) {
	t.Parallel()
	ledger := posts(refused("1", 1, footy.ReasonScreen), refused("2", 2, footy.ReasonTooShort))
	s := tell(goal(), ledger, log(footy.Entry{Kind: footy.EntryNew}, query(1, "results"), post("1", 1, footy.EntryCandidate, ""), post("2", 1, footy.EntryCandidate, footy.ReasonNotChosen),
		query(2, "results"), post("2", 2, footy.EntryCandidate, ""),
		post("1", 0, footy.EntryRejected, footy.ReasonScreen), // its verdict comes while the next search runs
		post("2", 0, footy.EntryRejected, footy.ReasonTooShort), footy.Entry{Kind: footy.EntryCompleted}))
	require.Len(t, s.Chapters, 4)
	first, second := s.Chapters[1], s.Chapters[2]
	require.Equal(t, "Search 1", first.Title)
	require.Len(t, first.Posts, 1)
	require.Equal(t, story.Refused, first.Posts[0].Outcome)
	require.Equal(t, footy.ReasonScreen, first.Posts[0].Reason)
	require.Len(t, second.Posts, 1)
	require.Equal(t, "2", second.Posts[0].PostID)
	require.Len(t, second.Posts[0].Lines, 3, "passed over, taken, refused")
	require.Equal(t, "a2", second.Posts[0].Candidate.Author)
	require.Equal(t, "found 1 post: 1 refused", second.Summary)
}

func TestEveryRowIsInTheFullLogOnce(t *testing.T) {
	t.Parallel()
	rows := log(footy.Entry{Kind: footy.EntryNew}, footy.Entry{Kind: footy.EntrySighting}, footy.Entry{Kind: "a_kind_of_tomorrow"}, query(1, "empty"),
		post("1", 1, footy.EntryCandidate, ""), footy.Entry{Kind: footy.EntryClip, ClipID: "c"}, footy.Entry{Kind: footy.EntryOperator})
	s := told(rows)
	require.Len(t, s.Log, len(rows))
	for i, l := range s.Log {
		require.Equal(t, rows[i].Key, l.Key)
		require.NotEmpty(t, l.Word)
	}
	require.Equal(t, "a kind of tomorrow", s.Log[2].Word)
}

func TestOrderOfRowsDoesNotMatter(t *testing.T) {
	t.Parallel()
	rows := log(footy.Entry{Kind: footy.EntryNew}, query(1, "results"), post("1", 1, footy.EntryCandidate, ""), post("1", 0, footy.EntryRejected, footy.ReasonScreen))
	back := []footy.Entry{rows[3], rows[1], rows[2], rows[0]}
	ledger := posts(refused("1", 1, footy.ReasonScreen))
	require.Equal(t, tell(goal(), ledger, rows), tell(goal(), ledger, back))
}

// Polls that could not be believed come by the hundred and between everything else: one line each kind, one chapter.
func TestTheSameTroubleAgainIsOneLine(t *testing.T) {
	t.Parallel()
	failed := footy.Entry{Kind: footy.EntryPollFailed}
	doubted := footy.Entry{Kind: footy.EntryDistrusted}
	s := told(log(footy.Entry{Kind: footy.EntryNew}, failed, doubted, footy.Entry{Kind: footy.EntrySighting}, failed, query(1, "empty"), doubted, failed, query(2, "empty")))
	require.Len(t, s.Chapters, 3)
	require.Len(t, s.Chapters[0].Lines, 2, "a doubt does not interrupt how it was seen")
	feed := s.Chapters[1]
	require.Len(t, feed.Lines, 2)
	require.Equal(t, 3, feed.Lines[0].Times)
	require.Equal(t, start.Add(7*time.Second), feed.Lines[0].Until)
	require.Equal(t, 2, feed.Lines[1].Times)
}

func TestHowAGoalWasTakenBackIsOneChapter(t *testing.T) {
	t.Parallel()
	off := footy.Entry{Kind: footy.EntryAbsence}
	s := told(log(footy.Entry{Kind: footy.EntryNew}, query(1, "empty"), off, query(2, "empty"), off, footy.Entry{Kind: footy.EntryRemoved}))
	gone := s.Chapters[2]
	require.Equal(t, "It was taken back", gone.Title)
	require.Equal(t, story.ToneBad, gone.Tone)
	require.Len(t, gone.Lines, 3)
	require.Len(t, s.Chapters, 4)
	back := told(log(footy.Entry{Kind: footy.EntryRemoved}, footy.Entry{Kind: footy.EntryRestored}))
	require.Equal(t, "It went missing and came back", back.Chapters[0].Title)
}

func TestAGoalThatAnOperatorBroughtBackStands(t *testing.T) {
	t.Parallel()
	s := told(log(footy.Entry{Kind: footy.EntryCertain}, footy.Entry{Kind: footy.EntryRemoved, Reason: footy.ReasonVAR},
		footy.Entry{Kind: footy.EntryOperator, Data: footy.Evidence{Act: "restore", RestoredGoal: true}}))
	require.NotContains(t, s.Answer.Sentence, "no longer stands")
	require.Equal(t, "It was taken back, and an operator brought it back", s.Chapters[1].Title)
	require.Equal(t, story.ToneGood, s.Chapters[1].Tone)
}

func TestSearchesThatFoundNothingAreToldTogether(t *testing.T) {
	t.Parallel()
	nothing := func(n int) footy.Entry {
		return query(n, "empty")
	}
	s := tell(goal(), posts(found("1", 4, footy.PostFetching)), log(nothing(1), nothing(2), nothing(3), query(4, "results"), post("1", 4, footy.EntryCandidate, ""), nothing(5), nothing(6)))
	var titles []string
	for _, c := range s.Chapters {
		titles = append(titles, c.Title+": "+c.Summary)
	}
	require.Equal(t, []string{"Searches 1 to 3: found nothing", "Search 4: found 1 post: 1 being checked", "Searches 5 and 6: found nothing"}, titles)
}

func TestASearchThatCouldNotLookLooksDifferent(t *testing.T) {
	t.Parallel()
	s := told(log(query(1, "empty"), query(2, "login_required")))
	require.Equal(t, story.ToneNeutral, s.Chapters[0].Tone)
	require.Equal(t, story.ToneWarn, s.Chapters[1].Tone)
}

func TestWhatAPostBecame(t *testing.T) {
	t.Parallel()
	own := footy.ClipID(digest)
	became := func(state footy.PostState, clip string, rows ...footy.Entry) string {
		e := goal()
		e.Clips[0].ID, e.Clips[0].Posts = own, []string{"1"}
		if clip != own {
			e.Clips[0].Rank, e.Clips[0].ReplacedBy = 0, clip
		}
		p := found("1", 1, state)
		p.ClipID, p.Verdict, p.Media = clip, &footy.Verdict{Outcome: footy.OutcomeVerified}, &footy.Media{Digest: digest}
		card := tell(e, posts(p), log(append([]footy.Entry{query(1, "results")}, rows...)...)).Chapters[0].Posts[0]
		require.Equal(t, own, card.OwnClip)
		require.Len(t, card.Lines, len(rows))
		return string(card.Outcome) + "|" + card.Label + "|" + card.Sentence
	}
	made := footy.Entry{Kind: footy.EntryClip, ClipID: own}
	merged := footy.Entry{Kind: footy.EntryMerged, ClipID: own, Data: footy.Evidence{Into: "00000000000000aa", Better: footy.MeritSharper}}
	replaced := merged
	replaced.Kind = footy.EntryReplaced
	require.Equal(t, "accepted|accepted|Verified", became(footy.PostJudged, own))
	require.Equal(t, "clip|clip 1|Verified", became(footy.PostPublished, own, made))
	require.Equal(t, "copy|same as clip 2|The same footage as clip 2, which is sharper", became(footy.PostMerged, "00000000000000aa", merged))
	require.Equal(t, "copy|same as clip 2|The same footage as clip 2, which is sharper", became(footy.PostMerged, "00000000000000aa", made, replaced))
	require.Equal(t, "clip|clip 1|Verified", became(footy.PostPublished, own, made, replaced, made), "its winner was taken down: it stands for itself again")
	require.Equal(t, "clip|taken away|Verified. The clip is hidden now", became(footy.PostPublished, "gone", made))
}

var digest = strings.Repeat("ab", 32)

func TestWhatIsDoneWithAPost(t *testing.T) {
	t.Parallel()
	card := func(p footy.Post) string {
		c := tell(goal(), posts(p), log(query(1, "results"))).Chapters[0].Posts[0]
		return string(c.Outcome) + "|" + c.Label + "|" + c.Sentence
	}
	require.Equal(t, "checking|being checked|Will be fetched now", card(found("1", 1, footy.PostOffered)))
	require.Equal(t, "checking|being checked|Is being fetched", card(found("1", 1, footy.PostFetching)))
	require.Equal(t, "checking|being checked|Fetched; it is being checked", card(found("1", 1, footy.PostFetched)))
	require.Equal(t, "accepted|accepted|Accepted; it is being stored", card(found("1", 1, footy.PostJudged)))
	require.Equal(t, "passed over|passed over|Passed over this time: longer ones came first", card(footy.Post{State: footy.PostPassed, Reason: footy.ReasonNotChosen}))

	p := found("1", 1, footy.PostWaiting)
	p.Reason, p.WaitingSince = footy.ReasonNotCertain, start
	require.Equal(t, "waiting|waits|Fetched; it is checked once it is certain what it shows", card(p))
	require.False(t, tell(goal(), posts(p), nil).Chapters[0].Posts[0].Trouble, "nothing is tried again")

	p = found("1", 1, footy.PostFetching)
	p.Reason, p.WaitingSince, p.NextTry, p.Tries = footy.ReasonStorage, start, start.Add(time.Minute), 3
	require.Equal(t, "waiting|waits|Waits for the clip storage", card(p), "its next try is under way; the trouble goes on")
	shown := tell(goal(), posts(p), nil).Chapters[0].Posts[0]
	require.True(t, shown.Trouble && shown.Trying())
}

// A copy was merged: to call it refused reads as if something were wrong with it.
func TestACopyIsNotRefused(t *testing.T) {
	t.Parallel()
	e := goal()
	e.Clips[0].Posts = []string{"2", "1"}
	p := found("1", 1, footy.PostMerged)
	p.ClipID = "c"
	same := post("1", 0, footy.EntryRejected, footy.ReasonDuplicate)
	same.ClipID = "c"
	s := tell(e, posts(p), log(query(1, "results"), same))
	require.Equal(t, "same as clip 1", s.Chapters[0].Posts[0].Label)
	require.Equal(t, "The very same file as clip 1: it counts for its popularity", s.Chapters[0].Posts[0].Sentence)
	require.Equal(t, "Merged", s.Chapters[0].Posts[0].Lines[0].Word)
	require.Equal(t, "found 1 post: 1 same as a clip", s.Chapters[0].Summary)
}

// A sibling goal offers a post between two searches: it stands where the story was then.
func TestAnOfferedPostStandsWhereItWasOffered(t *testing.T) {
	t.Parallel()
	p := found("1", 0, footy.PostOffered)
	p.Candidate.OfferedBy, p.FirstSeen = "5000-2", start.Add(1500*time.Millisecond)
	s := tell(goal(), posts(p), log(query(1, "results"), query(2, "results"), query(3, "results")))
	require.Empty(t, s.Chapters[0].Posts)
	require.Len(t, s.Chapters[1].Posts, 1)
	require.Equal(t, "5000-2", s.Chapters[1].Posts[0].Candidate.OfferedBy)
}

func TestAClipIsNotTheSameFootageAsItself(t *testing.T) {
	t.Parallel()
	for same, want := range map[string]bool{"c": false, "00000000000000aa": true} {
		v := post("1", 0, footy.EntryVerdict, "")
		v.ClipID, v.Data.Outcome, v.Data.SameAs = "c", "verified", same
		facts := told(log(query(1, "results"), v)).Log[1].Facts
		require.Equal(t, want, slices.ContainsFunc(facts, func(f story.Fact) bool { return f.Name == "same footage as" }), facts)
	}
}

func TestClipsHaveNamesNotHashes(t *testing.T) {
	t.Parallel()
	row := footy.Entry{Kind: footy.EntryMerged, Data: footy.Evidence{Into: "00000000000000aa", Better: footy.MeritLonger, Match: &footy.Comparison{Same: true, MatchedFrames: 29, Seconds: 7.2, Speed: 1}}}
	require.Equal(t, "Same footage for 7.2 s, offset +0.00 s; clip 2 is longer", told(log(row)).Log[0].Text)
	row.Data.Into = "00000000000000bb"
	require.Equal(t, "Same footage for 7.2 s, offset +0.00 s; a clip is longer", told(log(row)).Log[0].Text)
}

// What a program said stays inside: it names addresses. What a rule said is told.
func TestOnlyOurOwnDetailsAreTold(t *testing.T) {
	t.Parallel()
	sentence := func(why footy.Reason, detail string) string {
		p := refused("1", 1, why)
		p.Detail = detail
		return tell(goal(), posts(p), nil).Chapters[0].Posts[0].Sentence
	}
	require.Equal(t, "The video's host refuses this address", sentence(footy.ReasonGeoBlocked, "Get http://127.0.0.1:1/secret-looking: dial http://x"))
	require.Equal(t, "Too short to show it (2.1 s, shortest allowed 3 s)", sentence(footy.ReasonTooShort, "2.1 s, shortest allowed 3 s"))
}

func TestEvidenceIsReadable(t *testing.T) {
	t.Parallel()
	row := post("1", 0, footy.EntryVerdict, "")
	row.Data = footy.Evidence{Outcome: "verified", Expected: 67, Readings: []footy.Reading{{At: 1.5, Soccer: true, Clock: "67:12"}, {At: 3, Soccer: true, Screen: true}, {At: 5}},
		Model: "", Minute: (*int)(nil), Sibling: "", Match: &footy.Comparison{Mismatch: footy.MismatchEmpty}, Into: "c"}
	l := told(log(row)).Log[0]
	require.Equal(t, []story.Fact{{Name: "comparison", Value: "one video has no samples"},
		{Name: "frames", Value: "1.5 s: 67:12 · 3.0 s: no clock, filmed from a screen · 5.0 s: no football"},
		{Name: "minute expected on the clock", Value: "67"}, {Name: "stands for it now", Value: "clip 1"}}, l.Facts)
}
