package story_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/web/story"
)

var start = time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)

// log numbers rows and spaces them a second apart.
func log(rows ...footy.Entry) []footy.Entry {
	for i := range rows {
		rows[i].Key, rows[i].At = fmt.Sprint(i), start.Add(time.Duration(i)*time.Second)
	}
	return rows
}

func query(n int, state string) footy.Entry {
	return footy.Entry{Kind: footy.EntryQuery, Attempt: n, Text: "Search", Data: map[string]any{"query": "salah", "state": state, "round": 1.0}}
}

func post(id string, attempt int, kind footy.EntryKind, why footy.Reason) footy.Entry {
	return footy.Entry{Kind: kind, PostID: id, Attempt: attempt, Reason: why, Text: string(kind), Data: map[string]any{"author": "a" + id}}
}

func TestEachPostStandsUnderTheSearchThatTookIt(t *testing.T) {
	t.Parallel()
	s := story.Tell(log(footy.Entry{Kind: footy.EntryNew}, query(1, "results"), post("1", 1, footy.EntryCandidate, ""), post("2", 1, footy.EntryCandidate, footy.ReasonNotChosen),
		query(2, "results"), post("2", 2, footy.EntryCandidate, ""),
		post("1", 0, footy.EntryRejected, footy.ReasonScreen), // its verdict comes while the next search runs
		post("2", 0, footy.EntryRejected, footy.ReasonTooShort), footy.Entry{Kind: footy.EntryCompleted}))
	require.Len(t, s.Chapters, 4)
	first, second := s.Chapters[1], s.Chapters[2]
	require.Equal(t, "Search 1", first.Title)
	require.Len(t, first.Posts, 1)
	require.Equal(t, "rejected", first.Posts[0].Fate)
	require.Equal(t, footy.ReasonScreen, first.Posts[0].Reason)
	require.Len(t, second.Posts, 1)
	require.Equal(t, "2", second.Posts[0].ID)
	require.Len(t, second.Posts[0].Lines, 3, "passed over, taken, refused")
	require.Equal(t, "a2", second.Posts[0].Author)
	require.Equal(t, "Search: 1 rejected", second.Summary)
}

func TestEveryRowIsShownOnce(t *testing.T) {
	t.Parallel()
	rows := log(footy.Entry{Kind: footy.EntryNew}, footy.Entry{Kind: footy.EntrySighting}, footy.Entry{Kind: "a_kind_of_tomorrow", Text: "?"}, query(1, "empty"),
		post("1", 1, footy.EntryCandidate, ""), footy.Entry{Kind: footy.EntrySettled}, footy.Entry{Kind: footy.EntryClip, ClipID: "c"}, footy.Entry{Kind: footy.EntryOperator})
	shown := 0
	for _, c := range story.Tell(rows).Chapters {
		if c.Kind == "search" {
			shown++
		}
		shown += len(c.Lines)
		for _, p := range c.Posts {
			shown += len(p.Lines)
		}
	}
	require.Equal(t, len(rows), shown)
}

func TestOrderOfRowsDoesNotMatter(t *testing.T) {
	t.Parallel()
	rows := log(footy.Entry{Kind: footy.EntryNew}, query(1, "results"), post("1", 1, footy.EntryCandidate, ""), post("1", 0, footy.EntryRejected, footy.ReasonScreen))
	back := []footy.Entry{rows[3], rows[1], rows[2], rows[0]}
	require.Equal(t, story.Tell(rows), story.Tell(back))
}

func TestTheSameTroubleAgainIsOneLine(t *testing.T) {
	t.Parallel()
	failed := footy.Entry{Kind: footy.EntryPollFailed, Text: "The feed gave no answer"}
	s := story.Tell(log(footy.Entry{Kind: footy.EntryNew}, failed, failed, failed))
	require.Len(t, s.Chapters[0].Lines, 2)
	require.Equal(t, 3, s.Chapters[0].Lines[1].Times)
}

func TestASearchThatCouldNotLookLooksDifferent(t *testing.T) {
	t.Parallel()
	s := story.Tell(log(query(1, "empty"), query(2, "login_required")))
	require.Equal(t, story.Plain, s.Chapters[0].Tone)
	require.Equal(t, story.Warn, s.Chapters[1].Tone)
}

func TestWhatAPostBecame(t *testing.T) {
	t.Parallel()
	accepted := post("1", 0, footy.EntryVerdict, "")
	accepted.ClipID, accepted.Data = "c", map[string]any{"outcome": "verified"}
	fate := func(rows ...footy.Entry) string {
		return story.Tell(log(append([]footy.Entry{query(1, "results"), accepted}, rows...)...)).Chapters[0].Posts[0].Fate
	}
	require.Equal(t, "verified", fate())
	require.Equal(t, "clip", fate(footy.Entry{Kind: footy.EntryClip, ClipID: "c"}))
	require.Equal(t, "copy", fate(footy.Entry{Kind: footy.EntryMerged, ClipID: "c"}))
	require.Equal(t, "replaced", fate(footy.Entry{Kind: footy.EntryClip, ClipID: "c"}, footy.Entry{Kind: footy.EntryReplaced, ClipID: "c"}))
}

func TestTheEndOfAnErrorIsEnough(t *testing.T) {
	t.Parallel()
	lost := post("1", 0, footy.EntryRejected, footy.ReasonGeoBlocked)
	lost.Text, lost.Data = "Blocked", map[string]any{"detail": "download file: geo_blocked: HTTP 403 on every try"}
	require.Equal(t, "Blocked: HTTP 403 on every try", story.Tell(log(lost)).Chapters[0].Posts[0].Sentence)
	lost.Data["detail"] = "Get http://127.0.0.1:1/secret-looking: dial http://x"
	require.Equal(t, "Blocked", story.Tell(log(lost)).Chapters[0].Posts[0].Sentence)
}

func TestEvidenceIsReadable(t *testing.T) {
	t.Parallel()
	row := post("1", 0, footy.EntryVerdict, "")
	row.Data = map[string]any{"outcome": "verified", "expected": 67, "readings": []footy.Reading{{At: 1.5, Soccer: true, Clock: "67:12"}}, "model": "", "minute": (*int)(nil)}
	s := story.Tell(log(row))
	require.Equal(t, "verified", s.Chapters[0].Posts[0].Fate)
	require.Equal(t, []story.Fact{{Name: "expected", Value: "67"}, {Name: "readings", Value: "at 1.50, clock 67:12, soccer true"}}, s.Chapters[0].Posts[0].Lines[0].Facts)
}
