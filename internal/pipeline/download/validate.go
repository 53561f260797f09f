package download

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/crashpoint"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/clock"
	"github.com/found-footy/found-footy/internal/rule/ledger"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/validate"
)

// Validate judges posts of a batch, one after the other, and keeps each verdict as it comes: a try that dies asks nothing
// twice. A post without a verdict waits: fail closed. After a while it hands the model's slot on and says what is left.
func (a *Activities) Validate(ctx context.Context, in ValidateInput) (ValidateResult, error) {
	var out ValidateResult
	start := a.Now()
	var down error // why the model can be asked nothing at all
	for i, id := range in.Posts {
		if i > 0 && down == nil && a.Now().Sub(start) >= a.Turn {
			out.Left = in.Posts[i:]
			return out, nil
		}
		beat(ctx)
		p, err := a.Store.Post(ctx, in.EventUID, id)
		if err != nil {
			return out, err
		}
		if ledger.NextStep(p) == ledger.StepJudge {
			if p, down, err = a.judgePost(ctx, p, down); err != nil {
				return out, err
			}
		}
		switch p.State {
		case footy.PostWaiting:
			out.Waiting++
		case footy.PostRefused:
			out.Rejected++
		default:
			out.Accepted++
		}
	}
	return out, nil
}

// judgePost gets the verdict on one post and writes it down. down and stillDown say why the model is asked nothing any more in this batch.
func (a *Activities) judgePost(ctx context.Context, p footy.Post, down error) (judged footy.Post, stillDown, err error) {
	f, err := a.Store.Fixture(ctx, p.FixtureID)
	if err != nil {
		return p, down, err
	}
	e := f.Event(p.EventUID)
	if e == nil {
		return p, down, footy.Errorf(footy.CodeNotFound, "validate clip", "no event %s", p.EventUID)
	}
	v, failure := a.verdict(ctx, f, *e, p, down)
	if ctx.Err() != nil {
		return p, down, ctx.Err()
	}
	if ours(failure) {
		return p, down, failure
	}
	if v.Sibling != "" && failure == nil { // before the verdict ends the post: nobody would offer it later
		if err := a.offer(ctx, f, v.Sibling, p); err != nil {
			return p, down, err
		}
	}
	crashpoint.Here(crashpoint.Judged)
	p, err = a.Store.UpdatePost(ctx, p.EventUID, p.PostID, func(p *footy.Post) ([]footy.Entry, error) {
		if ledger.NextStep(*p) != ledger.StepJudge {
			return nil, store.ErrUnchanged
		}
		return a.judged(p, v, failure), nil
	})
	if err != nil {
		return p, down, err
	}
	if why, _ := classify(failure); failure != nil && (why == footy.ReasonNoModel || why == footy.ReasonModelUnreachable || why == footy.ReasonModelBlind) {
		down = failure
	}
	return p, down, nil
}

// verdict takes over the one of another post with the very same bytes, else asks the model.
func (a *Activities) verdict(ctx context.Context, f footy.Fixture, e footy.Event, p footy.Post, down error) (footy.Verdict, error) {
	others, err := a.Store.Posts(ctx, store.PostQuery{EventUID: e.UID})
	if err != nil {
		return footy.Verdict{}, err
	}
	for _, o := range others {
		if o.PostID != p.PostID && o.Media != nil && o.Verdict != nil && o.Media.Digest == p.Media.Digest {
			return *o.Verdict, nil
		}
	}
	if down != nil {
		return footy.Verdict{}, down
	}
	if a.Reader == nil {
		return footy.Verdict{}, &footy.Error{Code: footy.CodeUnavailable, Op: "validate clip", Reason: footy.ReasonNoModel,
			Err: footy.Errorf(footy.CodeUnavailable, "ask model", "none is set up (LLAMA_URL)")}
	}
	began := time.Now()
	v, err := a.judge(ctx, f, e, *p.Media)
	if ctx.Err() != nil || ours(err) {
		return v, err
	}
	if why, _ := classify(err); err != nil && why == footy.ReasonStorage {
		return v, err // says nothing about the model
	}
	if noted := a.noteModel(ctx, err, time.Since(began)); noted != nil {
		return v, noted
	}
	return v, err
}

// judge reads three frames and, where they leave the case undecided, the two others.
func (a *Activities) judge(ctx context.Context, f footy.Fixture, e footy.Event, m footy.Media) (footy.Verdict, error) {
	main, spare := split(len(m.FrameKeys))
	readings, err := a.read(ctx, m, main)
	if err != nil {
		return footy.Verdict{}, err
	}
	if len(spare) > 0 && clock.Undecided(readings) {
		more, err := a.read(ctx, m, spare)
		if err != nil {
			return footy.Verdict{}, err
		}
		readings = append(readings, more...)
	}
	var v footy.Verdict
	err = guard("check clock", func() error { v = clock.Check(readings, question(f, e, a.Tolerance)); return nil })
	v.Model = a.Reader.Name()
	return v, err
}

func (a *Activities) read(ctx context.Context, m footy.Media, which []int) ([]footy.Reading, error) {
	var frames []validate.Frame
	for _, i := range which {
		b, err := a.frame(ctx, m.FrameKeys[i])
		if err != nil {
			return nil, err
		}
		frames = append(frames, validate.Frame{At: m.FrameTimes[i], JPEG: b})
	}
	readings, err := a.Reader.Read(ctx, frames, func() { beat(ctx) })
	return readings, because(footy.ReasonModelUnreachable, "ask model", err)
}

// frame reads a staged picture. One that is gone was swept or lost: the post has to be fetched again.
func (a *Activities) frame(ctx context.Context, key string) ([]byte, error) {
	o, err := a.Blob.Open(ctx, key)
	if footy.IsNotFound(err) {
		return nil, &footy.Error{Code: footy.CodeNotFound, Op: "read frame", Reason: footy.ReasonStorage, Err: err}
	}
	if err != nil {
		return nil, because(footy.ReasonStorage, "read frame "+key, err)
	}
	defer o.Close()
	b, err := io.ReadAll(o)
	return b, because(footy.ReasonStorage, "read frame "+key, err)
}

// judged writes a verdict, or why there is none, into the record.
func (a *Activities) judged(p *footy.Post, v footy.Verdict, failure error) []footy.Entry {
	now, before := a.Now(), p.Reason
	if failure != nil {
		why, _ := classify(failure)
		if footy.IsNotFound(failure) {
			ledger.Unstaged(p, footy.RootCause(failure), now, a.Delays)
		} else {
			ledger.Wait(p, why, footy.RootCause(failure), now, a.Delays)
		}
		return a.waitRow(*p, before)
	}
	ledger.Judged(p, v, now, a.Delays)
	kind := footy.EntryVerdict
	if v.Outcome == footy.OutcomeRejected {
		kind = footy.EntryRejected
	}
	row := a.row(*p, kind, string(v.Outcome), v.Reason)
	row.ClipID = footy.ClipID(p.Media.Digest)
	row.Data.Judged(v)
	row.Data.PosterKey = p.Media.StillKey
	return []footy.Entry{row}
}

// offer passes a post on to the goal of the match that it belongs to, unless that goal knows it, or it was passed on before.
// Reconcile sees that it is driven there.
func (a *Activities) offer(ctx context.Context, f footy.Fixture, sibling string, p footy.Post) error {
	s := f.Event(sibling)
	if s == nil || p.Candidate.OfferedBy != "" || slices.Contains(s.DiscoveredVideos, p.PostID) {
		return nil
	}
	c := p.Candidate
	c.OfferedBy = p.EventUID
	post := ledger.NewPost(f.ID, *s, c, 0, a.Now())
	row := a.row(post, footy.EntryCandidate, "offered", footy.ReasonNone)
	batch := row.Data.Download
	row.Data = footy.PostEvidence(c)
	row.Data.Download = batch
	return a.Store.AddPosts(ctx, []footy.Post{post}, row)
}

func question(f footy.Fixture, e footy.Event, tolerance int) clock.Question {
	q := clock.Question{Minute: e.Minute, Tolerance: tolerance}
	for _, o := range f.Events {
		if o.UID != e.UID && !o.Removed && o.Kind == e.Kind && o.Minute.Elapsed > 0 {
			q.Siblings = append(q.Siblings, clock.Sibling{UID: o.UID, Minute: o.Minute})
		}
	}
	return q
}

// split names the three frames read first (the middle ones of five) and those kept for a tie.
func split(n int) (main, spare []int) {
	if n < 5 {
		for i := range n {
			main = append(main, i)
		}
		return main, nil
	}
	return []int{1, 2, 3}, []int{0, 4}
}
