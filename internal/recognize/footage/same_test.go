package footage_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/recognize/footage"
)

// TestTheSameOverlay: what was read in one video is taken for what a copy of it shows.
func TestTheSameOverlay(t *testing.T) {
	t.Parallel()
	goal := film{drawn: scoreBox(67)}
	judged := footage.Of(goal.frames(10, 22, asItIs))
	require.True(t, judged.Known)
	require.False(t, judged.None())
	for name, c := range map[string]struct {
		from, to int
		change   func(*image.Gray) image.Image
		mirrored bool
	}{
		"the same":                   {10, 22, asItIs, false},
		"a part of it":               {11, 19, asItIs, false},
		"re-encoded":                 {10, 22, smaller(1280, 720, 20), false},
		"in 480 lines":               {10, 22, smaller(854, 480, 50), false},
		"in 360 lines":               {11, 22, smaller(640, 360, 50), false},
		"in 240 lines":               {10, 21, smaller(426, 240, 60), false},
		"mirrored":                   {10, 22, mirrored, true},
		"cropped":                    {10, 22, cut(0.03, 0.03, 0.03, 0.03), false},
		"zoomed in":                  {10, 22, cut(0.05, 0.05, 0.15, 0.15), false},
		"cropped at one side":        {10, 22, cut(0, 0, 0.1, 0), false},
		"stretched to another shape": {10, 22, smaller(1024, 720, 60), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			copied := footage.Of(goal.frames(c.from, c.to, c.change))
			require.True(t, copied.Same(judged, c.mirrored))
		})
	}
}

// TestAnotherOverlay: the model is asked.
func TestAnotherOverlay(t *testing.T) {
	t.Parallel()
	none := film{}
	box67 := film{drawn: scoreBox(67)}
	frames := box67.frames(10, 22, asItIs)
	plain, bare := footage.Of(frames), footage.Of(none.frames(10, 22, asItIs))
	of := func(f film, change func(*image.Gray) image.Image) footage.Overlay {
		return footage.Of(f.frames(10, 22, change))
	}
	marked := film{drawn: func(p *image.Gray, second int) {
		scoreBox(67)(p, second)
		box(p, 980, 40, 180, 60, 20)
		text(p, 1000, 48, 20, "SPORT 1", 250)
	}}
	for name, c := range map[string]struct{ judged, asked footage.Overlay }{
		"another minute in the same box":      {plain, of(film{drawn: scoreBox(61)}, asItIs)},
		"another ten minutes, in 360 lines":   {plain, of(film{drawn: scoreBox(37)}, smaller(640, 360, 50))},
		"another minute, the other way round": {of(film{drawn: scoreBox(61)}, asItIs), plain},
		"a clock drawn over the clock": {plain, of(box67, with(func(p *image.Gray) {
			box(p, 300, 50, 110, 40, 220)
			text(p, 306, 52, 18, "12:34", 20)
		}))},
		"a second clock elsewhere": {plain, of(box67, with(func(p *image.Gray) {
			text(p, 900, 600, 20, "12:34", 250)
		}))},
		"the clock painted over": {plain, of(box67, with(func(p *image.Gray) {
			box(p, 300, 50, 110, 40, 30)
		}))},
		"a clock where the judged one had none":    {bare, plain},
		"no clock where the judged one had one":    {plain, bare},
		"a clock that the judged one had cut away": {of(marked, cut(0.35, 0, 0, 0.35)), of(marked, asItIs)},
		"a picture that does not move":             {of(film{still: true, drawn: scoreBox(67)}, asItIs), plain},
		"two frames":                               {plain, footage.Of(frames[:2])},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.False(t, c.asked.Same(c.judged, false))
		})
	}
}

func TestNoOverlayAtAll(t *testing.T) {
	t.Parallel()
	none := film{}
	judged, asked := footage.Of(none.frames(10, 22, asItIs)), footage.Of(none.frames(11, 20, smaller(854, 480, 50)))
	require.True(t, judged.None())
	require.True(t, asked.Same(judged, false))
}
