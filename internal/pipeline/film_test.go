package pipeline_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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

func (r rewrapper) Film(_ context.Context, path string, p footy.Probe, _ func() (bool, error)) (media.Film, error) {
	body := []byte("made of " + filmOf(path))
	sum := sha256.Sum256(body)
	out := filepath.Join(r.dir, hex.EncodeToString(sum[:])+r.kind)
	return media.Film{Path: out, Kind: r.kind, Digest: hex.EncodeToString(sum[:]), Size: int64(len(body)), Probe: p, Unplayed: r.unplayed}, os.WriteFile(out, body, 0o600)
}

// hevc stands in for ffmpeg at files that browsers play only when they are coded anew.
type hevc struct {
	clockwork
	worth map[string]bool // by film
}

func (h hevc) Probe(ctx context.Context, path string) (footy.Probe, error) {
	p, err := h.filmed.Probe(ctx, path)
	if _, cut, _ := strings.Cut(filmOf(path), "/"); cut == "sharp" {
		p.Width, p.Height, p.Bitrate = 1920, 1080, 9_000_000
	} else if cut == "small" {
		p.Width, p.Height = 640, 360
	}
	return p, err
}

func (h hevc) Film(ctx context.Context, path string, p footy.Probe, worth func() (bool, error)) (media.Film, error) {
	coded, err := worth()
	if err != nil {
		return media.Film{}, err
	}
	h.worth[filmOf(path)] = coded
	f, err := h.filmed.Film(ctx, path, p, worth)
	f.Unplayed = !coded
	return f, err
}

// TestOnlyWhatWouldBeTheBestIsCodedAnew: a copy of what plays, and is as good, is kept as it is behind it.
func TestOnlyWhatWouldBeTheBestIsCodedAnew(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	decoder := hevc{worth: map[string]bool{}}
	b.down.Decoder = decoder
	b.over(oneGoal)
	for i, film := range []string{"a", "a/small", "a/sharp", "b/small", "a"} {
		id := strconv.Itoa(i + 1)
		b.x.film[id] = film
		in := b.open(id)
		b.batch(in.Download, in)
	}
	require.Equal(t, map[string]bool{"a": true, "a/small": false, "a/sharp": true, "b/small": true}, decoder.worth)
	e := b.event(oneGoal)
	require.Len(t, e.VisibleClips(), 2)
	for _, c := range e.VisibleClips() {
		require.False(t, c.Unplayed)
	}
}

// TestWhatItsClockRefusesIsNotCodedAnew: it is never shown.
func TestWhatItsClockRefusesIsNotCodedAnew(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	decoder := hevc{worth: map[string]bool{}, clockwork: clockwork{first: map[string]int{"goal": 66*60 + 12, "old": 33*60 + 40}}}
	b.down.Clock, b.down.Decoder = true, decoder
	b.x.film = map[string]string{"1": "old", "2": "goal"}
	in := b.open("1", "2")
	b.batch(in.Download, in)
	require.Equal(t, "refused wrong_minute", b.states(oneGoal)["1"])
	require.Equal(t, map[string]bool{"goal": true, "old": false}, decoder.worth)
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
