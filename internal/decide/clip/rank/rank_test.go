package rank_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/decide/clip/rank"
	"github.com/found-footy/found-footy/internal/footy"
)

func ids(e footy.Event) (out []string) {
	for _, c := range e.Clips {
		out = append(out, c.ID)
	}
	return out
}

func TestRankOrder(t *testing.T) {
	t.Parallel()
	e := footy.Event{Clips: []footy.Clip{
		{ID: "hidden", Digest: "a", Verified: true, Popularity: 99, Hidden: true},
		{ID: "replaced", Digest: "b", Verified: true, Popularity: 98, ReplacedBy: "popular"},
		{ID: "unverified", Digest: "c", Popularity: 50, Size: 9},
		{ID: "small", Digest: "d", Verified: true, Popularity: 2, Size: 5},
		{ID: "large", Digest: "e", Verified: true, Popularity: 2, Size: 6},
		{ID: "popular", Digest: "f", Verified: true, Popularity: 3, Size: 1},
		{ID: "unplayed", Digest: "i", Verified: true, Popularity: 70, Unplayed: true},
		{ID: "pinned", Digest: "g", Popularity: 1, Pinned: true},
		{ID: "tie", Digest: "h", Verified: true, Popularity: 2, Size: 5},
	}}
	rank.Apply(&e)
	require.Equal(t, []string{"pinned", "popular", "large", "small", "tie", "unplayed", "unverified"}, ids(e)[:7])
	for i, c := range e.Clips {
		if c.Visible() {
			require.Equal(t, i+1, c.Rank, c.ID)
		} else {
			require.Zero(t, c.Rank, c.ID)
		}
	}
}

func TestRankDoesNotDependOnArrival(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		clips := rapid.SliceOfNDistinct(rapid.Custom(func(rt *rapid.T) footy.Clip {
			d := rapid.StringMatching(`[0-9a-f]{8}`).Draw(rt, "digest")
			return footy.Clip{ID: d, Digest: d, Verified: rapid.Bool().Draw(rt, "v"), Pinned: rapid.Bool().Draw(rt, "p"),
				Popularity: rapid.IntRange(0, 3).Draw(rt, "pop"), Size: int64(rapid.IntRange(0, 3).Draw(rt, "size")),
				Hidden: rapid.Bool().Draw(rt, "h")}
		}), 0, 8, func(c footy.Clip) string { return c.Digest }).Draw(rt, "clips")
		a := footy.Event{Clips: append([]footy.Clip(nil), clips...)}
		b := footy.Event{Clips: rapid.Permutation(clips).Draw(rt, "order")}
		rank.Apply(&a)
		rank.Apply(&b)
		if len(a.Clips) > 0 {
			require.Equal(rt, a.Clips, b.Clips)
		}
	})
}

func TestEachCriterionComesBeforeTheNext(t *testing.T) {
	t.Parallel()
	a := footy.Clip{ID: "a", Digest: "a", Verified: true, Popularity: 2, Size: 5}
	for name, c := range map[string]struct {
		change func(*footy.Clip)
		first  string
	}{
		"visible":    {func(b *footy.Clip) { b.Hidden, b.Pinned = true, true }, "a"},
		"pinned":     {func(b *footy.Clip) { b.Pinned, b.Verified = true, false }, "b"},
		"verified":   {func(b *footy.Clip) { b.Verified, b.Popularity = false, 9 }, "a"},
		"popularity": {func(b *footy.Clip) { b.Popularity, b.Size = 3, 1 }, "b"},
		"size":       {func(b *footy.Clip) { b.Size, b.Digest = 6, "0" }, "b"},
		"digest":     {func(b *footy.Clip) { b.Digest = "b" }, "a"},
		"id":         {func(*footy.Clip) {}, "a"},
	} {
		b := a
		b.ID = "b"
		c.change(&b)
		require.Equal(t, c.first == "a", rank.Compare(a, b) < 0, name)
		require.Equal(t, rank.Compare(a, b), -rank.Compare(b, a), name)
	}
	require.Zero(t, rank.Compare(a, a))
}
