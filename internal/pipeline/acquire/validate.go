package acquire

import (
	"context"
	"fmt"
	"io"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/clock"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/validate"
)

// Validate judges a batch, one media after the other. A media without a verdict comes back unvalidated: fail closed.
func (a *Activities) Validate(ctx context.Context, in Judge) ([]Judged, error) {
	if a.Reader == nil {
		return a.unvalidated(ctx, in, "no model is set up (LLAMA_URL)")
	}
	f, err := a.Store.Fixture(ctx, in.FixtureID)
	if err != nil {
		return nil, err
	}
	e := f.Event(in.EventUID)
	if e == nil {
		return nil, footy.Errorf(footy.CodeNotFound, "validate clips", "no event %s", in.EventUID)
	}
	out := make([]Judged, len(in.Media))
	for i, m := range in.Media {
		beat(ctx)
		v, err := a.judge(ctx, f, *e, m)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			v = footy.Verdict{Outcome: footy.OutcomeUnvalidated, Reason: footy.ReasonUnvalidated, Detail: err.Error()}
		}
		if err := a.record(ctx, in.Input, m, v); err != nil {
			return nil, err
		}
		out[i].Verdict = v
	}
	return out, nil
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
	v := clock.Check(readings, question(f, e, a.Tolerance))
	v.Model = a.Reader.Name()
	return v, nil
}

func (a *Activities) read(ctx context.Context, m footy.Media, which []int) ([]footy.Reading, error) {
	var frames []validate.Frame
	for _, i := range which {
		o, err := a.Blob.Open(ctx, m.FrameKeys[i])
		if err != nil {
			return nil, err
		}
		b, err := io.ReadAll(o)
		o.Close()
		if err != nil {
			return nil, footy.Wrap(footy.CodeUnavailable, "read frame "+m.FrameKeys[i], err)
		}
		frames = append(frames, validate.Frame{At: m.FrameTimes[i], JPEG: b})
	}
	return a.Reader.Read(ctx, frames, func() { beat(ctx) })
}

// record writes the verdict to the log; a clip of a sibling goal is offered to that goal's next batch, once.
func (a *Activities) record(ctx context.Context, in Input, m footy.Media, v footy.Verdict) error {
	rows := []footy.Entry{}
	for _, c := range append([]footy.Candidate{m.Candidate}, m.SamePosts...) {
		kind := footy.EntryVerdict
		if v.Outcome == footy.OutcomeRejected {
			kind = footy.EntryRejected
		}
		rows = append(rows, footy.Entry{
			Key: fmt.Sprintf("%s/verdict/%s/%s", in.EventUID, c.PostID, v.Outcome), FixtureID: in.FixtureID, EventUID: in.EventUID, At: a.Now(),
			Kind: kind, Reason: v.Reason, Text: footy.ExplainVerdict(v), PostID: c.PostID, ClipID: footy.ClipID(m.Digest),
			Data: map[string]any{"outcome": string(v.Outcome), "detail": v.Detail, "readings": v.Readings, "model": v.Model, "expected": v.Expected,
				"minute": v.Minute, "url": c.URL, "sibling": v.Sibling, "poster_key": m.StillKey},
		})
	}
	if err := a.Store.Append(ctx, rows...); err != nil || v.Sibling == "" {
		return err
	}
	_, err := a.Store.Update(ctx, in.FixtureID, func(f *footy.Fixture) error {
		if s := f.Event(v.Sibling); s != nil && offer(s, m.Candidate, in.EventUID) {
			return nil
		}
		return store.ErrUnchanged
	})
	return err
}

// offer passes a candidate on to the goal it belongs to, unless that goal knows it, is done, or it was passed on before.
func offer(s *footy.Event, c footy.Candidate, from string) bool {
	if s.Removed || s.DownloadComplete || c.OfferedBy != "" {
		return false
	}
	for _, id := range s.DiscoveredVideos {
		if id == c.PostID {
			return false
		}
	}
	for _, o := range s.Offered {
		if o.PostID == c.PostID {
			return false
		}
	}
	c.OfferedBy = from
	s.Offered = append(s.Offered, c)
	return true
}

func (a *Activities) unvalidated(ctx context.Context, in Judge, why string) ([]Judged, error) {
	out := make([]Judged, len(in.Media))
	for i, m := range in.Media {
		out[i].Verdict = footy.Verdict{Outcome: footy.OutcomeUnvalidated, Reason: footy.ReasonUnvalidated, Detail: why}
		if err := a.record(ctx, in.Input, m, out[i].Verdict); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func question(f footy.Fixture, e footy.Event, tolerance int) clock.Question {
	q := clock.Question{Minute: e.Minute, HasMinute: e.Minute.Elapsed > 0, Tolerance: tolerance}
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
