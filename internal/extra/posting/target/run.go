package target

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

// At these steps FOOTY_CRASH_AT may kill the process.
const (
	stepIntended = "posting-intended" // a post is recorded, the service was not asked
	stepSent     = "posting-sent"     // the service has it, which is not recorded
	stepEdited   = "posting-edited"   // the service has changed it, which is not recorded
	stepDeleted  = "posting-deleted"  // the service has deleted it, which is not recorded
)

// Steps lists them.
func Steps() []string { return []string{stepIntended, stepSent, stepEdited, stepDeleted} }

const (
	deepBack = 15 * 24 * time.Hour // a goal of another day may be taken down
	lastCall = 5 * time.Second     // of a process that is told to stop
	deepLook = 5 * time.Minute     // between two looks that far back
)

// SendNew does what is to be done now, one step after the other. The matches are read again before each step: sending a file may take
// minutes, and a goal that was cancelled meanwhile comes first.
func (t *Target) SendNew(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.opt.Now()
	if leads, err := t.opt.Lead(ctx, "posting/"+t.key); err != nil || !leads {
		return err
	}
	if err := t.readSince(ctx, now); err != nil {
		return err
	}
	from, deep := now.Add(-news.LookBack), now.Sub(t.looked) >= deepLook
	if deep {
		from = now.Add(-deepBack)
	}
	filter, err := t.opt.Filter(ctx)
	if err != nil { // existing posts are kept up to date, new ones wait
		filter = news.Filter{}
	}
	tried := map[string]bool{}
	var failed []error
	for !t.opt.Now().Before(t.rest) {
		fixtures, err := t.opt.Store.List(ctx, store.FixtureQuery{From: from, To: now.Add(time.Hour)})
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
		do, j := t.first(fixtures, filter, tried)
		if do == rule.Nothing {
			if deep {
				t.looked = now
			}
			break
		}
		tried[j.s.Event.UID] = true
		failed = append(failed, j.act(ctx, do))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if leads, err := t.opt.Lead(ctx, "posting/"+t.key); err != nil || !leads {
			return errors.Join(append(failed, err)...)
		}
	}
	return errors.Join(failed...)
}

// first is the step that is done first: one that sends no file, else the oldest. Goals whose record cannot be read are left alone.
func (t *Target) first(fixtures []footy.Fixture, filter news.Filter, tried map[string]bool) (do rule.Action, j *job) {
	for f, e := range footy.Events(fixtures) {
		was, err := rule.At(e, t.key)
		wanted := filter.Wants(f, e)
		if err != nil || tried[e.UID] || was.Target == "" && !wanted {
			continue
		}
		s := t.situation(f, e, was, wanted)
		is := rule.Next(s)
		if is == rule.Nothing || do != rule.Nothing && is.Sends(s) {
			continue
		}
		do, j = is, &job{Target: t, fixture: f.ID, s: s, post: Post{Text: s.Text, Link: t.link(e)}}
		if !is.Sends(s) {
			return do, j
		}
	}
	return do, j
}

// readSince reads since when this target is set up: older goals are not posted.
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

// finishing lets a call that was begun end when the process is told to stop: the delivery of one that is cut off is unknown.
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
	return rule.Render(t.opt.Template, f, e, t.link(e), t.traits.Text)
}

func (t *Target) situation(f *footy.Fixture, e *footy.Event, was rule.Posting, wanted bool) rule.Situation {
	s := rule.Situation{Event: e, Was: was, Wanted: wanted, Edits: t.editor != nil, Verified: t.opt.Verified, Since: t.since, Now: t.opt.Now(), Call: t.opt.Call, Clip: news.Best(e, t.opt.Verified)}
	clip := ""
	if s.Clip != nil {
		clip = s.Clip.ID
	}
	s.Text = t.text(f, e)
	s.Says = rule.Digest(s.Text, clip)
	return s
}

// job is one step at the service about one goal.
type job struct {
	*Target
	s       rule.Situation
	fixture int64
	post    Post
}

func (j *job) act(ctx context.Context, do rule.Action) error {
	ctx, cancel := finishing(ctx, j.opt.Call)
	defer cancel()
	switch do {
	case rule.Create:
		return j.create(ctx)
	case rule.GiveUp:
		return j.unsure(ctx, j.s.Was, cmp.Or(j.s.Was.Error, "the program ended while it was being posted"))
	case rule.Edit:
		return j.edit(ctx)
	case rule.Remove:
		return j.delete(ctx)
	}
	return nil
}

// holds reports whether goal, post and clip are as they were when it was decided what to do. A better clip does not count: where one comes
// after the other, nothing would ever be posted.
func (j *job) holds(f *footy.Fixture, clip string) bool {
	e := f.Event(j.s.Event.UID)
	if e == nil {
		return false
	}
	is, err := rule.At(e, j.key)
	if err != nil || is.Step != j.s.Was.Step || !is.At.Equal(j.s.Was.At) || !is.Until.Equal(j.s.Was.Until) || is.Tries != j.s.Was.Tries {
		return false
	}
	return e.Standing() && j.text(f, e) == j.s.Text && !news.IsWithdrawn(e, clip)
}

// create hands in the file where that comes before, writes the post down, and has the service make it, unless another process has begun or the goal
// has changed.
func (j *job) create(ctx context.Context) error {
	p := j.s.Was
	p.Target, p.Service = j.key, j.traits.Name
	if p.Step == rule.Deleted {
		p.Number++
	}
	if err := j.attach(ctx, &p); err != nil {
		return j.failed(ctx, p, err)
	}
	now := j.opt.Now()
	p.Step, p.At, p.Until, p.Says, p.Clip = rule.Begun, now, now.Add(j.opt.Call), j.s.Says, j.clip()
	p.ID, p.URL, p.Error = "", "", ""
	begun := false
	_, err := j.opt.Store.Update(context.WithoutCancel(ctx), j.fixture, func(f *footy.Fixture) ([]footy.Entry, error) {
		if begun = j.holds(f, p.Clip); !begun {
			return nil, store.ErrUnchanged
		}
		return nil, rule.Put(f.Event(j.s.Event.UID), p)
	})
	if err != nil || !begun {
		return err
	}
	crashpoint.Here(stepIntended)
	j.post.At = p.At
	at, err := j.opt.Service.Create(ctx, j.post)
	switch {
	case err == nil:
		crashpoint.Here(stepSent)
		p.Step, p.ID, p.URL, p.At, p.Until = rule.Done, at.ID, at.URL, j.opt.Now(), time.Time{}
		p.Error, p.Tries, p.NextTry, p.Refused, p.Asked = "", 0, time.Time{}, "", false
		return j.write(ctx, p, true)
	case errors.Is(err, ErrUnknown):
		return j.unsure(ctx, p, footy.UserMessage(err))
	}
	p.Step = rule.None
	if p.Number > 0 && !p.Asked {
		p.Step = rule.Deleted
	}
	return j.failed(ctx, p, err)
}

// unsure ends a post whose delivery is unknown: an operator says what became of it.
func (j *job) unsure(ctx context.Context, p rule.Posting, why string) error {
	p.Step, p.At, p.Until, p.NextTry, p.Asked = rule.Unsure, j.opt.Now(), time.Time{}, time.Time{}, false
	p.Error = why
	return j.write(ctx, p, true)
}

func (j *job) edit(ctx context.Context) error {
	p := j.s.Was
	if err := j.attach(ctx, &p); err != nil {
		return j.failed(ctx, p, err)
	}
	if f, err := j.opt.Store.Fixture(ctx, j.fixture); err != nil || !j.holds(&f, j.clip()) {
		return err
	}
	at, err := j.editor.Edit(ctx, Ref{p.ID, p.URL}, j.post)
	switch {
	case footy.IsNotFound(err): // deleted at the service, on purpose
		p.Step, p.At, p.ID, p.URL, p.Error = rule.Gone, j.opt.Now(), "", "", ""
		return j.write(ctx, p, true)
	case err != nil:
		return j.failed(ctx, p, err)
	}
	crashpoint.Here(stepEdited)
	p.ID, p.URL, p.Says, p.Clip, p.At, p.Edits = at.ID, at.URL, j.s.Says, j.clip(), j.opt.Now(), p.Edits+1
	p.Error, p.Tries, p.NextTry, p.Refused = "", 0, time.Time{}, ""
	return j.write(ctx, p, true)
}

func (j *job) delete(ctx context.Context) error {
	p := j.s.Was
	err := j.opt.Service.Delete(ctx, Ref{p.ID, p.URL})
	if err != nil && !footy.IsNotFound(err) {
		return j.failed(ctx, p, err)
	}
	crashpoint.Here(stepDeleted)
	p.Step, p.At, p.ID, p.URL, p.Clip, p.Says, p.Error, p.Tries, p.NextTry = rule.Deleted, j.opt.Now(), "", "", "", "", "", 0, time.Time{}
	return j.write(ctx, p, true)
}

// failed keeps what went wrong and when it is tried again. A video that the service does not take is posted as its picture at once, but
// takes no video from a post whose text is up to date.
func (j *job) failed(ctx context.Context, p rule.Posting, err error) error {
	err = Harmless(err)
	p.Target, p.Service, p.At, p.Until, p.Tries = j.key, j.traits.Name, j.opt.Now(), time.Time{}, p.Tries+1
	before := p.Error
	p.Error, p.NextTry = footy.UserMessage(err), j.again(p.Tries, err)
	refused := footy.CodeOf(err) == footy.CodeRejected || footy.CodeOf(err) == footy.CodeInvalid
	switch video := j.post.File != nil && j.post.File.Video; {
	case refused && video && !(p.Step == rule.Done && p.Says == rule.Digest(j.post.Text, p.Clip) && !news.IsWithdrawn(j.s.Event, p.Clip)):
		p.Picture, p.NextTry = rule.Picture{Clip: j.s.Clip.ID, Why: p.Error, Reason: footy.ReasonOf(err)}, j.opt.Now()
	case refused:
		p.Refused = j.s.Says
	}
	return errors.Join(err, j.write(ctx, p, p.Error != before))
}

// again is when the next try is. A wait that the service asks for, and a login that it refuses, hold for all goals.
func (j *job) again(tries int, err error) time.Time {
	at := j.opt.Now().Add(rule.Pause(tries))
	if e, ok := errors.AsType[*footy.Error](err); ok && e.RetryAfter > 0 {
		at = j.opt.Now().Add(e.RetryAfter)
		j.rest = at
	}
	if footy.CodeOf(err) == footy.CodeAuthRequired {
		j.rest = at
	}
	return at
}

// write keeps a step, with a row if it is to be told, also while the process is being stopped: the service has done it.
func (j *job) write(ctx context.Context, p rule.Posting, row bool) error {
	ctx = context.WithoutCancel(ctx)
	_, err := j.opt.Store.Update(ctx, j.fixture, func(f *footy.Fixture) ([]footy.Entry, error) {
		e := f.Event(j.s.Event.UID)
		if e == nil {
			return nil, store.ErrUnchanged
		}
		if err := rule.Put(e, p); err != nil || !row {
			return nil, err
		}
		key := fmt.Sprintf("%s/posting/%s/%d/%s/%d/%d", e.UID, p.Target, p.Number, p.Step, p.Edits, p.Tries)
		return []footy.Entry{{Key: key, FixtureID: f.ID, EventUID: e.UID, At: p.At, Kind: footy.EntryExtra, ClipID: p.Clip, Data: p.Row()}}, nil
	})
	if err == nil {
		j.opt.Page.Publish(ctx, stream.EntityEvent, j.s.Event.UID)
	}
	return err
}
