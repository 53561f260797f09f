package pipeline_test

import (
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/testsuite"

	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	prints "github.com/found-footy/found-footy/internal/pipeline/footage"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/ingest/alias"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

const (
	oneGoal = "5000-1" // in the 67th minute
	sibling = "5000-2" // in the 20th minute of the same match
	matchID = int64(5000)
)

var kickoff = time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)

// bench is the product behind the feed: real rules, workflows, activities and storage. X, ffmpeg, the model and the engine's
// list of workflows are stood in for.
type bench struct {
	t      *testing.T
	dir    string // of the database and the objects
	store  store.Store
	db     *database
	blob   *bucket
	x      *posted
	model  *eyes
	engine *engine
	told   *told

	search *search.Activities
	down   *download.Activities
	up     *upload.Activities
	mon    *monitor.Activities
	ingest *ingest.Activities
	old    *cleanup.Activities

	mu  sync.Mutex
	at  time.Time
	env *testsuite.TestWorkflowEnvironment // its clock counts while a workflow runs
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := benchOn(t, t.TempDir())
	f := footy.Fixture{ID: matchID, Stage: footy.StageActive, Match: footy.Match{ID: matchID, Kickoff: kickoff},
		Teams: footy.Teams{Home: footy.Team{ID: 40, Name: "Liverpool"}, Away: footy.Team{ID: 42, Name: "Arsenal"}}}
	require.NoError(t, b.store.Add(t.Context(), f))
	b.goal(oneGoal, 67)
	return b
}

// benchOn is the product over what is stored in a directory.
func benchOn(t *testing.T, stored string) *bench {
	t.Helper()
	b := &bench{t: t, dir: stored, at: kickoff.Add(90 * time.Minute), x: newPosted(), model: newEyes(), told: &told{}}
	db, err := sqlite.Open(filepath.Join(stored, "footy.db"))
	require.NoError(t, err)
	b.db = &database{Backend: db}
	b.store = store.New(b.db)
	t.Cleanup(func() { _ = b.store.Close() })
	files, err := dir.Open(filepath.Join(stored, "objects"))
	require.NoError(t, err)
	b.blob = &bucket{Store: files}
	b.engine = &engine{status: map[string]round.WorkflowStatus{}, running: b.beside}
	delays := ledger.DefaultDelays()
	b.search = &search.Activities{Store: b.store, Source: b.x, Temporal: b.engine, Page: b.told, Delays: delays, Now: b.now}
	b.down = b.worker()
	b.up = &upload.Activities{Store: b.store, Blob: b.blob, Page: b.told, Prints: b.down.Prints, Delays: delays, Now: b.now}
	b.old = &cleanup.Activities{Store: b.store, Blob: b.blob, Keep: cleanup.Defaults(), Now: b.now}
	b.mon = &monitor.Activities{Store: b.store, Feed: quiet{}, Reader: b.model, Status: b.engine.Status,
		Rules: cycle.Rules{Votes: debounce.Defaults(), Windows: lifecycle.Defaults()}, Cycle: 30 * time.Second, Cleanup: b.old, Delays: delays, Page: b.told, Now: b.now}
	b.ingest = &ingest.Activities{Store: b.store, Cleanup: b.old, Page: b.told, Now: b.now}
	return b
}

// goal adds a certain goal whose search has begun.
func (b *bench) goal(uid string, minute int) {
	b.t.Helper()
	now := b.now()
	e := footy.Event{UID: uid, ID: uid, Kind: footy.KindGoal, Minute: footy.Minute{Elapsed: minute}, Team: footy.Team{ID: 40, Name: "Liverpool"},
		Player: footy.Person{ID: 1, Name: "Mohamed Salah"}, FirstSeen: now, HappenedAt: now, CertainAt: now}
	round.Begin(&e, now)
	round.TakeUp(&e, e.Round.Workflow)
	b.engine.set(e.Round.Workflow, round.Running)
	b.change(func(f *footy.Fixture) { f.Events = append(f.Events, e) })
}

func (b *bench) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.env != nil {
		return b.env.Now()
	}
	return b.at
}

func (b *bench) pass(d time.Duration) { b.at = b.at.Add(d) }

func (b *bench) change(do func(*footy.Fixture)) {
	b.t.Helper()
	_, err := b.store.Update(b.t.Context(), matchID, func(f *footy.Fixture) ([]footy.Entry, error) { do(f); return nil, nil })
	require.NoError(b.t, err)
}

func (b *bench) changeEvent(uid string, do func(*footy.Event)) {
	b.t.Helper()
	b.change(func(f *footy.Fixture) { do(f.Event(uid)) })
}

func (b *bench) match() footy.Fixture {
	b.t.Helper()
	f, err := b.store.Fixture(b.t.Context(), matchID)
	require.NoError(b.t, err)
	return f
}

func (b *bench) event(uid string) footy.Event {
	b.t.Helper()
	f := b.match()
	return *f.Event(uid)
}

func (b *bench) post(uid, id string) footy.Post {
	b.t.Helper()
	p, err := b.store.Post(b.t.Context(), uid, id)
	require.NoError(b.t, err)
	return p
}

func (b *bench) posts(uid string) []footy.Post {
	b.t.Helper()
	list, err := b.store.Posts(b.t.Context(), store.PostQuery{EventUID: uid})
	require.NoError(b.t, err)
	return list
}

// states maps each post of a goal to its state, with what it was refused for or waits for.
func (b *bench) states(uid string) map[string]string {
	b.t.Helper()
	out := map[string]string{}
	for _, p := range b.posts(uid) {
		out[p.PostID] = string(p.State)
		if p.Reason != "" {
			out[p.PostID] += " " + string(p.Reason)
		}
	}
	return out
}

func (b *bench) rows(uid string, kind footy.EntryKind) []footy.Entry {
	b.t.Helper()
	rows, err := b.store.Entries(b.t.Context(), store.LogQuery{FixtureID: matchID, EventUID: uid, Kinds: []footy.EntryKind{kind}})
	require.NoError(b.t, err)
	return rows
}

// open writes a search's posts into the ledger for a Download, as the search does.
func (b *bench) open(ids ...string) download.Input {
	b.t.Helper()
	var key string
	b.changeEvent(oneGoal, func(e *footy.Event) { key = round.RetryID(e) })
	b.found(b.event(oneGoal), key, ids...)
	return download.Input{EventInput: policy.EventInput{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}, Download: key}
}

// found writes posts into the ledger for a Download.
func (b *bench) found(e footy.Event, download string, ids ...string) {
	b.t.Helper()
	for _, id := range ids {
		p, row := ledger.Found(matchID, e, footy.Candidate{PostID: id}, ledger.Search{Round: 1, Try: 1}, download, b.now(), ledger.DefaultDelays())
		require.NoError(b.t, b.store.AddPosts(b.t.Context(), []footy.Post{p}, row))
	}
}

// over ends the search of a goal: what is still to come is what it found.
func (b *bench) over(uid string) {
	b.t.Helper()
	b.changeEvent(uid, func(e *footy.Event) { round.End(e, e.Round.Number, footy.ReasonTriesUsed, b.now()) })
}

func timing() policy.Timing {
	t := policy.Defaults()
	t.UploadIdle = time.Second
	return t
}

func (b *bench) activities() pipeline.Activities {
	return pipeline.Activities{Ingest: b.ingest, Monitor: b.mon, Alias: &alias.Activities{}, Search: b.search, Download: b.down, Upload: b.up, Canary: &canary.Activities{}, Cleanup: b.old}
}

// do runs one activity once; a kill in the middle comes back as an error.
func do[T any](b *bench, activity named, in any) (out T, err error) {
	b.t.Helper()
	env := enginetest.Activity(fault.Interceptor(slog.New(slog.DiscardHandler)))
	b.activities().Register(env)
	val, err := env.ExecuteActivity(activity.Name(), in)
	if err == nil && val.HasValue() {
		require.NoError(b.t, val.Get(&out))
	}
	return out, err
}

func must[T any](b *bench, activity named, in any) T {
	b.t.Helper()
	out, err := do[T](b, activity, in)
	require.NoError(b.t, err)
	return out
}

// run takes a workflow to its end, with time skipped; its clock is the bench's.
func (b *bench) run(id string, w interface {
	Name() string
	Limit() time.Duration
}, in any, also func(*testsuite.TestWorkflowEnvironment)) error {
	b.t.Helper()
	env := enginetest.Workflow(fault.Interceptor(slog.New(slog.DiscardHandler)))
	env.SetStartTime(b.now())
	env.SetStartWorkflowOptions(client.StartWorkflowOptions{ID: id, TaskQueue: policy.QueueMain})
	env.SetWorkflowRunTimeout(w.Limit())
	pipeline.Workflows(env)
	b.activities().Register(env)
	if also != nil {
		also(env)
	}
	defer b.setEnv(b.setEnv(env))
	env.ExecuteWorkflow(w.Name(), in)
	require.True(b.t, env.IsWorkflowCompleted(), "%s hangs", id)
	b.at = env.Now()
	b.engine.set(id, round.Done)
	if env.GetWorkflowError() != nil {
		b.engine.set(id, round.Dead)
	}
	return env.GetWorkflowError()
}

func (b *bench) setEnv(env *testsuite.TestWorkflowEnvironment) (was *testsuite.TestWorkflowEnvironment) {
	b.mu.Lock()
	defer b.mu.Unlock()
	was, b.env = b.env, env
	return was
}

// beside runs the Download that a running search starts, while the search waits.
func (b *bench) beside(in download.Input) bool {
	b.mu.Lock()
	search := b.env
	b.mu.Unlock()
	if search == nil {
		return false
	}
	_ = b.run(in.Download, download.Workflow, in, nil)
	return true
}

// worker is a process that begins: what it knows lies in the store and with the objects.
func (b *bench) worker() *download.Activities {
	return &download.Activities{Store: b.store, Blob: b.blob, Fetcher: b.x, Decoder: filmed{}, Reader: b.model, Temporal: b.engine, Prints: new(prints.Memory),
		TempDir: b.t.TempDir(), Delays: ledger.DefaultDelays(), Now: b.now}
}

// batch takes posts through Download and Upload as Temporal would.
func (b *bench) batch(id string, in download.Input) {
	b.t.Helper()
	_ = b.run(id, download.Workflow, in, nil)
	b.upload()
}

// together is batch where all posts are there before the first is judged, as where the goal has a clip.
func (b *bench) together(in download.Input, ids ...string) {
	b.t.Helper()
	must[any](b, download.RegisterDownload, in)
	for _, id := range ids {
		must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{id}})
	}
	must[any](b, download.Validate, download.ValidateInput{Input: in, Posts: ids})
	must[any](b, download.QueueUpload, in)
	b.upload()
}

// upload runs the Uploads that were signalled.
func (b *bench) upload() {
	b.t.Helper()
	for _, s := range b.engine.take() {
		_ = b.run(s.id, upload.Workflow, s.start, func(env *testsuite.TestWorkflowEnvironment) {
			env.RegisterDelayedCallback(func() { env.SignalWorkflow(policy.SignalAddVideos, s.batch) }, 0)
		})
	}
}

func (b *bench) reconcile() monitor.Todo {
	b.t.Helper()
	return must[monitor.Todo](b, monitor.Reconcile, monitor.ReconcileInput{Poll: "p", Timing: timing()})
}

// cycle is one Monitor's reconcile with all that it starts.
func (b *bench) cycle() monitor.Todo {
	b.t.Helper()
	for _, in := range b.engine.takeBegun() {
		b.batch(in.Download, in)
	}
	todo := b.reconcile()
	for _, d := range todo.Downloads {
		b.batch(d.WorkflowID, download.Input{EventInput: policy.EventInput{FixtureID: d.FixtureID, EventUID: d.EventUID, Timing: timing()}, Download: d.WorkflowID, Retry: true})
	}
	return todo
}

// settle lets cycles pass until nothing is open, for at most the given time.
func (b *bench) settle(within time.Duration) {
	b.t.Helper()
	for end := b.at.Add(within); ; b.pass(30 * time.Second) {
		b.cycle()
		open, err := b.store.Posts(b.t.Context(), store.PostQuery{Open: true, Limit: 1})
		require.NoError(b.t, err)
		if len(open) == 0 {
			return
		}
		require.True(b.t, b.at.Before(end), "still open after %s: %v", within, b.states(oneGoal))
	}
}
