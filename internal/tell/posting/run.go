package posting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/store"
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
	from, deep := now.Add(-news.LookBack), now.Sub(t.looked) >= deepLook
	if deep {
		from = now.Add(-deepBack)
	}
	fixtures, err := t.opt.Store.List(ctx, store.FixtureQuery{From: from, To: now.Add(time.Hour)})
	if err != nil {
		return err
	}
	filter := news.Filter{All: true}
	if t.opt.Filter != nil {
		if filter, err = t.opt.Filter(ctx); err != nil { // what is posted is looked after, nothing new is
			filter = news.Filter{}
		}
	}
	var failed []error
	for i := range fixtures {
		f := &fixtures[i]
		for j := range f.Events {
			e := &f.Events[j]
			err := t.look(ctx, f, e, filter.Wants(f, e), now)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			failed = append(failed, err)
			if t.opt.Now().Before(t.rest) {
				return errors.Join(failed...)
			}
		}
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	if deep {
		t.looked = now
	}
	return nil
}

func (t *Target) leads(ctx context.Context) (bool, error) {
	if t.opt.Lead == nil {
		return true, nil
	}
	return t.opt.Lead(ctx, "posting/"+t.key)
}

// readSince learns when this target was set up: what was certain long before is not posted.
func (t *Target) readSince(ctx context.Context, now time.Time) error {
	if !t.since.IsZero() {
		return nil
	}
	err := t.opt.Store.State(ctx, "posting/"+t.key, &t.since)
	if footy.IsNotFound(err) {
		t.since = now
		return t.opt.Store.PutState(ctx, "posting/"+t.key, now)
	}
	return err
}

// look does what is to be done about one goal.
func (t *Target) look(ctx context.Context, f *footy.Fixture, e *footy.Event, wanted bool, now time.Time) error {
	was := e.Posting(t.key)
	if was == nil && !wanted {
		return nil
	}
	s, text := t.situation(f, e, now)
	if was != nil {
		s.was = *was
	}
	do := next(s)
	if do == nothing || do == create && !wanted || now.Before(t.rest) {
		return nil
	}
	if leads, err := t.leads(ctx); err != nil || !leads {
		return err
	}
	ctx, cancel := finishing(ctx, t.opt.Call)
	defer cancel()
	job := job{Target: t, fixture: f.ID, s: s, post: Post{Text: text, Link: t.link(e)}}
	switch do {
	case create:
		return job.create(ctx)
	case resolve:
		return job.resolve(ctx)
	case edit:
		return job.edit(ctx)
	case remove:
		return job.delete(ctx)
	}
	return nil
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

func (t *Target) situation(f *footy.Fixture, e *footy.Event, now time.Time) (situation, string) {
	s := situation{event: e, traits: t.traits, verified: t.opt.Verified, since: t.since, now: now, clip: news.Best(e, t.opt.Verified)}
	text, clip := render(t.opt.Template, f, e, t.link(e), t.traits.Text), ""
	if s.clip != nil {
		clip = s.clip.ID
	}
	s.says = digest(text, clip, s.clip != nil)
	return s, text
}

// job is one step at the service about one goal.
type job struct {
	*Target
	s       situation
	fixture int64
	post    Post
}

// create posts: the file is handed in where it can be before, the post is written down, then the service is asked.
func (j *job) create(ctx context.Context) error {
	p := j.s.was
	p.Target, p.Service = j.key, j.traits.Name
	if p.Step == footy.PostingDeleted {
		p.Number++
	}
	file, err := j.file(ctx)
	if err != nil {
		return j.failed(ctx, p, err)
	}
	j.post.File = file
	if j.traits.Before && file != nil {
		if p.Handle, err = j.opt.Service.Upload(ctx, *file); err != nil {
			return j.failed(ctx, p, err)
		}
	}
	now := j.opt.Now()
	p.Step, p.At, p.Until, p.Text, p.Says, p.Clip = footy.PostingBegun, now, now.Add(j.opt.Call), j.post.Text, j.s.says, ""
	p.ID, p.URL, p.Error = "", "", ""
	if file != nil {
		p.Clip = j.s.clip.ID
	}
	if begun, err := j.begin(ctx, p); err != nil || !begun {
		return err
	}
	crashpoint.Here(crashpoint.PostingIntended)
	return j.ask(ctx, p)
}

// begin writes down that this process posts, unless another has begun since we looked: a file may take longer than a lease lasts.
func (j *job) begin(ctx context.Context, p footy.Posting) (begun bool, err error) {
	_, err = j.opt.Store.Update(context.WithoutCancel(ctx), j.fixture, func(f *footy.Fixture) ([]footy.Entry, error) {
		begun = false
		e := f.Event(j.s.event.UID)
		if e == nil {
			return nil, store.ErrUnchanged
		}
		var is footy.Posting
		if there := e.Posting(j.key); there != nil {
			is = *there
		}
		if is.Step != j.s.was.Step || !is.At.Equal(j.s.was.At) || !is.Until.Equal(j.s.was.Until) || is.Tries != j.s.was.Tries {
			return nil, store.ErrUnchanged
		}
		begun = true
		e.SetPosting(p)
		return nil, nil
	})
	return begun, err
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
	return j.write(ctx, p, &footy.Evidence{Step: p.Step, URL: p.URL})
}

// unanswered keeps a post in doubt, to be looked for where it can be.
func (j *job) unanswered(ctx context.Context, p footy.Posting, err error) error {
	if !j.traits.Finds {
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
	if !j.traits.Finds {
		return j.unsure(ctx, p, "the program ended while it was being posted")
	}
	j.post.Text, j.post.Handle, j.post.At = p.Text, p.Handle, p.At
	j.post.Key = fmt.Sprintf("footy-%s-%s-%d", j.s.event.UID, j.key, p.Number)
	at, err := j.opt.Service.Find(ctx, j.post)
	switch {
	case err == nil:
		return j.posted(ctx, p, at)
	case !footy.IsNotFound(err):
		return j.unanswered(ctx, p, err)
	case !j.s.event.Standing() || !j.s.fresh() && !p.Asked:
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
	file, err := j.file(ctx)
	if err != nil {
		return j.failed(ctx, p, err)
	}
	j.post.File = file
	if j.traits.Before && file != nil {
		if j.post.Handle, err = j.opt.Service.Upload(ctx, *file); err != nil {
			return j.failed(ctx, p, err)
		}
	}
	at, err := j.opt.Service.Edit(ctx, Ref{p.ID, p.URL}, j.post)
	switch {
	case footy.IsNotFound(err):
		return j.gone(ctx, p)
	case err != nil:
		return j.failed(ctx, p, err)
	}
	crashpoint.Here(crashpoint.PostingEdited)
	p.ID, p.URL, p.Says, p.Clip, p.At, p.Edits = at.ID, at.URL, j.s.says, "", j.opt.Now(), p.Edits+1
	p.Error, p.Tries, p.NextTry, p.Refused = "", 0, time.Time{}, ""
	if file != nil {
		p.Clip = j.s.clip.ID
	}
	return j.write(ctx, p, &footy.Evidence{Step: p.Step, URL: p.URL})
}

func (j *job) delete(ctx context.Context) error {
	p := j.s.was
	err := j.opt.Service.Delete(ctx, Ref{p.ID, p.URL})
	if err != nil && !footy.IsNotFound(err) {
		return j.failed(ctx, p, err)
	}
	crashpoint.Here(crashpoint.PostingDeleted)
	p.Step, p.At, p.ID, p.URL, p.Clip, p.Says, p.Error, p.Tries, p.NextTry = footy.PostingDeleted, j.opt.Now(), "", "", "", "", "", 0, time.Time{}
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
	p.Target, p.Service, p.At, p.Until, p.Tries = j.key, j.traits.Name, now, time.Time{}, p.Tries+1
	p.Text, p.Handle = "", ""
	before := p.Error
	p.Error, p.NextTry = footy.UserMessage(err), j.again(p.Tries, err)
	switch code := footy.CodeOf(err); {
	case code == footy.CodeRejected && footy.ReasonOf(err) == footy.ReasonTooLarge && j.post.File != nil && j.post.File.Video:
		j.smaller, p.NextTry = int64(len(j.post.File.Body)), now // the poster is tried instead
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

// file is what the post shows: the clip where the service takes it, else its poster; nil where there is neither.
func (j *job) file(ctx context.Context) (*File, error) {
	c := j.s.clip
	if c == nil {
		return nil, nil //nolint:nilnil // text alone
	}
	about := footy.Label(*j.s.event)
	if c.Size <= j.traits.MaxVideo && (j.smaller == 0 || c.Size < j.smaller) {
		body, err := j.read(ctx, c.Key, j.traits.MaxVideo)
		if err != nil {
			return nil, err
		}
		return &File{Name: c.ID + ".mp4", Type: "video/mp4", Body: body, Video: true, Width: c.Width, Height: c.Height, Seconds: c.Duration, About: about}, nil
	}
	if c.PosterKey == "" {
		return nil, nil //nolint:nilnil // idem
	}
	body, err := j.read(ctx, c.PosterKey, j.traits.MaxPicture)
	if err != nil {
		return nil, err
	}
	return &File{Name: c.ID + ".jpg", Type: "image/jpeg", Body: body, About: about}, nil
}

func (j *job) read(ctx context.Context, key string, most int64) ([]byte, error) {
	o, err := j.opt.Blob.Open(ctx, key)
	if err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, "read the clip", "%w", err)
	}
	defer o.Close()
	body, err := io.ReadAll(io.LimitReader(o, most+1))
	switch {
	case err != nil:
		return nil, footy.Wrap(footy.CodeUnavailable, "read the clip", err)
	case int64(len(body)) > most:
		return nil, footy.Reject("read the clip", footy.ReasonTooLarge, "%s is larger than %s takes", key, j.traits.Name)
	}
	return body, nil
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
		return []footy.Entry{{Key: fmt.Sprintf("%s/posting/%s/%d/%s/%d/%d", e.UID, p.Target, p.Number, p.Step, p.Edits, p.Tries), FixtureID: f.ID, EventUID: e.UID,
			At: p.At, Kind: footy.EntryPosting, ClipID: p.Clip, Data: *row}}, nil
	})
	if err == nil && j.opt.Page != nil {
		j.opt.Page.Publish(ctx, stream.EntityEvent, j.s.event.UID)
	}
	return err
}
