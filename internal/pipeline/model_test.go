package pipeline_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"github.com/found-footy/found-footy/internal/blob/dir"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/httpx"
	"github.com/found-footy/found-footy/internal/llm"
	"github.com/found-footy/found-footy/internal/media"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/acquire"
	"github.com/found-footy/found-footy/internal/pipeline/alias"
	"github.com/found-footy/found-footy/internal/pipeline/discover"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/publish"
	"github.com/found-footy/found-footy/internal/rule/phash"
	"github.com/found-footy/found-footy/internal/rule/round"
	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/store/sqlite"
	"github.com/found-footy/found-footy/internal/validate/gate"
	"github.com/found-footy/found-footy/internal/validate/vision"
)

// oneGoal is a goal in the 67th minute whose search is over: the day does not end before its clips are settled.
const oneGoal = "5000-1"

// bench is the clip pipeline from fetched file to published clip, with its real rules, real storage and a real client
// of a model server; only X and ffmpeg are stood in for.
type bench struct {
	t       *testing.T
	store   store.Store
	acquire *acquire.Activities
	publish *publish.Activities
	mood    atomic.Pointer[http.HandlerFunc] // how the server misbehaves; nil = not at all
	asked   atomic.Int64
}

func newBench(t *testing.T) *bench {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"), sqlite.Options{})
	require.NoError(t, err)
	b := &bench{t: t, store: store.New(db, store.Options{})}
	t.Cleanup(func() { _ = b.store.Close() })
	files, err := dir.Open(t.TempDir())
	require.NoError(t, err)
	srv := httptest.NewServer(http.HandlerFunc(b.serve))
	t.Cleanup(srv.Close)
	eyes := vision.New(vision.Options{}, llm.New(llm.Options{URL: srv.URL, Model: "eyes", ComputeTimeout: 300 * time.Millisecond,
		LoadTimeout: 2 * time.Second, Poll: 5 * time.Millisecond}, httpx.New(httpx.Options{})))
	b.acquire = &acquire.Activities{Store: b.store, Blob: files, Fetcher: posted{}, Decoder: filmed{}, Reader: eyes, Gate: gate.Defaults(),
		Tolerance: 3, TempDir: t.TempDir(), Now: time.Now}
	b.publish = &publish.Activities{Store: b.store, Blob: files, Notify: silent{}, Now: time.Now}
	now := time.Now()
	require.NoError(t, b.store.Add(t.Context(), footy.Fixture{ID: 5000, Stage: footy.StageActive, Events: []footy.Event{{UID: oneGoal, ID: oneGoal,
		Kind: footy.KindGoal, Minute: footy.Minute{Elapsed: 67}, CertainAt: now, SearchEndedAt: now, Round: 1, UploadWorkflow: "upload-" + oneGoal}}}))
	return b
}

func (b *bench) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		b.asked.Add(1)
	}
	if mood := b.mood.Load(); mood != nil {
		(*mood)(w, r)
		return
	}
	content(`{"frames": [`+good+`,`+good+`,`+good+`]}`)(w, r)
}

const good = `{"soccer": true, "screen": false, "clock": "66:12", "added": null, "stoppage_clock": null, "period": null}`

func content(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"content": text}}}})
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error": {"message": "Loading model"}}`, code)
	}
}

// environment runs workflows with the bench's activities. A handover goes to hand in place of a signal.
func (b *bench) environment(hand func(acquire.Handover)) *testsuite.TestWorkflowEnvironment {
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestWorkflowEnvironment()
	env.SetTestTimeout(time.Minute)
	pipeline.Workflows(env)
	pipeline.Activities{Ingest: &ingest.Activities{}, Monitor: &monitor.Activities{}, Alias: &alias.Activities{},
		Discover: &discover.Activities{}, Acquire: b.acquire, Publish: b.publish}.Register(env)
	on(env, policy.QueueUpload, anything).Maybe().Return(func(_ context.Context, h acquire.Handover) error { hand(h); return nil })
	return env
}

// batch takes one batch through Download and Upload as Temporal would.
func (b *bench) batch(download string) acquire.Handover {
	b.t.Helper()
	var handed acquire.Handover
	down := b.environment(func(h acquire.Handover) { handed = h })
	down.ExecuteWorkflow(policy.DownloadWorkflow, acquire.Input{FixtureID: 5000, EventUID: oneGoal, Download: download, Timing: policy.Defaults()})
	require.NoError(b.t, down.GetWorkflowError())
	require.Equal(b.t, download, handed.Download, "each batch is handed over, whatever became of it")
	up := b.environment(nil)
	up.RegisterDelayedCallback(func() { up.SignalWorkflow(policy.SignalAddVideos, handed) }, 0)
	up.ExecuteWorkflow(policy.UploadWorkflow, acquire.UploadInput{FixtureID: 5000, EventUID: oneGoal, Timing: policy.Defaults()})
	require.NoError(b.t, up.GetWorkflowError())
	return handed
}

// open gives the event a batch of new posts, or offers again what is owed.
func (b *bench) open(ids ...string) string {
	b.t.Helper()
	var download string
	_, err := b.store.Update(b.t.Context(), 5000, func(f *footy.Fixture) error {
		e := f.Event(oneGoal)
		mint := func(n int) string { return fmt.Sprintf("download%d", n) }
		if len(ids) > 0 {
			download = round.Allocate(e, len(e.DownloadWorkflows)+1, posts(ids...), time.Now(), mint).Download
			return nil
		}
		at := round.AllocateOwed(e, time.Now(), mint)
		require.NotNil(b.t, at, "nothing is owed")
		download = at.Download
		return nil
	})
	require.NoError(b.t, err)
	return download
}

func (b *bench) event() footy.Event {
	f, err := b.store.Fixture(b.t.Context(), 5000)
	require.NoError(b.t, err)
	return *f.Event(oneGoal)
}

func (b *bench) set(mood http.HandlerFunc) {
	if mood == nil {
		b.mood.Store(nil)
		return
	}
	b.mood.Store(&mood)
}

// TestAModelServerThatMisbehaves covers the evening in which 319 time-outs lost 80 real clips: whatever the server does,
// no clip is published without a verdict, none is lost, and the queue recovers with the server.
func TestAModelServerThatMisbehaves(t *testing.T) {
	t.Parallel()
	drop := func(w http.ResponseWriter, _ *http.Request) {
		if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
			_ = c.Close()
		}
	}
	for name, mood := range map[string]http.HandlerFunc{
		"thinks too long": func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // else the end of the client stays unseen
			<-r.Context().Done()
		},
		"never finishes loading":            status(http.StatusServiceUnavailable),
		"is always busy":                    status(http.StatusTooManyRequests),
		"fails inside":                      status(http.StatusInternalServerError),
		"knows no such address":             status(http.StatusNotFound),
		"writes no JSON":                    content("I see a football match in the rain."),
		"stops in the middle":               content(`{"frames": [{"soccer": true, "scr`),
		"writes JSON of the wrong types":    content(`{"frames": [{"soccer": "maybe", "screen": 3, "clock": 66}, [], "goal"]}`),
		"leaves the judgement out":          content(`{"frames": [{"clock": "66:12"}, {"clock": "66:13"}, {"clock": "66:14"}]}`),
		"forgets a frame":                   content(`{"frames": [` + good + `]}`),
		"answers nothing":                   content(""),
		"answers null":                      content("null"),
		"sends a page in place of JSON":     func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>Welcome</html>") },
		"drops the connection":              drop,
		"hangs up in the middle of a reply": func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Content-Length", "999"); drop(w, r) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.set(mood)
			h := b.batch(b.open("1", "2"))
			require.Empty(t, h.Items)
			require.Len(t, h.Owed, 2)
			require.Positive(t, b.asked.Load())
			require.Empty(t, b.event().Clips, "no clip without a verdict")

			b.set(nil)
			h = b.batch(b.open())
			require.Len(t, h.Items, 2)
			e := b.event()
			require.Len(t, e.Clips, 2, "none is lost")
			for _, c := range e.Clips {
				require.True(t, c.Verified)
				require.NotEmpty(t, c.Posts)
			}
			require.Empty(t, round.Open(&e), "every batch is settled")
		})
	}
}

func TestAModelServerThatIsLateIsWaitedFor(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]int{"loading": http.StatusServiceUnavailable, "busy": http.StatusTooManyRequests} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.set(func(w http.ResponseWriter, r *http.Request) {
				if b.asked.Load() < 20 {
					status(code)(w, r)
					return
				}
				b.set(nil)
				b.serve(w, r)
			})
			require.Len(t, b.batch(b.open("1", "2")).Items, 2)
			require.Len(t, b.event().Clips, 2)
		})
	}
}

// TestOneBadAnswerCostsOneClip: the clips before and after it in the same batch keep their verdicts.
func TestOneBadAnswerCostsOneClip(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.set(func(w http.ResponseWriter, r *http.Request) {
		if n := b.asked.Load(); n == 2 || n == 3 { // a bad answer is asked for once more
			content(`{"frames": "none"}`)(w, r)
			return
		}
		content(`{"frames": [`+good+`,`+good+`,`+good+`]}`)(w, r)
	})
	h := b.batch(b.open("1", "2", "3"))
	require.Len(t, h.Items, 2)
	require.Len(t, h.Owed, 1)
	rows, err := b.store.Entries(t.Context(), store.LogQuery{EventUID: oneGoal})
	require.NoError(t, err)
	var unread bool
	for _, r := range rows {
		unread = unread || r.Reason == footy.ReasonUnvalidated
	}
	require.True(t, unread, "the page says why the clip is not there yet")
}

// TestACopyOfWhatWasTakenDownIsRefused: other bytes, the same footage.
func TestACopyOfWhatWasTakenDownIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.acquire.Decoder = filmed{seed: 7}
	seen, err := b.acquire.Decoder.Decode(t.Context(), "", footy.Probe{}, media.Wants{}, nil)
	require.NoError(t, err)
	require.NoError(t, b.store.PutTombstone(t.Context(), footy.Tombstone{Digest: "other bytes", FixtureID: 5000, EventUID: oneGoal,
		Reason: "rights", At: time.Now(), Fingerprint: phash.Build(seen.Samples)}))
	h := b.batch(b.open("1", "2"))
	require.Empty(t, h.Items)
	require.Empty(t, b.event().Clips)
	require.Zero(t, b.asked.Load(), "no model is bothered with it")
	rows, err := b.store.Entries(t.Context(), store.LogQuery{EventUID: oneGoal})
	require.NoError(t, err)
	var refused int
	for _, r := range rows {
		if r.Reason == footy.ReasonTombstone {
			refused++
		}
	}
	require.Equal(t, 2, refused)
}

// posted stands in for X: every post carries a file of its own.
type posted struct{}

func (posted) Fetch(_ context.Context, c footy.Candidate, w io.Writer, _ func(int64)) (source.Fetched, error) {
	file := make([]byte, 1<<20)
	copy(file, "the file of post "+c.PostID)
	n, err := w.Write(file)
	sum := sha256.Sum256(file)
	return source.Fetched{Size: int64(n), Digest: hex.EncodeToString(sum[:])}, err
}

// filmed stands in for ffmpeg: every file shows footage of its own, or all that of a seed.
type filmed struct{ seed uint64 }

func (filmed) Probe(context.Context, string) (footy.Probe, error) {
	return footy.Probe{Width: 1280, Height: 720, Duration: 12, FrameRate: 25, Bitrate: 2_000_000, Codec: "h264"}, nil
}

func (f filmed) Decode(context.Context, string, footy.Probe, media.Wants, func()) (media.Decoded, error) {
	seed := f.seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	r := rand.New(rand.NewPCG(seed, 1))
	d := media.Decoded{Samples: footy.Samples{Interval: footy.SampleInterval, Duration: 12}, Poster: []byte("poster")}
	for range 48 {
		pix := make([]byte, footy.SampleWidth*footy.SampleHeight)
		for i := range pix {
			pix[i] = byte(r.IntN(256))
		}
		d.Samples.Pix = append(d.Samples.Pix, pix)
	}
	for _, f := range media.DefaultFractions {
		d.Frames = append(d.Frames, media.Frame{At: 12 * f, JPEG: []byte("picture")})
	}
	return d, nil
}

func (filmed) Glimpse(context.Context, string, footy.Probe) ([]byte, error) {
	return []byte("glimpse"), nil
}

type silent struct{}

func (silent) Notify(context.Context, string, ...string) {}
