package story_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain/story"
)

const programFailed = `fetch: unavailable: Get "http://127.0.0.1:1/clip.mp4": dial tcp 127.0.0.1:1: connect: connection refused`

// The words of a program that failed name addresses: operators read them in the ledger, strangers never.
func TestWhatAProgramSaidIsNotTold(t *testing.T) {
	t.Parallel()
	p := found("1", 1, footy.PostWaiting)
	p.Reason, p.Detail, p.WaitingSince = footy.ReasonFetchFailed, programFailed, start
	row := post("1", 0, footy.EntryWaiting, footy.ReasonFetchFailed)
	row.Data.Detail = programFailed
	s := tell(goal(), posts(p), log(query(1, "results"), row))
	card := s.Chapters[0].Posts[0]
	require.Equal(t, story.Waiting, card.Outcome)
	require.Equal(t, "Could not be fetched yet", card.Sentence)
	require.Empty(t, card.Lines[0].Facts)
	require.NotContains(t, fmt.Sprintf("%+v", s), "127.0.0.1")
}

func TestHiddenAndTakenDownAreToldApart(t *testing.T) {
	t.Parallel()
	p := found("1", 1, footy.PostPublished)
	p.ClipID, p.Verdict = "gone", &footy.Verdict{Outcome: footy.OutcomeVerified}
	e := goal()
	e.DownloadComplete, e.Clips = true, []footy.Clip{{ID: "gone", Hidden: true, Posts: []string{"1"}}}
	told := func(act, reason string) string {
		s := tell(e, posts(p), log(query(1, "results"), footy.Entry{Kind: footy.EntryClip, ClipID: "gone"},
			footy.Entry{Kind: footy.EntryOperator, ClipID: "gone", Data: footy.Evidence{Act: act, Reason: reason}}))
		return s.Chapters[0].Posts[0].Label + "|" + s.Answer.Sentence
	}
	require.Equal(t, "hidden|An operator hid it.", told("hide", ""))
	require.Equal(t, "taken down|An operator took it down: a claim.", told("take down", "a claim"))
}
