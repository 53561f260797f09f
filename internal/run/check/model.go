package check

import (
	"context"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/health"
)

const (
	// latelyWorked is how long after a success one clip's trouble is not the model's.
	latelyWorked = 15 * time.Minute
	// maybeOver is when a server that answers again is believed although nothing has been asked since, if nothing waits for it.
	maybeOver = 20 * time.Minute
)

// model tells whether clips can be proven: what the server says of itself, and how the last questions went.
func (c *Checker) model(ctx context.Context) health.Part {
	p := health.Part{Name: health.Model, State: health.StateOK}
	if proof := c.opt.Config.Media; c.opt.Reader == nil && !proof.ByModel() {
		p.Reason = "no model is asked (PROOF=clock): clips are proven by their running clock, others are not shown"
		return p
	}
	if c.opt.Reader == nil {
		p.State = health.StateMissing
		if p.Reason, p.Remedy, _ = health.ModelTrouble(footy.ReasonNoModel); !c.opt.Config.Media.ByClock() {
			p.Reason = "LLAMA_URL is not set: no clip is shown, for nothing else proves one (PROOF=model)"
			p.Remedy = "Start an OpenAI-compatible server with a vision model and set LLAMA_URL, or add clock to PROOF."
		}
		return p
	}
	p.Facts = map[string]any{"model": c.opt.Reader.Name()}
	now, last := time.Now(), c.condition(ctx)
	if !last.LastOK.IsZero() {
		p.Facts["last_verdict"] = last.LastOK
	}
	if err := c.opt.Reader.Ready(ctx); err != nil {
		p.State, p.Reason = health.StateDown, footy.UserMessage(err)
		reason := footy.ReasonOf(err)
		if network.NoAnswer(err) {
			p.Reason = "the model at " + c.opt.Config.Model.URL + " does not answer"
			c.logCause(p, err)
		}
		if what, _, known := health.ModelTrouble(reason); known && reason == footy.ReasonModelLoading {
			p.Reason = what
		}
		if reason == last.Reason {
			p.Since = last.Since
		}
		var known bool
		if _, p.Remedy, known = health.ModelTrouble(reason); !known {
			_, p.Remedy, _ = health.ModelTrouble(footy.ReasonModelUnreachable)
		}
		return p
	}
	if what, remedy, known := health.ModelTrouble(last.Reason); known && !c.outdated(ctx, last, now) {
		p.State, p.Reason, p.Remedy, p.Since = health.StateDown, what, remedy, last.Since
		if last.Detail != "" {
			p.Reason += ": " + last.Detail
		}
		if last.At.Sub(last.LastOK) < latelyWorked || last.Clips == 1 && last.OfOneClip {
			p.State = health.StateDegraded
		}
		return p
	}
	if s := last.Showing; s.Lines > 0 {
		p.Facts["shown"] = health.Shown(s.Lines, s.Corners, s.Alone)
	}
	if s := last.Showing; s.Reduced != "" {
		p.State = health.StateDegraded
		p.Reason, p.Remedy = health.ModelReduced(s.Reduced, health.Shown(s.Lines, s.Corners, s.Alone))
	}
	if last.SecondsPerClip > 0 {
		p.Facts["clip_seconds"] = last.SecondsPerClip
	}
	if p.State == health.StateOK && last.LastOK.IsZero() {
		p.Unasked, p.Reason = true, "it answers at "+c.opt.Config.Model.URL+", and was not used yet; footy doctor --model tests whether it sees"
	}
	return p
}

// outdated: it was set up, loaded or reached anew since it was asked last. A post that still waits for it will ask it: that tells.
func (c *Checker) outdated(ctx context.Context, last validate.Condition, now time.Time) bool {
	if last.Reason != footy.ReasonModelUnreachable && last.Reason != footy.ReasonModelDenied && last.Reason != footy.ReasonModelMissing {
		return last.Reason == footy.ReasonNoModel || last.Reason == footy.ReasonModelLoading
	}
	if now.Sub(last.At) <= maybeOver {
		return false
	}
	posts, err := c.opt.Store.Posts(ctx, store.PostQuery{States: []footy.PostState{footy.PostWaiting, footy.PostFetched}})
	return err == nil && !slices.ContainsFunc(posts, func(p footy.Post) bool { return p.Reason == last.Reason })
}

// condition is what the workers found; the zero value if they have asked nothing yet.
func (c *Checker) condition(ctx context.Context) validate.Condition {
	var last validate.Condition
	if c.opt.Store == nil || c.opt.Store.State(ctx, validate.ConditionKey, &last) != nil {
		return validate.Condition{} // the state part tells of a store that does not answer
	}
	return last
}
