package storetest

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/blobtest"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// AddMatchWithClips fills a state: a match has clips, and beside them lie staged bytes, a reel and a logo.
func AddMatchWithClips(t *testing.T, s store.Store, b blob.Store) {
	t.Helper()
	f := footy.Fixture{ID: 900, Stage: footy.StageCompleted, Match: footy.Match{ID: 900, Kickoff: time.Now()}}
	for n := range 3 {
		uid := fmt.Sprintf("900-%d", n)
		key, poster := blob.ClipPrefix+uid+"/a.mp4", blob.PosterPrefix+uid+"/a.jpg"
		f.Events = append(f.Events, footy.Event{UID: uid, ID: uid, Clips: []footy.Clip{{ID: "a", Key: key, PosterKey: poster}}})
		blobtest.Lay(t, b, key, poster)
	}
	require.NoError(t, s.Add(t.Context(), f))
	blobtest.Lay(t, b, blob.StagedFilm("abc", ".mp4"), "reels/made/r/reel.mp4", "logos/team/1")
}

// Unpacked is what a compressed file of testdata holds.
func Unpacked(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	body, err := io.ReadAll(z)
	require.NoError(t, err)
	return body
}
