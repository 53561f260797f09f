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
	row.Text, row.Data = "Not looked at yet: "+refusedByModel, footy.Evidence{Outcome: "unvalidated", Detail: refusedByModel}
	rows := log(query(1, "results"), row)
	s := tell(rows)
	p := s.Chapters[0].Posts[0]
	require.Equal(t, story.Waiting, p.Outcome)
	require.Equal(t, "Not looked at yet: the model does not answer (see Health)", p.Sentence)
	require.Empty(t, p.Lines[0].Facts)
	require.NotContains(t, fmt.Sprintf("%+v", s), "127.0.0.1")
	require.Contains(t, rows[1].Text, "127.0.0.1", "the log itself keeps everything")
}

func TestHiddenAndTakenDownAreToldApart(t *testing.T) {
	t.Parallel()
	accepted := post("1", 0, footy.EntryVerdict, "")
	accepted.ClipID, accepted.Data = "gone", footy.Evidence{Outcome: "verified"}
	told := func(act, reason string) string {
		s := tell(log(query(1, "results"), accepted, footy.Entry{Kind: footy.EntryClip, ClipID: "gone"},
			footy.Entry{Kind: footy.EntryOperator, ClipID: "gone", Data: footy.Evidence{Act: act, Reason: reason}}))
		return s.Chapters[0].Posts[0].Label + "|" + s.Answer.Sentence
	}
	require.Equal(t, "hidden|An operator hid it.", told("hide", ""))
	require.Equal(t, "taken down|An operator took it down: a claim.", told("take down", "a claim"))
}
