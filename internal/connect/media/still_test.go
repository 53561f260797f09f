package media_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
)

// noise is the picture that compresses worst.
func noise(t *testing.T, width, height int) []byte {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.Set(x, y, color.RGBA{uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), 255})
		}
	}
	var out bytes.Buffer
	require.NoError(t, jpeg.Encode(&out, img, &jpeg.Options{Quality: 95}))
	return out.Bytes()
}

func TestAStillIsSmallWhateverItShows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ width, height, wantMax int }{{1280, 720, 320}, {360, 640, 320}, {100, 60, 100}, {1000, 2, 320}} {
		small, err := media.Still(noise(t, c.width, c.height))
		require.NoError(t, err)
		require.LessOrEqual(t, len(small), 20<<10)
		got, err := jpeg.DecodeConfig(bytes.NewReader(small))
		require.NoError(t, err)
		require.LessOrEqual(t, max(got.Width, got.Height), c.wantMax)
		require.Equal(t, c.width > c.height, got.Width > got.Height, "it keeps its shape")
	}
	_, err := media.Still([]byte("no picture"))
	require.Equal(t, footy.CodeRejected, footy.CodeOf(err))
}

func TestAGlimpseOfAFileThatIsNotDecoded(t *testing.T) {
	t.Parallel()
	path := moving(t, 3, "360x640")
	tool := setup()
	probe, err := tool.Probe(t.Context(), path)
	require.NoError(t, err)
	small, err := tool.Glimpse(t.Context(), path, probe)
	require.NoError(t, err)
	got, err := jpeg.DecodeConfig(bytes.NewReader(small))
	require.NoError(t, err)
	require.Equal(t, 320, got.Height)
	require.LessOrEqual(t, len(small), 20<<10)
}
