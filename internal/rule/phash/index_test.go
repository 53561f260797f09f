package phash_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/phash"
)

func TestTheIndexFindsCopiesAndNothingElse(t *testing.T) {
	t.Parallel()
	x := phash.NewIndex()
	require.Empty(t, x.Find(build(film(newScene(1), 0, 5, 1, keep)), 10), "an empty index")
	for i := range 12 {
		x.Add(fmt.Sprintf("scene%d", i), build(film(newScene(uint64(i)), 0, 8, 1, keep)))
		if i == 8 {
			x.Freeze() // some frozen, some recent
		}
	}
	require.Equal(t, 12, x.Len())
	for _, scene := range []uint64{3, 10} {
		for name, e := range map[string]edit{"as it is": keep, "cropped": zoom(0.92, 0.04, 0.04), "mirrored": func(x, y float64) (float64, float64, float64) { return 1 - x, y, -1 }} {
			hits := x.Find(build(film(newScene(scene), 1.1, 7.5, 1, e)), 10)
			require.Len(t, hits, 1, name)
			require.Equal(t, fmt.Sprintf("scene%d", scene), hits[0].ID, name)
			require.Equal(t, name == "mirrored", hits[0].Match.Mirrored)
		}
	}
	require.Empty(t, x.Find(build(film(newScene(1000), 0, 8, 1, keep)), 10))
	x.Freeze()
	require.Len(t, x.Find(build(film(newScene(10), 0, 8, 1, keep)), 10), 1, "frozen again")
}

func TestTheIndexKeepsOtherVersionsOut(t *testing.T) {
	t.Parallel()
	x := phash.NewIndex()
	fp := build(film(newScene(1), 0, 8, 1, keep))
	old := fp
	old.Version = "ff0"
	x.Add("old", old)
	x.Add("nothing", footy.Fingerprint{Version: footy.FingerprintVersion})
	require.Zero(t, x.Len())
	x.Add("new", fp)
	require.Empty(t, x.Find(old, 10))
	require.Len(t, x.Find(fp, 10), 1)
}

func TestTheIndexReturnsTheBestFirstAndNoMoreThanAsked(t *testing.T) {
	t.Parallel()
	x := phash.NewIndex()
	for i := range 6 {
		x.Add(fmt.Sprintf("part%d", i), build(film(newScene(1), 0, float64(6+i), 1, keep)))
	}
	hits := x.Find(build(film(newScene(1), 0, 12, 1, keep)), 3)
	require.Len(t, hits, 3)
	require.Equal(t, "part5", hits[0].ID)
	require.GreaterOrEqual(t, hits[0].Match.Score, hits[1].Match.Score)
}
