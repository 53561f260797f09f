package pipeline_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

// rewrapper makes another film of the posts' files.
type rewrapper struct {
	filmed
	dir, kind string
	unplayed  bool
}

func (r rewrapper) Film(_ context.Context, path string, p footy.Probe) (media.Film, error) {
	body := []byte("made of " + filmOf(path))
	sum := sha256.Sum256(body)
	out := filepath.Join(r.dir, hex.EncodeToString(sum[:])+r.kind)
	return media.Film{Path: out, Kind: r.kind, Digest: hex.EncodeToString(sum[:]), Size: int64(len(body)), Probe: p, Unplayed: r.unplayed}, os.WriteFile(out, body, 0o600)
}

// TestWhatWasMadeOfAFileIsShown: under its own kind, while the post stays known by the bytes that it carried.
func TestWhatWasMadeOfAFileIsShown(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{".mp4", ".webm"} {
		b := newBench(t)
		b.down.Decoder = rewrapper{dir: t.TempDir(), kind: kind, unplayed: kind == ".webm"}
		in := b.open("1")
		b.over(oneGoal)
		b.batch(in.Download, in)
		require.Equal(t, map[string]string{"1": "published"}, b.states(oneGoal))
		f, err := b.store.Fixture(t.Context(), matchID)
		require.NoError(t, err)
		c := f.Event(oneGoal).VisibleClips()[0]
		require.Equal(t, digest("1"), c.Digest)
		require.Equal(t, blob.ClipPrefix+oneGoal+"/"+digest("1")+kind, c.Key)
		require.Equal(t, "/v/"+oneGoal+"/"+c.ID+kind, c.URL)
		require.Equal(t, kind == ".webm", c.Unplayed)
		at, err := b.blob.Stat(t.Context(), c.Key)
		require.NoError(t, err)
		require.Equal(t, c.Size, at.Size)
		require.Equal(t, "video/"+kind[1:], at.Info.ContentType)
		left, err := os.ReadDir(b.down.Decoder.(rewrapper).dir)
		require.NoError(t, err)
		require.Empty(t, left, "what was made is removed when it is stored")
	}
}
