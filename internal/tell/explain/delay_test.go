package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

func TestWhereTheTimeWentInWords(t *testing.T) {
	t.Parallel()
	usual := delay.Way{delay.Told: 34, delay.Certain: 31, delay.Posted: 0, delay.Search: 8, delay.Fetch: 12, delay.Decode: 9, delay.Model: 4, delay.Waiting: 14, delay.Publish: 0}
	require.Equal(t, "Clip after 1 min 52 s: about 34 s until the feed told it, 31 s until it was certain, 8 s search, 12 s fetch, 9 s decode and clock, 4 s model, 14 s waiting",
		explain.Row(footy.Entry{Kind: footy.EntryFirstClip, Data: footy.Evidence{Stages: usual}}, nil))
	require.Equal(t, "Clip 4 s after it was first seen: 1 s until it was certain, 1 s search, 1 s fetch, 1 s model", explain.FirstClip(delay.Way{delay.Certain: 0.7, delay.Search: 0.7, delay.Fetch: 0.7,
		delay.Decode: 0.4, delay.Model: 1, delay.Publish: 0.3}), "what is said adds up, and nothing small stands for something large")
	require.Equal(t, "Clip after 0 s", explain.FirstClip(delay.Way{delay.Told: 0.2, delay.Certain: 0.2}))
}

func TestTheFiguresOfFirstClipsInWords(t *testing.T) {
	t.Parallel()
	figures := delay.Figures([]delay.Way{{delay.Told: 60, delay.Certain: 30, delay.Search: 8}, {delay.Certain: 40, delay.Search: 10}}, 1)
	require.Equal(t, "First clip of 2 goals, median / 90th percentile: from first seen to the clip 44 / 50 s, of this, our own part 9 / 10 s, "+
		"until it was certain 35 / 40 s, search 9 / 10 s, before it was first seen: until the feed told it 60 / 60 s (1 known)", explain.FirstClips(figures))
	require.Empty(t, explain.FirstClips(nil))
}
