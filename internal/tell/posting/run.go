package posting

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

const (
	deepBack = 15 * 24 * time.Hour // a goal of another day may be taken down
	lastCall = 5 * time.Second     // of a process that is told to stop
	deepLook = 5 * time.Minute     // between two looks that far back
)

// SendNew does what is to be done now.
func (t *Target) SendNew(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.opt.Now()
	if leads, err := t.leads(ctx); err != nil || !leads {
		return err
	}
	if err := t.readSince(ctx, now); err != nil {
		return err
	}
	if now.Before(t.rest) { // a deep look at nothing would count as one
		return nil
	}
	from, deep := now.Add(-news.LookBack), now.Sub(t.looked) >= deepLook
	if deep {
		from = now.Add(-deepBack)
	}
	q := store.FixtureQuery{From: from, To: now.Add(time.Hour)}
	fixtures, err := t.opt.Store.List(ctx, q)
	if err != nil {
		return err
	}
	filter := news.Filter{All: true}
	if t.opt.Filter != nil {
		if filter, err = t.opt.Filter(ctx); err != nil { // what is posted is looked after, nothing new is
			filter = news.Filter{}
		}
	}
	again := func() error {
		fixtures, err := t.opt.Store.List(ctx, q)
		if err != nil {
			return err
		}
		return t.lookAt(ctx, fixtures, filter, nil)
	}
	if err := errors.Join(t.lookAt(ctx, fixtures, filter, nil), t.lookAt(ctx, fixtures, filter, again)); err != nil {
		return err
	}
	if deep {
		t.looked = now
	}
	return nil
}

// lookAt does what is to be done about the goals of these matches and sends no file, as that waits for no turn. With again it does what
// sends one, and calls again after each: a goal that was taken back meanwhile does not wait for all of them.
func (t *Target) lookAt(ctx context.Context, fixtures []footy.Fixture, filter news.Filter, again func() error) error {
	var failed []error
	for i := range fixtures {
		f := &fixtures[i]
		for j := range f.Events {
			do, s := t.step(f, &f.Events[j], filter)
			if do == nothing || do.sends(s) != (again != nil) || s.now.Before(t.rest) {
				continue
			}
			failed = append(failed, t.act(ctx, f.ID, do, s, filter))
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if again != nil && !t.opt.Now().Before(t.rest) {
				failed = append(failed, again())
			}
		}
	}
	return errors.Join(failed...)
}

func (t *Target) leads(ctx context.Context) (bool, error) {
	if t.opt.Lead == nil {
		return true, nil
	}
	return t.opt.Lead(ctx, "posting/"+t.key)
}

// readSince learns when this target was set up: what was scored long before is not posted.
func (t *Target) readSince(ctx context.Context, now time.Time) error {
	if t.since.IsZero() {
		if err := t.opt.Store.State(ctx, "posting/"+t.key, &t.since); err != nil && !footy.IsNotFound(err) {
			return err
		}
	}
	if !t.since.IsZero() && !t.since.After(now.Add(cycle.ClocksDiffer)) { // else a clock was ahead
		return nil
	}
	t.since = now
	return t.opt.Store.PutState(ctx, "posting/"+t.key, now)
}

// act does what is to be done about one goal.
func (t *Target) act(ctx context.Context, fixture int64, do step, s situation, filter news.Filter) error {
	files := do.sends(s)
	sent := func() {}
	if files { // the time of the call begins when it is its turn
		if err := t.uploads.Acquire(ctx, 1); err != nil {
			return err
		}
		sent = sync.OnceFunc(func() { t.uploads.Release(1) })
	}
	defer sent()
	if leads, err := t.leads(ctx); err != nil || !leads {
		return err
	}
	if files { // the goal may be another one by now
		fresh, err := t.opt.Store.Fixture(ctx, fixture)
		if err != nil {
			return err
		}
		e := fresh.Event(s.event.UID)
		if e == nil {
			return nil
		}
		if do, s = t.step(&fresh, e, filter); do == nothing {
			return nil
		}
		if !do.sends(s) {
			sent()
		}
	}
	job := job{Target: t, fixture: fixture, s: s, post: Post{Text: s.text, Link: t.link(s.event)}, sent: sent}
	ctx, cancel := finishing(ctx, t.opt.Call)
	defer cancel()
	defer func() { t.hung(errors.Is(ctx.Err(), context.DeadlineExceeded)) }()
	switch do {
	case create:
		return job.create(ctx)
	case resolve:
		return job.resolve(ctx)
	case edit:
		return job.edit(ctx)
	case remove:
		return job.delete(ctx)
	case watch:
		return job.watch(ctx)
	}
	return nil
}

// step is what is to be done about one goal, and on what that rests.
func (t *Target) step(f *footy.Fixture, e *footy.Event, filter news.Filter) (step, situation) {
	wanted := filter.Wants(f, e)
	if e.Posting(t.key) == nil && !wanted {
		return nothing, situation{}
	}
	s := t.situation(f, e, wanted)
	do, _ := next(s)
	return do, s
}

// hung lets a service rest whose call ended by its deadline: each of its files keeps those of the others waiting for as long.
func (t *Target) hung(did bool) {
	if !did {
		t.hangs = 0
		return
	}
	t.hangs++
	if at := t.opt.Now().Add(pause(t.hangs + 1)); at.After(t.rest) {
		t.rest = at
	}
}

// finishing lets a call that was begun end when the process is told to stop: one that is cut off leaves everybody unsure.
func finishing(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(lastCall, cancel) })
	return detached, func() {
		stop()
		cancel()
	}
}

func (t *Target) link(e *footy.Event) string {
	if t.opt.BaseURL == "" {
		return ""
	}
	return t.opt.BaseURL + footy.GoalPath(e.UID) // which a corrected scorer does not change
}

func (t *Target) text(f *footy.Fixture, e *footy.Event) string {
	return render(t.opt.Template, f, e, t.link(e), t.traits.Text)
}

func (t *Target) situation(f *footy.Fixture, e *footy.Event, wanted bool) situation {
	s := situation{event: e, wanted: wanted, edits: t.editor != nil, verified: t.opt.Verified, since: t.since, now: t.opt.Now(), call: t.opt.Call, clip: news.Best(e, t.opt.Verified)}
	if was := e.Posting(t.key); was != nil {
		s.was = *was
	}
	clip := ""
	if s.clip != nil {
		clip = s.clip.ID
	}
	s.text = t.text(f, e)
	s.says = digest(s.text, clip, s.clip != nil)
	return s
}

// job is one step at the service about one goal.
type job struct {
	*Target
	s       situation
	fixture int64
	post    Post
	sent    func()      // lets the next file of this process be sent
	unread  atomic.Bool // the storage is asked for the clip and has not answered, or with an error
}

// create posts: the file is handed in where it can be before, the post is written down, then the service is asked.
func (j *job) create(ctx context.Context) error {
	p := j.s.was
	p.Target, p.Service = j.key, j.traits.Name
	if p.Step == footy.PostingDeleted {
		p.Number++
	}
	if err := j.attach(ctx, &p); err != nil {
		return j.failed(ctx, p, err)
	}
	now := j.opt.Now()
	p.Step, p.At, p.Until, p.Text, p.Says, p.Clip = footy.PostingBegun, now, now.Add(j.opt.Call), j.post.Text, j.s.says, j.clip()
	p.ID, p.URL, p.Error, p.Handle = "", "", "", j.post.Handle
	if begun, err := j.begin(ctx, p); err != nil || !begun {
		return err
	}
	crashpoint.Here(crashpoint.PostingIntended)
	return j.ask(ctx, p)
}

// begin writes down that this process posts, unless another has begun since we looked, as a file may take longer than a lease lasts, or the
// goal is not what it was then. A better clip does not count: where they come one after the other, none would ever be posted.
func (j *job) begin(ctx context.Context, p footy.Posting) (begun bool, err error) {
	_, err = j.opt.Store.Update(context.WithoutCancel(ctx), j.fixture, func(f *footy.Fixture) ([]footy.Entry, error) {
		if begun = j.holds(f, p.Clip); !begun {
			return nil, store.ErrUnchanged
		}
		f.Event(j.s.event.UID).SetPosting(p)
		return nil, nil
	})
	return begun, err
}

// holds reports whether goal, post and clip are as they were when it was decided what to do.
func (j *job) holds(f *footy.Fixture, clip string) bool {
	e := f.Event(j.s.event.UID)
	if e == nil {
		return false
	}
	var is footy.Posting
	if there := e.Posting(j.key); there != nil {
		is = *there
	}
	if is.Step != j.s.was.Step || !is.At.Equal(j.s.was.At) || !is.Until.Equal(j.s.was.Until) || is.Tries != j.s.was.Tries {
		return false
	}
	return e.Standing() && j.text(f, e) == j.s.text && !news.IsWithdrawn(e, clip)
}

// ask has the service post what is written down.
func (j *job) ask(ctx context.Context, p footy.Posting) error {
	j.post.Handle, j.post.Key, j.post.At, j.post.Text = p.Handle, fmt.Sprintf("footy-%s-%s-%d", j.s.event.UID, j.key, p.Number), p.At, p.Text
	at, err := j.opt.Service.Create(ctx, j.post)
	switch {
	case err == nil:
		crashpoint.Here(crashpoint.PostingSent)
		return j.posted(ctx, p, at)
	case errors.Is(err, ErrUnknown):
		return j.unanswered(ctx, p, err)
	}
	p.Step = footy.PostingNone
	if p.Number > 0 && !p.Asked {
		p.Step = footy.PostingDeleted
	}
	return j.failed(ctx, p, err)
}

func (j *job) posted(ctx context.Context, p footy.Posting, at Ref) error {
	p.Step, p.ID, p.URL, p.At, p.Until, p.Text, p.Handle = footy.PostingDone, at.ID, at.URL, j.opt.Now(), time.Time{}, "", ""
	p.Error, p.Tries, p.NextTry, p.Refused, p.Asked = "", 0, time.Time{}, "", false
	if j.watcher != nil && p.Clip != "" && p.Picture.Clip != p.Clip {
		p.LookAt = p.At.Add(ShownWithin)
	}
	return j.write(ctx, p, &footy.Evidence{Step: p.Step, URL: p.URL, Picture: p.Picture.Why})
}

// unanswered keeps a post in doubt, to be looked for where it can be.
func (j *job) unanswered(ctx context.Context, p footy.Posting, err error) error {
	if j.finder == nil {
		return j.unsure(ctx, p, footy.UserMessage(err))
	}
	p.Until, p.Tries = time.Time{}, p.Tries+1
	p.NextTry, p.Error = j.again(p.Tries, err), footy.UserMessage(err)
	return errors.Join(err, j.write(ctx, p, nil))
}

// unsure ends a post of which nobody can tell whether it was made: not twice is what is promised.
func (j *job) unsure(ctx context.Context, p footy.Posting, why string) error {
	p.Step, p.At, p.Until, p.Text, p.Handle, p.NextTry, p.Asked = footy.PostingUnsure, j.opt.Now(), time.Time{}, "", "", time.Time{}, false
	p.Error = why
	return j.write(ctx, p, &footy.Evidence{Step: p.Step, Failed: why})
}

// resolve finds out what became of a post that was begun and never answered, by a process that died perhaps.
func (j *job) resolve(ctx context.Context) error {
	p := j.s.was
	if j.finder == nil {
		return j.unsure(ctx, p, "the program ended while it was being posted")
	}
	if p.At.After(j.s.now.Add(cycle.ClocksDiffer)) { // services look for it from that time on
		return j.unsure(ctx, p, "the program ended while it was being posted, and the clock was ahead")
	}
	j.post.Text, j.post.Handle, j.post.At = p.Text, p.Handle, p.At
	j.post.Key = fmt.Sprintf("footy-%s-%s-%d", j.s.event.UID, j.key, p.Number)
	at, err := j.finder.Find(ctx, j.post)
	switch {
	case err == nil:
		return j.posted(ctx, p, at)
	case !footy.IsNotFound(err):
		return j.unanswered(ctx, p, err)
	case !j.s.event.Standing() || news.IsWithdrawn(j.s.event, p.Clip) || !j.s.fresh() && !p.Asked:
		p.Step, p.Until, p.Text, p.Handle = footy.PostingNone, time.Time{}, "", ""
		if p.Number > 0 {
			p.Step = footy.PostingDeleted
		}
		return j.write(ctx, p, nil)
	}
	p.Until = j.opt.Now().Add(j.opt.Call)
	if begun, err := j.begin(ctx, p); err != nil || !begun {
		return err
	}
	return j.ask(ctx, p)
}

func (j *job) edit(ctx context.Context) error {
	p := j.s.was
	if err := j.attach(ctx, &p); err != nil {
		return j.failed(ctx, p, err)
	}
	if f, err := j.opt.Store.Fixture(ctx, j.fixture); err != nil || !j.holds(&f, j.clip()) {
		return err
	}
	at, err := j.editor.Edit(ctx, Ref{p.ID, p.URL}, j.post)
	switch {
	case footy.IsNotFound(err):
		return j.gone(ctx, p)
	case err != nil:
		return j.failed(ctx, p, err)
	}
	crashpoint.Here(crashpoint.PostingEdited)
	p.ID, p.URL, p.Says, p.Clip, p.At, p.Edits = at.ID, at.URL, j.s.says, j.clip(), j.opt.Now(), p.Edits+1
	p.Error, p.Tries, p.NextTry, p.Refused = "", 0, time.Time{}, ""
	return j.write(ctx, p, &footy.Evidence{Step: p.Step, URL: p.URL, Picture: p.Picture.Why})
}

func (j *job) delete(ctx context.Context) error {
	p := j.s.was
	err := j.opt.Service.Delete(ctx, Ref{p.ID, p.URL})
	if err != nil && !footy.IsNotFound(err) {
		return j.failed(ctx, p, err)
	}
	crashpoint.Here(crashpoint.PostingDeleted)
	p.Step, p.At, p.ID, p.URL, p.Clip, p.Says, p.Error, p.Tries, p.NextTry = footy.PostingDeleted, j.opt.Now(), "", "", "", "", "", 0, time.Time{}
	p.LookAt, p.Unseen = time.Time{}, ""
	return j.write(ctx, p, &footy.Evidence{Step: p.Step})
}

// gone: somebody deleted it at the service, and meant it.
func (j *job) gone(ctx context.Context, p footy.Posting) error {
	p.Step, p.At, p.ID, p.URL, p.Error = footy.PostingGone, j.opt.Now(), "", "", ""
	return j.write(ctx, p, &footy.Evidence{Step: p.Step})
}

// failed keeps what went wrong and when it is tried again.
func (j *job) failed(ctx context.Context, p footy.Posting, err error) error {
	now, err := j.opt.Now(), Harmless(err)
	if j.late(err) {
		err = footy.Errorf(footy.CodeUnavailable, readClip, "the storage of the clips did not answer within %s", explain.Spoken(j.opt.Call))
	}
	p.Target, p.Service, p.At, p.Until, p.Tries = j.key, j.traits.Name, now, time.Time{}, p.Tries+1
	p.Text, p.Handle = "", ""
	before := p.Error
	p.Error, p.NextTry = footy.UserMessage(err), j.again(p.Tries, err)
	switch code := footy.CodeOf(err); {
	case j.post.File != nil && j.post.File.Video && (code == footy.CodeRejected || errors.Is(err, errNoVideo)):
		j.fallBack(&p, err)
	case code == footy.CodeRejected || code == footy.CodeInvalid:
		p.Refused = j.s.says
	}
	var row *footy.Evidence
	if p.Error != before {
		row = &footy.Evidence{Step: p.Step, Failed: p.Error}
	}
	return errors.Join(err, j.write(ctx, p, row))
}

// again is when the next try is. A wait that the service asks for, and a login that it refuses, are those of all goals.
func (j *job) again(tries int, err error) time.Time {
	at := j.opt.Now().Add(pause(tries))
	var e *footy.Error
	if errors.As(err, &e) && e.RetryAfter > 0 {
		at = j.opt.Now().Add(e.RetryAfter)
		j.rest = at
	}
	if footy.CodeOf(err) == footy.CodeAuthRequired {
		j.rest = at
	}
	return at
}

// write keeps a step with its row, also while the process is being stopped: the service has done it.
func (j *job) write(ctx context.Context, p footy.Posting, row *footy.Evidence) error {
	ctx = context.WithoutCancel(ctx)
	_, err := j.opt.Store.Update(ctx, j.fixture, func(f *footy.Fixture) ([]footy.Entry, error) {
		e := f.Event(j.s.event.UID)
		if e == nil {
			return nil, store.ErrUnchanged
		}
		e.SetPosting(p)
		if row == nil {
			return nil, nil
		}
		row.Service, row.Edits = p.Service, p.Edits
		at, key := p.At, fmt.Sprintf("%s/posting/%s/%d/%s/%d/%d", e.UID, p.Target, p.Number, p.Step, p.Edits, p.Tries)
		if row.Unseen != "" { // beside the row of the post
			at, key = j.opt.Now(), key+"/unseen"
		}
		return []footy.Entry{{Key: key, FixtureID: f.ID, EventUID: e.UID,
			At: at, Kind: footy.EntryPosting, ClipID: p.Clip, Data: *row}}, nil
	})
	if err == nil && j.opt.Page != nil {
		j.opt.Page.Publish(ctx, stream.EntityEvent, j.s.event.UID)
	}
	return err
}
