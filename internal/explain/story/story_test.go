package story_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/explain/story"
	"github.com/found-footy/found-footy/internal/footy"
)

var start = time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)

// log numbers rows and spaces them a second apart.
func log(rows ...footy.Entry) []footy.Entry {
	for i := range rows {
		rows[i].Key, rows[i].At = fmt.Sprint(i), start.Add(time.Duration(i)*time.Second)
	}
	return rows
}

// tell names one clip the way a page does.
func tell(rows []footy.Entry) story.Story {
	return story.Tell(rows, nil, func(id string) string {
		return map[string]string{"c": "clip 1", "00000000000000aa": "clip 2"}[id]
	})
}

func query(n int, state string) footy.Entry {
	return footy.Entry{Kind: footy.EntryQuery, Try: n, Data: footy.Evidence{Query: "salah", State: footy.SearchState(state), Found: 1, Round: 1}}
}

func post(id string, attempt int, kind footy.EntryKind, why footy.Reason) footy.Entry {
	return footy.Entry{Kind: kind, PostID: id, Try: attempt, Reason: why, Text: string(kind), Data: footy.Evidence{Author: "a" + id}}
}

func TestEachPostStandsUnderTheSearchThatTookIt(t *testing.T) {
	t.Parallel()
	s := tell(log(footy.Entry{Kind: footy.EntryNew}, query(1, "results"), post("1", 1, footy.EntryCandidate, ""), post("2", 1, footy.EntryCandidate, footy.ReasonNotChosen),
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
	require.Equal(t, "2", second.Posts[0].ID)
	require.Len(t, second.Posts[0].Lines, 3, "passed over, taken, refused")
	require.Equal(t, "a2", second.Posts[0].Author)
	require.Equal(t, "found 1 post: 1 refused", second.Summary)
}

func TestEveryRowIsInTheFullLogOnce(t *testing.T) {
	t.Parallel()
	rows := log(footy.Entry{Kind: footy.EntryNew}, footy.Entry{Kind: footy.EntrySighting}, footy.Entry{Kind: "a_kind_of_tomorrow", Text: "?"}, query(1, "empty"),
		post("1", 1, footy.EntryCandidate, ""), footy.Entry{Kind: footy.EntrySettled}, footy.Entry{Kind: footy.EntryClip, ClipID: "c"}, footy.Entry{Kind: footy.EntryOperator})
	s := tell(rows)
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
	require.Equal(t, tell(rows), tell(back))
}

// Polls that could not be believed come by the hundred and between everything else: one line each kind, one chapter.
func TestTheSameTroubleAgainIsOneLine(t *testing.T) {
	t.Parallel()
	failed := footy.Entry{Kind: footy.EntryPollFailed, Text: "The feed gave no answer"}
	doubted := footy.Entry{Kind: footy.EntryDistrusted, Text: "The feed contradicted itself"}
	s := tell(log(footy.Entry{Kind: footy.EntryNew}, failed, doubted, footy.Entry{Kind: footy.EntrySighting}, failed, query(1, "empty"), doubted, failed, query(2, "empty")))
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
	s := tell(log(footy.Entry{Kind: footy.EntryNew}, query(1, "empty"), off, query(2, "empty"), off, footy.Entry{Kind: footy.EntryRemoved}))
	gone := s.Chapters[2]
	require.Equal(t, "It was taken back", gone.Title)
	require.Equal(t, story.ToneBad, gone.Tone)
	require.Len(t, gone.Lines, 3)
	require.Len(t, s.Chapters, 4)
	back := tell(log(footy.Entry{Kind: footy.EntryRemoved}, footy.Entry{Kind: footy.EntryRestored}))
	require.Equal(t, "It went missing and came back", back.Chapters[0].Title)
}

func TestAGoalThatAnOperatorBroughtBackStands(t *testing.T) {
	t.Parallel()
	s := tell(log(footy.Entry{Kind: footy.EntryCertain}, footy.Entry{Kind: footy.EntryRemoved, Reason: footy.ReasonVAR},
		footy.Entry{Kind: footy.EntryOperator, Data: footy.Evidence{Act: "restore", RestoredGoal: true}}))
	require.NotContains(t, s.Answer.Sentence, "no longer stands")
	for _, step := range s.Steps {
		require.NotEqual(t, "Stands", step.Name)
	}
	require.Equal(t, "It was taken back, and an operator brought it back", s.Chapters[1].Title)
	require.Equal(t, story.ToneGood, s.Chapters[1].Tone)
}

func TestSearchesThatFoundNothingAreToldTogether(t *testing.T) {
	t.Parallel()
	nothing := func(n int) footy.Entry {
		q := query(n, "empty")
		q.Text = fmt.Sprintf("Search %d found nothing", n)
		return q
	}
	s := tell(log(nothing(1), nothing(2), nothing(3), query(4, "results"), post("1", 4, footy.EntryCandidate, ""), nothing(5), nothing(6)))
	var titles []string
	for _, c := range s.Chapters {
		titles = append(titles, c.Title+": "+c.Summary)
	}
	require.Equal(t, []string{"Searches 1 to 3: found nothing", "Search 4: found 1 post: 1 being checked", "Searches 5 and 6: found nothing"}, titles)
	require.Equal(t, []string{"salah"}, s.Queries)
}

func TestASearchThatCouldNotLookLooksDifferent(t *testing.T) {
	t.Parallel()
	s := tell(log(query(1, "empty"), query(2, "login_required")))
	require.Equal(t, story.ToneNeutral, s.Chapters[0].Tone)
	require.Equal(t, story.ToneWarn, s.Chapters[1].Tone)
}

func TestWhatAPostBecame(t *testing.T) {
	t.Parallel()
	accepted := post("1", 0, footy.EntryVerdict, "")
	accepted.Text, accepted.ClipID, accepted.Data = "Verified", "c", footy.Evidence{Outcome: "verified"}
	told := func(rows ...footy.Entry) string {
		p := tell(log(append([]footy.Entry{query(1, "results"), accepted}, rows...)...)).Chapters[0].Posts[0]
		return string(p.Outcome) + "|" + p.Label + "|" + p.Sentence
	}
	made := footy.Entry{Kind: footy.EntryClip, ClipID: "c"}
	merged := footy.Entry{Kind: footy.EntryMerged, ClipID: "c", Data: footy.Evidence{Into: "00000000000000aa", Better: footy.MeritSharper}}
	replaced := merged
	replaced.Kind = footy.EntryReplaced
	require.Equal(t, "accepted|accepted|Verified", told())
	require.Equal(t, "clip|clip 1|Verified", told(made))
	require.Equal(t, "copy|same as clip 2|The same footage as clip 2, which is sharper", told(merged))
	require.Equal(t, "copy|same as clip 2|The same footage as clip 2, which is sharper", told(made, replaced))
	require.Equal(t, "clip|clip 1|Verified", told(made, replaced, made), "its winner was taken down: it stands for itself again")
	accepted.ClipID = "gone"
	require.Equal(t, "clip|taken away|Verified. The clip is out of sight now", told(footy.Entry{Kind: footy.EntryClip, ClipID: "gone"}))
}

// A copy was merged: to call it refused reads as if something were wrong with it.
func TestACopyIsNotRefused(t *testing.T) {
	t.Parallel()
	same := post("1", 0, footy.EntryRejected, footy.ReasonDuplicate)
	same.ClipID = "c"
	s := tell(log(query(1, "results"), same))
	require.Equal(t, "same as clip 1", s.Chapters[0].Posts[0].Label)
	require.Equal(t, "Merged", s.Chapters[0].Posts[0].Lines[0].Word)
	require.Equal(t, "found 1 post: 1 same as a clip", s.Chapters[0].Summary)
}

func TestAClipIsNotTheSameFootageAsItself(t *testing.T) {
	t.Parallel()
	for same, want := range map[string]bool{"c": false, "00000000000000aa": true} {
		v := post("1", 0, footy.EntryVerdict, "")
		v.ClipID, v.Data.Outcome, v.Data.SameAs = "c", "verified", same
		facts := tell(log(query(1, "results"), v)).Chapters[0].Posts[0].Lines[0].Facts
		require.Equal(t, want, slices.ContainsFunc(facts, func(f story.Fact) bool { return f.Name == "same footage as" }), facts)
	}
}

func TestClipsHaveNamesNotHashes(t *testing.T) {
	t.Parallel()
	row := footy.Entry{Kind: footy.EntryMerged, Data: footy.Evidence{Into: "00000000000000aa", Better: footy.MeritLonger, Match: &footy.Comparison{Same: true, MatchedFrames: 29, Seconds: 7.2, Speed: 1}}}
	require.Equal(t, "Same footage for 7.2 s, offset +0.00 s; clip 2 is longer", tell(log(row)).Log[0].Text)
	row.Data.Into = "00000000000000bb"
	require.Equal(t, "Same footage for 7.2 s, offset +0.00 s; a clip is longer", tell(log(row)).Log[0].Text)
}

func TestTheWayOfAGoalInOneLook(t *testing.T) {
	t.Parallel()
	vote := footy.Entry{Kind: footy.EntrySighting, Data: footy.Evidence{Votes: 2, Of: 3}}
	sure, done, off := footy.Entry{Kind: footy.EntryCertain}, footy.Entry{Kind: footy.EntryCompleted}, footy.Entry{Kind: footy.EntryRemoved}
	way := func(rows ...footy.Entry) string {
		out := ""
		for _, s := range tell(log(rows...)).Steps {
			out += s.Name + " " + s.Value + " " + s.State + "; "
		}
		return out
	}
	require.Equal(t, "Reported  done; Certain 2 of 3 votes now; Searches  todo; Posts  todo; Show it  todo; ", way(footy.Entry{Kind: footy.EntryNew}, vote))
	require.Equal(t, "Reported  done; Certain yes done; Searches 1, 1 failed now; Posts 1 now; Show it 0 todo; ", way(sure, query(1, "results"), query(2, "timeout"), post("1", 1, footy.EntryCandidate, "")))
	require.Equal(t, "Reported  done; Certain yes done; Searches 1 done; Posts 0 bad; Show it 0 bad; ", way(sure, query(1, "empty"), done))
	require.Equal(t, "Reported  done; Certain yes done; Stands no bad; ", way(sure, off))
}

// What a program said stays inside: it names addresses. What a rule said is told.
func TestOnlyOurOwnDetailsAreTold(t *testing.T) {
	t.Parallel()
	sentence := func(why footy.Reason, detail string) string {
		row := post("1", 0, footy.EntryRejected, why)
		row.Text, row.Data = "", footy.Evidence{Detail: detail}
		return tell(log(row)).Chapters[0].Posts[0].Sentence
	}
	require.Equal(t, "This address is refused the video", sentence(footy.ReasonGeoBlocked, "Get http://127.0.0.1:1/secret-looking: dial http://x"))
	require.Equal(t, "Too short to show it (2.1 s, shortest allowed 3 s)", sentence(footy.ReasonTooShort, "2.1 s, shortest allowed 3 s"))
}

func TestEvidenceIsReadable(t *testing.T) {
	t.Parallel()
	row := post("1", 0, footy.EntryVerdict, "")
	row.Data = footy.Evidence{Outcome: "verified", Expected: 67, Readings: []footy.Reading{{At: 1.5, Soccer: true, Clock: "67:12"}, {At: 3, Soccer: true, Screen: true}, {At: 5}},
		Model: "", Minute: (*int)(nil), Sibling: "", Match: &footy.Comparison{Reason: "same footage"}, Into: "c"}
	l := tell(log(row)).Chapters[0].Posts[0].Lines[0]
	require.Equal(t, []story.Fact{{Name: "comparison", Value: "same footage"},
		{Name: "frames", Value: "1.5 s: 67:12 · 3.0 s: no clock, filmed from a screen · 5.0 s: no football"},
		{Name: "minute expected on the clock", Value: "67"}, {Name: "stands for it now", Value: "clip 1"}}, l.Facts)
}
