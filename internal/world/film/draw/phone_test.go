package draw_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/recognize/clockface"
	"github.com/found-footy/found-footy/internal/world/film/clip"
	"github.com/found-footy/found-footy/internal/world/film/draw"
	"github.com/found-footy/found-footy/internal/world/script"
)

// TestAPhoneBeforeAScreenTrembles: the same clock is read from the broadcast, and not where a hand holds a phone before it.
func TestAPhoneBeforeAScreenTrembles(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	dir := t.TempDir()
	s := script.Default()
	var clips []clip.Clip
	f, ok := s.Fixture(1300101)
	require.True(t, ok)
	e := f.Events[0]
	e.Seconds = 6
	for _, kind := range []string{script.Master, script.PhoneFilm} {
		clips = append(clips, clip.Of(s, f, e, script.Post{Kind: kind}))
	}
	require.NoError(t, draw.All(t.Context(), dir, clips, nil))
	tool := media.New(media.Options{})
	for _, c := range clips {
		path := filepath.Join(dir, c.Name())
		probe, err := tool.Probe(t.Context(), path)
		require.NoError(t, err)
		d, err := tool.Decode(t.Context(), path, probe, media.Wants{SamplesOnly: true, Clock: true})
		require.NoError(t, err)
		if c.Scenes[0].Content == script.PhoneFilm {
			require.Empty(t, d.Clock.Readings, c.Name())
			require.Contains(t, []clockface.Reason{clockface.NoBeat, clockface.Moves}, d.Clock.Abstained, c.Name())
		} else {
			require.GreaterOrEqual(t, len(d.Clock.Readings), 4, "%s: %s", c.Name(), d.Clock.Abstained)
		}
	}
}
