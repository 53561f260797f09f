package blobtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/keep/blob"
)

func listMany(t *testing.T, s blob.Store) {
	const n = 1100
	var want []string
	g, ctx := errgroup.WithContext(t.Context())
	g.SetLimit(8)
	for i := range n {
		key := fmt.Sprintf("staging/%d/%d.mp4", i%7, i)
		want = append(want, key)
		g.Go(func() error { return s.Put(ctx, key, strings.NewReader("x"), 1, blob.Info{}) })
	}
	require.NoError(t, g.Wait())
	slices.Sort(want)
	require.Equal(t, want, keys(t, s, ""))
}

func listStop(t *testing.T, s blob.Store) {
	for i := range 5 {
		put(t, s, fmt.Sprintf("a/%d", i), "x")
	}
	enough := errors.New("enough")
	var got []string
	err := s.List(t.Context(), "", func(a blob.Attributes) error {
		got = append(got, a.Key)
		if len(got) == 2 {
			return enough
		}
		return nil
	})
	require.ErrorIs(t, err, enough)
	require.Equal(t, []string{"a/0", "a/1"}, got)
}

func listPrefix(t *testing.T, s blob.Store) {
	// "a-b" and "a.b" sort before "a/b": byte order of whole keys, not of directories.
	all := []string{"clips/a-b/1", "clips/a.b", "clips/a/1", "clips/a/2", "clips/ab", "posters/a"}
	for _, key := range all {
		put(t, s, key, "12345")
	}
	require.Equal(t, all, keys(t, s, ""))
	require.Equal(t, all[:5], keys(t, s, "clips/"))
	require.Equal(t, all[2:4], keys(t, s, "clips/a/"))
	require.Equal(t, all[:5], keys(t, s, "clips/a"), "a prefix may end within a name")
	require.Equal(t, []string{"clips/ab"}, keys(t, s, "clips/ab"))
	require.Empty(t, keys(t, s, "clips/b"))
	require.NoError(t, s.List(t.Context(), "posters/", func(a blob.Attributes) error {
		require.EqualValues(t, 5, a.Size)
		require.False(t, a.ModTime.IsZero(), "sweeps go by age")
		return nil
	}))
}
