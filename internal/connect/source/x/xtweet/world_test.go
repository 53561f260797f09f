package xtweet_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/tools/devtest"
)

func TestWhatTheSimulatedWorldsPostsAnswerIsUnderstood(t *testing.T) {
	t.Parallel()
	clips, state := t.TempDir(), t.TempDir()
	begun := fmt.Sprintf(`{"start":%q,"scale":30,"polls":{},"listed":{}}`, time.Now().Add(-time.Hour).UTC().Format(time.RFC3339Nano))
	require.NoError(t, os.WriteFile(filepath.Join(state, "world.json"), []byte(begun), 0o600))
	w, err := world.New(world.Options{ClipDir: clips, StateDir: state})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	u, err := url.Parse(w.URL())
	require.NoError(t, err)
	f := xtweet.New(xtweet.Options{SyndicationURL: w.URL() + "/syndication", AllowedHosts: []string{u.Host}, Pause: time.Millisecond},
		httpx.New(httpx.Options{}))
	of := func(kind string) footy.Candidate {
		for _, p := range w.Posts() {
			if p.Kind == kind {
				require.NoError(t, os.WriteFile(filepath.Join(clips, p.Clip.Name()), video, 0o600))
				require.NoError(t, os.WriteFile(filepath.Join(clips, strings.TrimSuffix(p.Clip.Name(), ".mp4")+"-low.mp4"), video[:9000], 0o600))
				return footy.Candidate{PostID: p.ID}
			}
		}
		t.Fatalf("nobody posts %s", kind)
		return footy.Candidate{}
	}
	fetched := func(kind string) error {
		_, err := f.Fetch(t.Context(), of(kind), new(bytes.Buffer))
		return err
	}
	for kind, want := range map[string]footy.Reason{script.Master: "", script.Truncated: footy.ReasonTruncated, script.Deleted: footy.ReasonDeleted,
		script.GeoBlocked: footy.ReasonGeoBlocked, script.NoVideo: footy.ReasonNoVideo} {
		require.Equal(t, want, footy.ReasonOf(fetched(kind)), kind)
	}
	turn := func(fault string, seconds int) {
		body := strings.NewReader(fmt.Sprintf(`{"fault":%q,"for_s":%d}`, fault, seconds))
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.ControlURL()+"/control/fault", body)
		require.NoError(t, err)
		res, err := devtest.Client.Do(req)
		require.NoError(t, err)
		_, _ = io.Copy(io.Discard, res.Body)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusNoContent, res.StatusCode)
	}
	known := of(script.Master)
	for fault, want := range map[string]footy.Reason{"fetch_refused": footy.ReasonGeoBlocked, "fetch_gone": footy.ReasonDeleted, "cdn_refused": footy.ReasonGeoBlocked} {
		require.NoError(t, source.Probe(t.Context(), f, known))
		turn(fault, 600)
		require.Equal(t, want, footy.ReasonOf(fetched(script.Master)), fault)
		require.Equal(t, want, footy.ReasonOf(source.Probe(t.Context(), f, known)), fault)
		turn(fault, 0)
	}
}
