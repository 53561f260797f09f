package story_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/explain/story"
	"github.com/found-footy/found-footy/internal/footy"
)

const refusedByModel = `read frames: unavailable: ask model: unavailable: Post "http://127.0.0.1:1/v1/chat/completions": dial tcp 127.0.0.1:1: connect: connection refused`

func TestAModelThatIsOffIsSaidInWords(t *testing.T) {
	t.Parallel()
	row := post("1", 0, footy.EntryVerdict, footy.ReasonUnvalidated)
	row.Text, row.Data = "Not looked at yet: "+refusedByModel, map[string]any{"outcome": "unvalidated", "detail": refusedByModel}
	rows := log(query(1, "results"), row)
	s := tell(rows)
	p := s.Chapters[0].Posts[0]
	require.Equal(t, story.Waiting, p.Outcome)
	require.Equal(t, "Not looked at yet: the model does not answer (see Health)", p.Sentence)
	require.Equal(t, []story.Fact{{Name: "detail", Value: "unavailable"}}, p.Lines[0].Facts)
	require.NotContains(t, fmt.Sprintf("%+v %+v", s, story.Public(rows)), "127.0.0.1")
	require.Contains(t, rows[1].Text, "127.0.0.1", "the log itself keeps everything")
	row.Data = map[string]any{"outcome": "unvalidated", "detail": "no model is set up (LLAMA_URL)"}
	require.Equal(t, "Not looked at yet: no model is set up (see Health)", tell(log(row)).Chapters[0].Posts[0].Sentence)
}

func TestErrorsOfProgramsStayInside(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"download file: geo_blocked: HTTP 403 on every try":                    "HTTP 403 on every try",
		"fetch: rate_limited: Get \"http://10.0.0.7:9/x\": dial tcp: no route": "rate_limited",
		"dial tcp 10.0.0.7:443: connect: connection refused":                   "unavailable",
		"clock 67:42, API 68'": "clock 67:42, API 68'",
		"probe: invalid: open /tmp/clip-1.mp4: permission denied":               "invalid",
		"same footage for 7.2 s, offset +0.00 s":                                "same footage for 7.2 s, offset +0.00 s",
		"check gate: rejected (too_short): 2.1 s long, at least 3 s are needed": "2.1 s long, at least 3 s are needed",
	} {
		got := story.Public([]footy.Entry{{Kind: footy.EntryRejected, Data: map[string]any{"detail": raw}}})
		require.Equal(t, want, got[0].Data["detail"], raw)
	}
	said := story.Public([]footy.Entry{{Kind: footy.EntryPollFailed, Text: "The feed gave no answer: read fixtures: unavailable: EOF"}, {Kind: footy.EntryQuery, Text: "Search 1 found 2 posts"},
		{Kind: footy.EntryOperator, Text: "An operator took a clip down: see https://example.com/claim"}})
	require.Equal(t, "The feed gave no answer", said[0].Text)
	require.Equal(t, "Search 1 found 2 posts", said[1].Text)
	require.Contains(t, said[2].Text, "https://example.com/claim", "his own words stay")
}

func TestHiddenAndTakenDownAreToldApart(t *testing.T) {
	t.Parallel()
	accepted := post("1", 0, footy.EntryVerdict, "")
	accepted.ClipID, accepted.Data = "gone", map[string]any{"outcome": "verified"}
	told := func(act, reason string) string {
		s := tell(log(query(1, "results"), accepted, footy.Entry{Kind: footy.EntryClip, ClipID: "gone"},
			footy.Entry{Kind: footy.EntryOperator, ClipID: "gone", Data: map[string]any{"act": act, "reason": reason}}))
		return s.Chapters[0].Posts[0].Label + "|" + s.Answer.Sentence
	}
	require.Equal(t, "hidden|An operator hid it.", told("hide", ""))
	require.Equal(t, "taken down|An operator took it down: a claim.", told("take down", "a claim"))
}
