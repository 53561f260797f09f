package blobtest

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

func copied(t *testing.T, s blob.Store, traits Traits) {
	body := string(noise(300_000))
	put(t, s, "staging/a/clip.mp4", body)
	words := blob.Info{ContentType: "video/mp4", Metadata: map[string]string{"player": "Müller", "post": "17"}}
	for range 2 { // a repeated step copies again
		require.NoError(t, s.Copy(t.Context(), "staging/a/clip.mp4", "clips/e/a.mp4", words))
	}
	got, attrs := read(t, s, "clips/e/a.mp4")
	require.Equal(t, body, got)
	kept := traits.kept("clips/e/a.mp4", words)
	require.Equal(t, kept, attrs.Info)
	_, attrs = read(t, s, "staging/a/clip.mp4")
	require.Equal(t, traits.kept("staging/a/clip.mp4", blob.Info{ContentType: "text/plain"}).ContentType, attrs.Info.ContentType, "the original keeps its own")

	put(t, s, "clips/e/a.mp4", "replaced")
	got, _ = read(t, s, "staging/a/clip.mp4")
	require.Equal(t, body, got, "they share nothing that changes")
	require.NoError(t, s.Copy(t.Context(), "staging/a/clip.mp4", "clips/e/a.mp4", words), "over another object")
	require.NoError(t, s.Delete(t.Context(), "staging/a/clip.mp4"))
	got, attrs = read(t, s, "clips/e/a.mp4")
	require.Equal(t, body, got, "it outlives its original")
	require.Equal(t, kept, attrs.Info)
	require.Equal(t, []string{"clips/e/a.mp4"}, keys(t, s, ""))

	for _, missing := range []string{"staging/a/clip.mp4", "clips/e", "clips/e/a.mp4/b"} {
		require.Equal(t, footy.CodeNotFound, footy.CodeOf(s.Copy(t.Context(), missing, "clips/e/b.mp4", words)), missing)
	}
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(s.Copy(t.Context(), "clips/e/a.mp4", "../b", words)))
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(s.Copy(t.Context(), "../a", "clips/e/b.mp4", words)))
	require.Equal(t, []string{"clips/e/a.mp4"}, keys(t, s, ""))
}

func tidied(t *testing.T, s blob.Store) {
	require.NoError(t, s.Put(t.Context(), "clips/e/a.mp4", bytes.NewReader(noise(20<<20)), -1, blob.Info{}))
	require.NoError(t, s.Tidy(t.Context(), time.Now().Add(time.Hour)))
	body, _ := read(t, s, "clips/e/a.mp4")
	require.Len(t, body, 20<<20)
}
