package budgets_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
)

// Unposted is the scorer whose goals are never posted.
const Unposted = "Nobody"

// Outside stands in for X, the videos and the model: each search finds five new posts, each post has a file of its own
// that decodes, each file shows the goal.
type Outside struct {
	clip  []byte
	posts atomic.Int64
}

// NewOutside draws the clip that all posts carry.
func NewOutside(ctx context.Context, dir string) (*Outside, error) {
	file := filepath.Join(dir, "clip.mp4")
	said, err := exec.CommandContext(ctx, "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=duration=3.5:size=160x90:rate=8",
		"-c:v", "mpeg4", "-pix_fmt", "yuv420p", "-y", file).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("draw a clip: %w: %s", err, said)
	}
	b, err := os.ReadFile(file)
	return &Outside{clip: b}, err
}

// NoWikidata are settings under which a team's words come from the names the product knows by itself.
func NoWikidata() map[string]string { return map[string]string{"WIKIDATA_URL": "http://127.0.0.1:1"} }

// Install puts the stand-ins into the product.
func (o *Outside) Install(a *app.App) {
	a.Source, a.Fetcher, a.Reader = o, o, reader{}
}

// Name implements source.Source.
func (o *Outside) Name() string { return "bench" }

// Health implements source.Source.
func (o *Outside) Health(context.Context) (source.Health, error) {
	return source.Health{Ready: true, Login: source.LoginNoneNeeded, BudgetLeft: -1}, nil
}

// Probe implements source.Fetcher.
func (o *Outside) Probe(context.Context, footy.Candidate) error { return nil }

// Search implements source.Source.
func (o *Outside) Search(_ context.Context, q source.Query) (source.Result, error) {
	if strings.Contains(strings.ToLower(q.Text), strings.ToLower(Unposted)) {
		return source.Result{State: source.StateEmpty, CallsUsed: 1}, nil
	}
	res := source.Result{State: source.StateResults, CallsUsed: 1}
	for range 5 {
		id := snowflake.At(time.Now(), int(o.posts.Add(1)%4096))
		res.Candidates = append(res.Candidates, footy.Candidate{PostID: id, URL: "https://x.com/fan/status/" + id, Author: "fan", Text: q.Text,
			PostedAt: time.Now(), DurationMS: 3500, Width: 160, Height: 90})
	}
	return res, nil
}

// Fetch implements source.Fetcher. An empty box at the end makes each post's file one of its own.
func (o *Outside) Fetch(_ context.Context, c footy.Candidate, w io.Writer) (source.Fetched, error) {
	box := binary.BigEndian.AppendUint32(nil, uint32(8+len(c.PostID)))
	file := append(append(append(append([]byte{}, o.clip...), box...), "free"...), c.PostID...)
	sum := sha256.Sum256(file)
	_, err := w.Write(file)
	return source.Fetched{URL: c.URL, Size: int64(len(file)), Digest: hex.EncodeToString(sum[:])}, err
}

// reader sees the goal's minute in every frame.
type reader struct{}

func (reader) Name() string                { return "bench" }
func (reader) Ready(context.Context) error { return nil }

// Showing implements validate.Reader.
func (reader) Showing() validate.Showing { return validate.Showing{} }

func (reader) Read(_ context.Context, frames []validate.Frame, _ ...footy.KindInfo) ([]footy.Reading, error) {
	out := make([]footy.Reading, len(frames))
	for i, f := range frames {
		out[i] = footy.Reading{At: f.At, Soccer: true, Clock: fmt.Sprintf("23:%02d", 10+int(f.At))}
	}
	return out, nil
}

// Look implements validate.Reader.
func (reader) Look(_ context.Context, frames []validate.Frame, _ ...footy.KindInfo) ([]footy.Reading, error) {
	out := make([]footy.Reading, len(frames))
	for i, f := range frames {
		out[i] = footy.Reading{At: f.At, Soccer: true}
	}
	return out, nil
}
