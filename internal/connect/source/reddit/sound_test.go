package reddit_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
	"github.com/found-footy/found-footy/internal/footy"
)

const tracks = `<?xml version="1.0" encoding="UTF-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period id="0">
 <AdaptationSet contentType="video" id="0"><Representation bandwidth="4800000" mimeType="video/mp4"><BaseURL>CMAF_720.mp4</BaseURL></Representation></AdaptationSet>
 <AdaptationSet contentType="audio" id="1">
  <Representation bandwidth="65000" mimeType="audio/mp4"><BaseURL>CMAF_AUDIO_64.mp4</BaseURL></Representation>
  <Representation bandwidth="131000" mimeType="audio/mp4"><BaseURL>CMAF_AUDIO_128.mp4</BaseURL></Representation>
 </AdaptationSet></Period></MPD>`

// joined stands in for ffmpeg.
func joined(_ context.Context, video, audio, out string) error {
	v, err := os.ReadFile(video)
	a, err2 := os.ReadFile(audio)
	return errors.Join(err, err2, os.WriteFile(out, []byte(string(v)+" with "+string(a)), 0o600))
}

func TestAVideoOfRedditGetsItsSound(t *testing.T) {
	t.Parallel()
	elsewhere := strings.ReplaceAll(tracks, "CMAF_AUDIO_128", "http://169.254.169.254/secret")
	broken := func(context.Context, string, string, string) error { return errors.New("ffmpeg does not like it") }
	for name, tc := range map[string]struct {
		has   any
		list  string
		audio int
		add   reddit.AddSound
		want  string
	}{
		"with sound":                    {true, tracks, http.StatusOK, joined, "picture with CMAF_AUDIO_128"},
		"an old post that does not say": {nil, tracks, http.StatusOK, joined, "picture with CMAF_AUDIO_128"},
		"without sound":                 {false, tracks, http.StatusOK, joined, "picture"},
		"a play-list without sound":     {true, strings.ReplaceAll(tracks, "audio", "text"), http.StatusOK, joined, "picture"},
		"no play-list":                  {true, "", http.StatusOK, joined, "picture"},
		"a page":                        {true, "<html><p>log in", http.StatusOK, joined, "picture"},
		"sound that is gone":            {true, tracks, http.StatusNotFound, joined, "picture"},
		"sound on another host":         {true, elsewhere, http.StatusOK, joined, "picture"},
		"sound that does not fit":       {true, tracks, http.StatusOK, broken, "picture"},
		"nothing to join it":            {true, tracks, http.StatusOK, nil, "picture"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s *site
			s = newSite(t, func(string, string) (int, map[string]string, string) {
				p := video("t3_1", "Ajax 0 - [1] Celtic - MacAllan 60'", time.Now())
				v := p["secure_media"].(map[string]any)["reddit_video"].(map[string]any)
				v["fallback_url"], v["dash_url"], v["has_audio"] = s.URL+"/v/1/CMAF_720.mp4?source=fallback", s.URL+"/v/1/DASHPlaylist.mpd?a=1", tc.has
				return http.StatusOK, nil, listed(p)
			})
			api := s.Config.Handler
			s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v/1/"), ".")
				switch {
				case name == "DASHPlaylist" && tc.list != "":
					_, _ = w.Write([]byte(tc.list))
				case name == "CMAF_720":
					w.Header().Set("Content-Type", "video/mp4")
					_, _ = w.Write([]byte("picture"))
				case strings.HasPrefix(name, "CMAF_AUDIO") && tc.audio == http.StatusOK:
					w.Header().Set("Content-Type", "audio/mp4")
					_, _ = w.Write([]byte(name))
				case strings.HasPrefix(r.URL.Path, "/v/"):
					http.NotFound(w, r)
				default:
					api.ServeHTTP(w, r)
				}
			})
			u, err := url.Parse(s.URL)
			require.NoError(t, err)
			o := s.options()
			o.AddSound = tc.add
			if temp := t.TempDir(); tc.add != nil { // which is cleared after a kill
				o.TempDir = func() string { return temp }
				o.AddSound = func(ctx context.Context, video, audio, out string) error {
					require.Equal(t, temp, filepath.Dir(filepath.Dir(video)))
					return tc.add(ctx, video, audio, out)
				}
			}
			f := reddit.NewFetcher(reddit.New(o, s.Client()), xtweet.Options{AllowedHosts: []string{u.Host}, Tries: 1, Pause: time.Millisecond}, s.Client())
			var out bytes.Buffer
			got, err := f.Fetch(t.Context(), footy.Candidate{PostID: "t3_1"}, &out)
			require.NoError(t, err)
			require.Equal(t, tc.want, out.String())
			sum := sha256.Sum256(out.Bytes())
			require.Equal(t, hex.EncodeToString(sum[:]), got.Digest)
			require.Equal(t, int64(out.Len()), got.Size)
		})
	}
}
