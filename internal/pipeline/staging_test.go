package pipeline_test

import (
	"context"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/interceptor"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

// silentHost sends nothing for a while; -1: for ever.
type silentHost struct {
	source.Fetcher
	silent time.Duration
}

func (h silentHost) Fetch(ctx context.Context, c footy.Candidate, w io.Writer) (source.Fetched, error) {
	if err := hang(ctx, h.silent); err != nil {
		return source.Fetched{}, err
	}
	return h.Fetcher.Fetch(ctx, c, w)
}

// slowReads takes that long for each piece.
type slowReads struct {
	blob.Store
	each time.Duration
}

func (s slowReads) Open(ctx context.Context, key string) (blob.Object, error) {
	o, err := s.Store.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	return slowObject{o, ctx, s.each}, nil
}

type slowObject struct {
	blob.Object
	ctx  context.Context
	each time.Duration
}

func (o slowObject) Read(b []byte) (int, error) {
	if err := hang(o.ctx, o.each); err != nil {
		return 0, err
	}
	return o.Object.Read(b)
}

// slowBucket takes that long for each object.
type slowBucket struct {
	blob.Store
	slow time.Duration
}

func (s slowBucket) Put(ctx context.Context, key string, r io.Reader, size int64, info blob.Info) error {
	if err := hang(ctx, s.slow); err != nil {
		return err
	}
	return s.Store.Put(ctx, key, r, size, info)
}

func (s slowBucket) Open(ctx context.Context, key string) (blob.Object, error) {
	if err := hang(ctx, s.slow); err != nil {
		return nil, err
	}
	return s.Store.Open(ctx, key)
}

func hang(ctx context.Context, d time.Duration) error {
	if d < 0 {
		<-ctx.Done()
		return ctx.Err()
	}
	<-time.After(d)
	return ctx.Err()
}

// pulse notes when an activity beats, and can end its context as the engine does with one that it no longer waits for. A beat may still be
// on its way when its activity has ended.
type pulse struct {
	interceptor.WorkerInterceptorBase
	mu      sync.Mutex
	last    time.Time
	longest time.Duration // between two beats of the activity that was last begun
	end     context.CancelFunc
}

func (p *pulse) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.longest, p.last = 0, time.Now()
}

func (p *pulse) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.longest = max(p.longest, time.Since(p.last))
	p.last = time.Now()
}

func (p *pulse) pause() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.longest
}

func (p *pulse) InterceptActivity(_ context.Context, next interceptor.ActivityInboundInterceptor) interceptor.ActivityInboundInterceptor {
	return &pulseIn{interceptor.ActivityInboundInterceptorBase{Next: next}, p}
}

type pulseIn struct {
	interceptor.ActivityInboundInterceptorBase
	p *pulse
}

func (i *pulseIn) Init(out interceptor.ActivityOutboundInterceptor) error {
	return i.Next.Init(&pulseOut{interceptor.ActivityOutboundInterceptorBase{Next: out}, i.p})
}

func (i *pulseIn) ExecuteActivity(ctx context.Context, in *interceptor.ExecuteActivityInput) (any, error) {
	i.p.begin()
	defer i.p.beat()
	ctx, i.p.end = context.WithCancel(ctx)
	return i.Next.ExecuteActivity(ctx, in)
}

type pulseOut struct {
	interceptor.ActivityOutboundInterceptorBase
	p *pulse
}

func (o *pulseOut) RecordHeartbeat(ctx context.Context, details ...any) {
	o.p.beat()
	o.Next.RecordHeartbeat(ctx, details...)
}

// download fetches post 1 in a bubble, whose time passes at once where all wait.
func (p *pulse) download(b *bench) error {
	in := b.open("1")
	must[any](b, download.RegisterDownload, in)
	return p.do(b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{"1"}})
}

func (p *pulse) do(b *bench, activity named, in any) error {
	env := enginetest.Activity(p)
	env.SetTestTimeout(time.Hour)
	b.activities().Register(env)
	_, err := env.ExecuteActivity(activity.Name(), in)
	return err
}

// TestASilentHostAndASlowBucketAreWaitedFor: else the engine would start a second attempt beside the first.
func TestASilentHostAndASlowBucketAreWaitedFor(t *testing.T) {
	t.Parallel()
	for name, slow := range map[string]func(b *bench){
		"host":   func(b *bench) { b.down.Fetcher = silentHost{b.x, 80 * time.Second} },
		"bucket": func(b *bench) { b.down.Blob = slowBucket{b.blob, 31 * time.Second} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b, p := newBench(t), &pulse{}
				slow(b)
				require.NoError(t, p.download(b))
				require.Equal(t, map[string]string{"1": "fetched"}, b.states(oneGoal))
				require.Less(t, p.pause(), download.DownloadVideo.Row().Heartbeat/2)
			})
		})
	}
}

// TestSlowReadsAreWaitedFor where a clip is judged and where it is published.
func TestSlowReadsAreWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, p := newBench(t), &pulse{}
		require.NoError(t, p.download(b))
		in := download.Input{EventInput: policy.EventInput{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}, Download: b.post(oneGoal, "1").Download}
		b.down.Blob, b.up.Blob = slowBucket{b.blob, 40 * time.Second}, slowReads{b.blob, 40 * time.Second}
		require.NoError(t, p.do(b, download.Validate, download.ValidateInput{Input: in, Posts: []string{"1"}}))
		require.Equal(t, map[string]string{"1": "judged"}, b.states(oneGoal))
		require.LessOrEqual(t, p.pause(), download.Validate.Row().Heartbeat/2, "judged")
		require.NoError(t, p.do(b, upload.UploadVideos, upload.SaveInput{Input: upload.Input{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}, Download: in.Download}))
		require.Equal(t, map[string]string{"1": "published"}, b.states(oneGoal))
		require.Less(t, p.pause(), upload.UploadVideos.Row().Heartbeat, "published")
	})
}

// TestWhatHangsMakesItsPostWait: the attempt would time out and be repeated, and all posts of the goal wait for it.
func TestWhatHangsMakesItsPostWait(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hangs func(b *bench)
		want  string
	}{
		"host":   {func(b *bench) { b.down.Fetcher = silentHost{b.x, -1} }, "waiting fetch_failed"},
		"bucket": {func(b *bench) { b.down.Blob = slowBucket{b.blob, -1} }, "waiting storage"},
		"host where fetching rests": {func(b *bench) {
			b.down.Fetcher = silentHost{b.x, -1}
			known := []footy.Candidate{{PostID: "11"}, {PostID: "12"}, {PostID: "13"}}
			require.NoError(b.t, b.store.PutState(b.t.Context(), source.PlaceOf("1").FetchHealthKey(),
				source.FetchHealth{RestingSince: b.now().Add(-time.Hour), Known: &known[0], KnownBefore: known[1:]}))
		}, "waiting fetch_failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b, began := newBench(t), time.Now()
				c.hangs(b)
				require.NoError(t, (&pulse{}).download(b))
				require.Equal(t, map[string]string{"1": c.want}, b.states(oneGoal))
				require.Less(t, time.Since(began), download.DownloadVideo.Row().Timeout, "else the engine ends it")
			})
		})
	}
}

// TestAnAttemptThatTheEngineGaveUpWritesNothing: the next one has the post.
func TestAnAttemptThatTheEngineGaveUpWritesNothing(t *testing.T) {
	t.Parallel()
	b, p := newBench(t), &pulse{}
	b.x.set(func(footy.Candidate) error { p.end(); return nil }, nil)
	require.Error(t, p.download(b))
	require.Equal(t, map[string]string{"1": "fetching"}, b.states(oneGoal))
	require.Empty(t, b.blob.keys(t.Context(), blob.StagingPrefix))
}

// TestAnAttemptEndsBeforeTheNextBegins: where no beat reaches the engine, the worker ends the attempt before the engine begins another.
func TestAnAttemptEndsBeforeTheNextBegins(t *testing.T) {
	t.Parallel()
	for _, a := range (pipeline.Activities{}).All() {
		if a.Row.Heartbeat > 0 {
			require.Less(t, 2*policy.BeatPause, a.Row.Heartbeat, a.Name)
		}
	}
}
