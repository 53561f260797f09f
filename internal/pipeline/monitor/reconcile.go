package monitor

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/fetchhealth"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

// Reconcile is the activity of this name, as workflows call it.
var Reconcile = policy.Define[ReconcileInput, Todo]("reconcile", policy.Row{Queue: policy.QueueMain, Timeout: 90 * time.Second, Heartbeat: 30 * time.Second, Tries: 2,
	Why: "asks Temporal about open searches and Downloads only; the next cycle comes anyway"})

// Reconcile goes on with what no workflow works at: it begins dead searches again, gives posts whose time has come to a new Download,
// and completes events of which nothing is open.
func (a *Activities) Reconcile(ctx context.Context, in ReconcileInput) (Todo, error) {
	r := reconciler{Activities: a, in: in, now: a.Now().UTC()}
	posts, err := a.Store.Posts(ctx, store.PostQuery{Due: r.now})
	if err != nil {
		return r.todo, err
	}
	r.due, r.gone, r.rests = map[string][]footy.Post{}, map[string]bool{}, map[source.Place]bool{}
	ids := []int64{}
	for _, p := range posts {
		r.due[p.EventUID], r.gone[p.EventUID] = append(r.due[p.EventUID], p), true
		ids = append(ids, p.FixtureID)
	}
	fixtures, err := a.Store.List(ctx, store.FixtureQuery{Open: true}) // also of matches that are over: somebody may search again
	if err != nil {
		return r.todo, err
	}
	for _, f := range fixtures {
		ids = slices.DeleteFunc(ids, func(id int64) bool { return id == f.ID })
	}
	if len(ids) > 0 { // nothing else is open there than posts that wait
		slices.Sort(ids)
		over, err := a.Store.List(ctx, store.FixtureQuery{IDs: slices.Compact(ids)})
		if err != nil {
			return r.todo, err
		}
		fixtures = append(fixtures, over...)
	}
	for _, f := range fixtures {
		activity.RecordHeartbeat(ctx, f.ID)
		r.todo.Searches = append(r.todo.Searches, searches(f, r.now, startGrace)...)
		for i := range f.Events {
			delete(r.gone, f.Events[i].UID)
			activity.RecordHeartbeat(ctx, f.ID)
			if err := r.event(ctx, f, &f.Events[i]); err != nil {
				r.todo.Failed++
				activity.GetLogger(ctx).Error("event not reconciled", "module", "monitor", "action", "reconcile", "event_id", f.Events[i].ID, "error", err)
			}
		}
	}
	for uid := range r.gone {
		if store.HasDamage(a.Store, store.FixturesColl, strconv.FormatInt(r.due[uid][0].FixtureID, 10)) {
			continue // its match is there and cannot be read: the goal may stand
		}
		for _, p := range r.due[uid] {
			if _, err := r.advance(ctx, p, ledger.LoseEvent()); err != nil {
				r.todo.Failed++
				activity.GetLogger(ctx).Error("lost post not ended", "module", "monitor", "action", "reconcile", "event_uid", uid, "post_id", p.PostID, "error", err)
			}
		}
	}
	newestFirst(r.todo.Searches)
	return r.todo.bounded(), nil
}

// advance moves a post; false if another moved it meanwhile.
func (r *reconciler) advance(ctx context.Context, p footy.Post, what ledger.Move) (bool, error) {
	return policy.Advance(ctx, r.Store, p, what, r.now, r.Delays)
}

// reconciler is the state of one reconcile step.
type reconciler struct {
	*Activities
	in    ReconcileInput
	now   time.Time
	due   map[string][]footy.Post // by event
	gone  map[string]bool         // events with due posts that no fixture has
	ready *bool                   // whether the model answers; asked once, where it matters
	rests map[source.Place]bool   // whether fetching rests there; asked once, where it matters
	todo  Todo
}

func (r *reconciler) event(ctx context.Context, f footy.Fixture, e *footy.Event) error {
	if e.Certain() && !e.Removed {
		if err := r.search(ctx, f, e); err != nil {
			return err
		}
	}
	if err := r.posts(ctx, f, e); err != nil {
		return err
	}
	if err := r.handOver(ctx, f, e); err != nil {
		return err
	}
	if e.Removed || !e.Certain() || e.DownloadComplete {
		return nil
	}
	if as := *e; !r.in.Timing.Limits().Complete(&as, nil, r.now) {
		return nil // whatever its posts say: no need to read them and the match again
	}
	complete, err := upload.Complete(ctx, r.Store, policy.EventInput{FixtureID: f.ID, EventUID: e.UID, Timing: r.in.Timing}, r.now)
	if complete && err == nil {
		r.Page.Publish(ctx, "event", e.UID)
	}
	return err
}

// handOver offers the posts of a goal that was listed twice to the event that stands for it.
func (r *reconciler) handOver(ctx context.Context, f footy.Fixture, e *footy.Event) error {
	to := f.Event(e.SameAs)
	if to == nil || !to.Standing() || r.now.Sub(e.RemovedAt) >= handOverFor {
		return nil
	}
	posts, err := r.Store.Posts(ctx, store.PostQuery{FixtureID: f.ID, EventUID: e.UID})
	for _, p := range posts {
		if err == nil && p.State != footy.PostRefused && p.State != footy.PostPassed {
			err = policy.Offer(ctx, r.Store, *to, p, r.now, r.Delays)
		}
	}
	return err
}

// handOverFor is how long it is looked for posts of a goal that was listed twice: its workflows may still write some.
const handOverFor = 10 * time.Minute

// search begins a search that is gone again, or ends the round whose time is up.
func (r *reconciler) search(ctx context.Context, f footy.Fixture, e *footy.Event) error {
	if e.DownloadComplete || !e.Round.EndedAt.IsZero() || !e.Round.TakenUp() && r.now.Sub(e.Round.OpenedAt) < startGrace {
		return nil
	}
	status, err := r.Status(ctx, cmp.Or(e.Round.TakenUpBy, e.Round.Workflow))
	if err != nil {
		return err
	}
	limits := r.in.Timing.Limits()
	plan := limits.PlanSearch(e, status, r.now)
	if plan == round.SearchLeave {
		return nil
	}
	was := e.Round
	updated, err := inputOf(f, *e).Change(ctx, r.Store, func(_ *footy.Fixture, ev *footy.Event) ([]footy.Entry, error) {
		if ev.Round.Number != was.Number || ev.Round.TakenUpBy != was.TakenUpBy || ev.Round.Workflow != was.Workflow || limits.PlanSearch(ev, status, r.now) != plan {
			return nil, store.ErrUnchanged
		}
		if plan == round.SearchRestart {
			round.RestartSearch(ev)
			return nil, nil
		}
		why, over := limits.Over(ev, r.now)
		if !over {
			why = footy.ReasonWindowOver
		}
		round.End(ev, ev.Round.Number, why, r.now)
		return nil, nil
	})
	if err != nil || updated == nil {
		return err
	}
	*e = *updated
	if plan == round.SearchRestart && !e.Round.TakenUp() {
		r.todo.Searches = slices.DeleteFunc(r.todo.Searches, func(s Search) bool { return s.EventUID == e.UID }) // under its former id
		r.todo.Searches = append(r.todo.Searches, searchOf(f, *e))
	}
	return nil
}

// posts gives those whose time has come to a Download of their own, but for posts whose Download, or the event's Upload behind it, is
// still at work, posts that wait for their goal, and posts that only wait for a model that still does not answer, or to be fetched where that
// rests. Posts of an event that was never certain end with its match.
func (r *reconciler) posts(ctx context.Context, f footy.Fixture, e *footy.Event) error {
	around := ledger.Around{Forgotten: ledger.Forgotten(&f, e)}
	var free []footy.Post
	asked := map[string]bool{}
	for _, p := range r.due[e.UID] {
		at, err := r.around(ctx, *e, p, around, asked)
		if err != nil {
			return err
		}
		do, isFree := ledger.Due(p, e, at)
		if isFree {
			free = append(free, p)
			continue
		}
		if _, err := r.advance(ctx, p, do); err != nil {
			return err
		}
	}
	if len(free) == 0 || len(r.todo.Downloads) >= mostStarted { // the next cycle takes them
		return nil
	}
	return r.download(ctx, f, e, free)
}

// around is what is found around a post; of what costs a call only what may matter is asked. asked remembers the Downloads.
func (r *reconciler) around(ctx context.Context, e footy.Event, p footy.Post, a ledger.Around, asked map[string]bool) (_ ledger.Around, err error) {
	if a.Forgotten {
		return a, nil
	}
	if p.State != footy.PostWaiting && p.Download != "" {
		var known bool
		if a.Busy, known = asked[p.Download]; !known {
			if a.Busy, err = r.working(ctx, e, p.Download); err != nil {
				return a, err
			}
			asked[p.Download] = a.Busy
		}
	}
	if ledger.AwaitsModel(p) && !e.Removed && !r.modelReady(ctx) {
		a.NoModel = r.noModel()
	}
	a.Rests, err = r.resting(ctx, p)
	return a, err
}

// working tells whether a Download, or the Upload that it told, is still at it.
func (r *reconciler) working(ctx context.Context, e footy.Event, download string) (bool, error) {
	status, err := r.Status(ctx, download)
	if err == nil && status == round.Done && e.UploadWorkflow != "" {
		status, err = r.Status(ctx, e.UploadWorkflow)
	}
	return status == round.Running, err
}

// download gives free posts to a new Download. They are claimed at once: the next cycle must not begin another one for them. An event
// that was complete is open again.
func (r *reconciler) download(ctx context.Context, f footy.Fixture, e *footy.Event, free []footy.Post) error {
	var id string
	updated, err := inputOf(f, *e).Change(ctx, r.Store, func(_ *footy.Fixture, ev *footy.Event) ([]footy.Entry, error) {
		id = round.RetryID(ev)
		round.Reopen(ev)
		return nil, nil
	})
	if err != nil || updated == nil {
		return err
	}
	*e = *updated
	claimed := false
	for _, p := range free {
		var mine bool
		if mine, err = r.advance(ctx, p, ledger.Claim(id)); err != nil {
			break // what is claimed begins all the same: no other Download may have it
		}
		claimed = claimed || mine
	}
	crashpoint.Here(crashpoint.WaitingOffered)
	if claimed {
		r.todo.Downloads = append(r.todo.Downloads, Download{download.Input{EventInput: inputOf(f, *e)}, id, labelOf(f, *e)})
	}
	return err
}

// resting tells whether a post that waits to be fetched would find that this rests. One is let through when a turn is due.
func (r *reconciler) resting(ctx context.Context, p footy.Post) (bool, error) {
	if !ledger.AwaitsFetch(p) {
		return false, nil
	}
	at := source.PlaceOf(p.PostID)
	if rests, known := r.rests[at]; known {
		return rests, nil
	}
	h, err := store.Fact[source.FetchHealth](ctx, r.Store, at.FetchHealthKey())
	if err != nil {
		return false, err
	}
	_, turn := fetchhealth.TakeTurn(h, r.Delays.TurnEvery(), r.now)
	r.rests[at] = fetchhealth.Resting(h)
	return r.rests[at] && !turn, nil
}

func (r *reconciler) modelReady(ctx context.Context) bool {
	if r.ready == nil {
		ok := r.Reader != nil && r.Reader.Ready(ctx) == nil
		r.ready = &ok
	}
	return *r.ready
}

// noModel is what posts wait for while no model answers.
func (r *reconciler) noModel() footy.Reason {
	if r.Reader == nil {
		return footy.ReasonNoModel
	}
	return footy.ReasonModelUnreachable
}
