package pipeline_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"image"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// calls counts the calls of a dependency; at one of them the process is killed, or all fail while it is away.
type calls struct {
	mu   sync.Mutex
	n    int
	kill int  // die at this call,
	late bool // after it took effect
	away func() error
}

const killed = "the process was killed here"

func (c *calls) do(call func() error) error {
	c.mu.Lock()
	c.n++
	die, away := c.kill > 0 && c.n == c.kill, c.away
	c.mu.Unlock()
	if die {
		if c.late {
			_ = call()
		}
		panic(killed)
	}
	if away != nil {
		if err := away(); err != nil {
			return err
		}
	}
	return call()
}

// set says when to fail from now on; 0 and nil: never.
func (c *calls) set(kill int, late bool, away func() error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n, c.kill, c.late, c.away = 0, kill, late, away
}

// database is a backend that may fail.
type database struct {
	store.Backend
	calls
}

func ask[T any](c *calls, call func() (T, error)) (v T, err error) {
	err = c.do(func() error { v, err = call(); return err })
	return v, err
}

func (d *database) Find(ctx context.Context, c store.Collection, id string) (store.Doc, error) {
	return ask(&d.calls, func() (store.Doc, error) { return d.Backend.Find(ctx, c, id) })
}

func (d *database) Select(ctx context.Context, c store.Collection, f store.Filter) ([]store.Doc, error) {
	return ask(&d.calls, func() ([]store.Doc, error) { return d.Backend.Select(ctx, c, f) })
}

func (d *database) Insert(ctx context.Context, c store.Collection, doc store.Doc, rows ...store.Doc) error {
	return d.do(func() error { return d.Backend.Insert(ctx, c, doc, rows...) })
}

func (d *database) Replace(ctx context.Context, c store.Collection, doc store.Doc, rev int64, rows ...store.Doc) error {
	return d.do(func() error { return d.Backend.Replace(ctx, c, doc, rev, rows...) })
}

func (d *database) Upsert(ctx context.Context, c store.Collection, docs []store.Doc) error {
	return d.do(func() error { return d.Backend.Upsert(ctx, c, docs) })
}

func (d *database) InsertNew(ctx context.Context, c store.Collection, docs []store.Doc, rows ...store.Doc) error {
	return d.do(func() error { return d.Backend.InsertNew(ctx, c, docs, rows...) })
}

func (d *database) Delete(ctx context.Context, c store.Collection, f store.Filter) error {
	return d.do(func() error { return d.Backend.Delete(ctx, c, f) })
}

// bucket is an object store that may fail.
type bucket struct {
	blob.Store
	calls
}

// Writable is that of the store below.
func (k *bucket) Writable(ctx context.Context) error { return blob.Writable(ctx, k.Store) }

func (k *bucket) Put(ctx context.Context, key string, r io.Reader, size int64, info blob.Info) error {
	return k.do(func() error { return k.Store.Put(ctx, key, r, size, info) })
}

func (k *bucket) Copy(ctx context.Context, from, to string, info blob.Info) error {
	return k.do(func() error { return k.Store.Copy(ctx, from, to, info) })
}

func (k *bucket) Open(ctx context.Context, key string) (blob.Object, error) {
	return ask(&k.calls, func() (blob.Object, error) { return k.Store.Open(ctx, key) })
}

func (k *bucket) Stat(ctx context.Context, key string) (blob.Attributes, error) {
	return ask(&k.calls, func() (blob.Attributes, error) { return k.Store.Stat(ctx, key) })
}

func (k *bucket) Delete(ctx context.Context, key string) error {
	return k.do(func() error { return k.Store.Delete(ctx, key) })
}

func (k *bucket) List(ctx context.Context, prefix string, fn func(blob.Attributes) error) error {
	return k.do(func() error { return k.Store.List(ctx, prefix, fn) })
}

// keys lists what lies under a prefix.
func (k *bucket) keys(ctx context.Context, prefix string) []string {
	out := []string{}
	_ = k.Store.List(ctx, prefix, func(at blob.Attributes) error { out = append(out, at.Key); return nil })
	return out
}

// posted stands in for X: every post carries a file of its own unless told otherwise, and every search finds what is said.
type posted struct {
	source.None
	mu      sync.Mutex
	film    map[string]string // post -> the film it carries; its own id if not named
	fails   func(c footy.Candidate) error
	blocked error // what the known post gets
	find    func(q source.Query) (source.Result, error)
	queries []source.Query
	fetched []string
}

func newPosted() *posted { return &posted{film: map[string]string{}} }

func (x *posted) Search(_ context.Context, q source.Query) (source.Result, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.queries = append(x.queries, q)
	if x.find == nil {
		return source.Result{State: source.StateEmpty}, nil
	}
	return x.find(q)
}

func (x *posted) Fetch(_ context.Context, c footy.Candidate, w io.Writer) (source.Fetched, error) {
	if _, kept := w.(io.Seeker); !kept { // a look at a post that is known
		return x.look(c, w)
	}
	x.mu.Lock()
	film, fails := x.film[c.PostID], x.fails
	x.fetched = append(x.fetched, c.PostID)
	x.mu.Unlock()
	if fails != nil {
		if err := fails(c); err != nil {
			return source.Fetched{}, err
		}
	}
	if film == "" {
		film = c.PostID
	}
	n, err := w.Write(file(film))
	return source.Fetched{Size: int64(n), Digest: digest(film)}, err
}

func (x *posted) look(c footy.Candidate, w io.Writer) (source.Fetched, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.blocked != nil && (x.fails == nil || x.fails(c) != nil) {
		return source.Fetched{}, x.blocked
	}
	_, err := w.Write(file(c.PostID))
	return source.Fetched{}, err
}

// all are the posts that were fetched, in their order.
func (x *posted) all() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.fetched)
}

func (x *posted) set(fails func(footy.Candidate) error, blocked error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.fails, x.blocked = fails, blocked
}

func file(film string) []byte {
	out := make([]byte, 4<<10)
	copy(out, film)
	return out
}

func digest(film string) string {
	sum := sha256.Sum256(file(film))
	return hex.EncodeToString(sum[:])
}

// filmed stands in for ffmpeg: a film shows footage of its own; what follows "/" is another cut of it.
type filmed struct{}

func filmOf(path string) string {
	b, _ := os.ReadFile(path)
	return strings.TrimRight(string(b), "\x00")
}

func (filmed) Probe(context.Context, string) (footy.Probe, error) {
	return footy.Probe{Width: 1280, Height: 720, Duration: 12, FrameRate: 25, Bitrate: 2_000_000, Codec: "h264"}, nil
}

func (filmed) Decode(_ context.Context, path string, _ footy.Probe, _ media.Wants) (media.Decoded, error) {
	film := filmOf(path)
	d := media.Decoded{Samples: footage(film), Length: 12, Poster: picture()}
	for _, f := range media.Fractions {
		d.Frames = append(d.Frames, media.Frame{At: 12 * f, JPEG: []byte(film)})
	}
	return d, nil
}

func (filmed) Film(_ context.Context, path string, probe footy.Probe, _ func() (bool, error)) (media.Film, error) {
	size, err := os.Stat(path)
	if err != nil {
		return media.Film{}, err
	}
	return media.Film{Path: path, Kind: ".mp4", Size: size.Size(), Probe: probe}, nil
}

func (filmed) Glimpse(context.Context, string, footy.Probe) ([]byte, error) { return picture(), nil }

// shot are the samples of each film that was decoded.
var shot sync.Map

func footage(film string) footy.Samples {
	name, _, _ := strings.Cut(film, "/")
	if s, ok := shot.Load(name); ok {
		return s.(footy.Samples)
	}
	h := fnv.New64a()
	_, _ = io.WriteString(h, name)
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	s := footy.Samples{Interval: footy.SampleInterval, Duration: 5}
	for range int(5 / footy.SampleInterval) {
		pix := make([]byte, footy.SampleWidth*footy.SampleHeight)
		for i := range pix {
			pix[i] = byte(r.IntN(256))
		}
		s.Pix = append(s.Pix, pix)
	}
	shot.Store(name, s)
	return s
}

func printOf(film string) footy.Fingerprint { return phash.Build(footage(film)) }

var picture = sync.OnceValue(func() []byte {
	var out bytes.Buffer
	_ = jpeg.Encode(&out, image.NewGray(image.Rect(0, 0, 160, 90)), nil)
	return out.Bytes()
})

// eyes stands in for the model: every film shows the 67th minute unless told otherwise.
type eyes struct {
	mu     sync.Mutex
	clock  map[string]string // film -> what its clock shows
	fails  func(film string) error
	down   error
	asked  map[string]int
	looked map[string]int    // of these, questions that leave the clock out
	saw    map[string]string // film -> the kind that its last frame shows; else nothing is shown
	shows  validate.Showing

	readFirst func() error // what happens while it is asked; nil: nothing
}

func newEyes() *eyes {
	return &eyes{clock: map[string]string{}, asked: map[string]int{}, looked: map[string]int{}, saw: map[string]string{}}
}

func (m *eyes) Read(_ context.Context, frames []validate.Frame, kinds ...footy.KindInfo) ([]footy.Reading, error) {
	if m.readFirst != nil {
		if err := m.readFirst(); err != nil {
			return nil, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	film := string(frames[0].JPEG)
	m.asked[film]++
	if m.down != nil {
		return nil, m.down
	}
	if m.fails != nil {
		if err := m.fails(film); err != nil {
			return nil, err
		}
	}
	clock := m.clock[film]
	if clock == "" {
		clock = "66:1"
	}
	var out []footy.Reading
	for i, f := range frames {
		out = append(out, footy.Reading{At: f.At, Soccer: true, Clock: fmt.Sprintf("%s%d", clock, i)})
		if len(kinds) > 0 {
			out[i].Shows = footy.ShowsNothing
		}
	}
	if len(kinds) > 0 && m.saw[film] != "" {
		out[len(out)-1].Shows = m.saw[film]
	}
	return out, nil
}

// Look sees football, and counts apart from what is read.
func (m *eyes) Look(ctx context.Context, frames []validate.Frame, kinds ...footy.KindInfo) ([]footy.Reading, error) {
	m.mu.Lock()
	m.looked[string(frames[0].JPEG)]++
	m.mu.Unlock()
	out, err := m.Read(ctx, frames, kinds...)
	for i := range out {
		out[i] = footy.Reading{At: out[i].At, Soccer: out[i].Soccer, Screen: out[i].Screen, Shows: out[i].Shows}
	}
	return out, err
}

func (m *eyes) Name() string { return "eyes" }

func (m *eyes) Showing() validate.Showing {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.shows
}

func (m *eyes) Ready(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.down
}

func (m *eyes) set(fails func(film string) error, down error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fails, m.down = fails, down
}

func trouble(why footy.Reason) error {
	return &footy.Error{Code: footy.CodeUnavailable, Op: "test", Reason: why, Err: fmt.Errorf("it is so")}
}

// engine stands in for Temporal's client: it remembers what it was asked to start, and how workflows do.
type engine struct {
	client.Client
	mu      sync.Mutex
	status  map[string]round.WorkflowStatus
	signals []signal
	options []client.StartWorkflowOptions
	names   []any // of the workflows started with them
	refuse  error
	begun   []download.Input          // Downloads that a search started and that did not run yet
	running func(download.Input) bool // runs it now, where a workflow runs
}

type signal struct {
	id    string
	start any
	batch upload.Handover
}

func (e *engine) SignalWithStartWorkflow(_ context.Context, id, _ string, arg any, o client.StartWorkflowOptions, name any, args ...any) (client.WorkflowRun, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.refuse != nil {
		return nil, e.refuse
	}
	e.options, e.names = append(e.options, o), append(e.names, name)
	e.signals = append(e.signals, signal{id, args[0], arg.(upload.Handover)})
	e.status[id] = round.Running
	return nil, nil
}

func (e *engine) ExecuteWorkflow(_ context.Context, o client.StartWorkflowOptions, name any, args ...any) (client.WorkflowRun, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.options, e.names = append(e.options, o), append(e.names, name)
	if e.refuse != nil {
		return nil, e.refuse
	}
	if s, there := e.status[o.ID]; there && s != round.Missing && o.WorkflowIDReusePolicy == enums.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE {
		return nil, nil
	}
	e.status[o.ID] = round.Running
	if in, ok := args[0].(download.Input); ok {
		e.mu.Unlock()
		ran := e.running(in)
		e.mu.Lock()
		if !ran {
			e.begun = append(e.begun, in)
		}
	}
	return nil, nil
}

// takeBegun returns the Downloads that were started and did not run yet.
func (e *engine) takeBegun() []download.Input {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := e.begun
	e.begun = nil
	return out
}

func (e *engine) Status(_ context.Context, id string) (round.WorkflowStatus, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if s, ok := e.status[id]; ok {
		return s, nil
	}
	return round.Missing, nil
}

func (e *engine) set(id string, s round.WorkflowStatus) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.status[id] = s
}

func (e *engine) take() []signal {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := e.signals
	e.signals = nil
	return out
}

// told counts what readers are told.
type told struct {
	mu sync.Mutex
	n  int
}

func (n *told) Publish(context.Context, string, ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.n++
}

// quiet is a feed that nobody asks.
type quiet struct{ feed.Feed }

func (quiet) Quota() feed.Quota {
	return feed.Quota{DayLimit: -1, DayRemaining: -1, MinuteLimit: -1, MinuteRemaining: -1}
}
