package web_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/media"
	"github.com/stretchr/testify/require"
)

// TestPlayersAreSentToTheStore: the page names the address, says that clips may come from there, and asks first whether the clip stands.
func TestPlayersAreSentToTheStore(t *testing.T) {
	t.Parallel()
	s, clip, _ := oneClip(t, func(o *web.Options) {
		o.Elsewhere = &media.Elsewhere{Origin: "https://clips.example.org", Address: func(_ context.Context, key, as string) (string, error) {
			if as != "" {
				return "", nil
			}
			return "https://clips.example.org/" + key + "?signed", nil
		}}
	})
	s.Put(clip.Key, "video/mp4", []byte("0123456789"))
	s.Put(clip.PosterKey, "image/jpeg", []byte("picture"))
	path := "/v/1-1/" + clip.ID

	res := s.Get(path + ".mp4")
	require.Equal(t, http.StatusFound, res.StatusCode)
	require.Equal(t, "https://clips.example.org/"+clip.Key+"?signed", res.Header.Get("Location"))
	require.Equal(t, "no-cache", res.Header.Get("Cache-Control"), "the clip may be taken down, and the address ends")
	require.Contains(t, res.Header.Get("Content-Security-Policy"), "media-src 'self' https://clips.example.org;")

	// A signature for GET answers HEAD with 403.
	for range 2 {
		res = s.Do(http.MethodHead, path+".mp4", nil)
		require.Equal(t, http.StatusOK, res.StatusCode)
		require.Equal(t, []string{"10", "video/mp4", "bytes", `"` + clip.Digest + `"`},
			[]string{res.Header.Get("Content-Length"), res.Header.Get("Content-Type"), res.Header.Get("Accept-Ranges"), res.Header.Get("ETag")})
		require.Empty(t, text(t, res))
	}

	res = s.Get(path + ".mp4?download=1")
	require.Equal(t, http.StatusOK, res.StatusCode, "what the store cannot name, the page sends")
	require.Contains(t, res.Header.Get("Content-Disposition"), ".mp4")
	require.Equal(t, http.StatusOK, s.Get("/p/1-1/"+clip.ID+".jpg").StatusCode, "pictures are small")
	s.takeAway(clip, "hide", "")
	require.Equal(t, http.StatusGone, s.Get(path+".mp4").StatusCode, "what is hidden is given to nobody")
	require.Equal(t, http.StatusNotFound, s.Get("/v/1-1/nope.mp4").StatusCode)
}
