package app

import (
	"context"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/modelpace"
	"github.com/found-footy/found-footy/internal/validate"
	"github.com/found-footy/found-footy/internal/web"
)

// modelTroubles are what a model can suffer from, each with what a person can do. A server in perfect health may be one
// whose every question with a picture fails.
var modelTroubles = map[footy.Reason]struct{ what, remedy string }{
	footy.ReasonNoModel: {"LLAMA_URL is not set: no clip can be proven, so none is shown",
		"Start an OpenAI-compatible server with a vision model and set LLAMA_URL."},
	footy.ReasonModelUnreachable: {"the model cannot be reached",
		"Start the model server, or correct LLAMA_URL, LLAMA_MODEL and LLAMA_API_KEY. Posts found meanwhile wait for it."},
	footy.ReasonModelBlind: {"the model cannot see pictures",
		"Serve a vision model: llama.cpp needs its projector (--mmproj), Ollama a model that lists vision, vLLM a multimodal model with --limit-mm-per-prompt of 5 images. Posts wait for it."},
	footy.ReasonModelContext: {"the model's context is too small for a question with pictures",
		"Give it 8,192 tokens or more for each request: llama.cpp -c (shared by the slots of -np), vLLM --max-model-len, Ollama OLLAMA_CONTEXT_LENGTH. Posts wait for it."},
	footy.ReasonModelJunk: {"the model answers what nobody can read",
		"Take a model that follows a JSON schema, or a server that enforces one (llama.cpp, vLLM). Posts wait for it."},
	footy.ReasonModelSlow: {"the model gives no answer in time",
		"Take a smaller model or a faster machine; LLAMA_SLOTS must not be more than the server works on at once. Posts wait for it."},
}

const (
	// latelyWorked is how long after a success one clip's trouble is not the model's.
	latelyWorked = 15 * time.Minute
	// maybeOver is when a server that answers again is believed although nothing has been asked since: what waits for it
	// is tried at least every 15 min.
	maybeOver = 20 * time.Minute
)

// model tells whether clips can be proven: what the server says of itself, and how the last questions went.
func (h *health) model(ctx context.Context) web.Component {
	c := web.Component{Name: "model", State: web.StateOK}
	if h.app.Reader == nil {
		t := modelTroubles[footy.ReasonNoModel]
		c.State, c.Reason, c.Remedy = web.StateMissing, t.what, t.remedy
		return c
	}
	c.Facts = map[string]any{"model": h.app.Reader.Name()}
	now, last := time.Now(), h.condition(ctx)
	if !last.LastOK.IsZero() {
		c.Facts["last_verdict"] = last.LastOK
	}
	if err := h.app.Reader.Ready(ctx); err != nil {
		c.State, c.Reason = web.StateDown, Plain(err)
		reason := footy.ReasonOf(err)
		if noAnswer(err) {
			c.Reason = "the model at " + h.app.Config.Model.URL + " does not answer"
			h.raw(c, err)
		}
		if reason == last.Reason {
			c.Since = last.Since
		}
		if c.Remedy = modelTroubles[reason].remedy; c.Remedy == "" {
			c.Remedy = modelTroubles[footy.ReasonModelUnreachable].remedy
		}
		return c
	}
	if t, known := modelTroubles[last.Reason]; known && !stale(last, now) {
		c.State, c.Reason, c.Remedy, c.Since = web.StateDown, t.what, t.remedy, last.Since
		if last.Detail != "" {
			c.Reason += ": " + last.Detail
		}
		if last.At.Sub(last.LastOK) < latelyWorked {
			c.State = web.StateDegraded
		}
		return c
	}
	h.pace(ctx, &c, last, now)
	return c
}

// stale: it was set up or reached anew since it was asked last.
func stale(last validate.Condition, now time.Time) bool {
	return last.Reason == footy.ReasonNoModel || last.Reason == footy.ReasonModelUnreachable && now.Sub(last.At) > maybeOver
}

// condition is what the workers found; the zero value if they have asked nothing yet.
func (h *health) condition(ctx context.Context) validate.Condition {
	var last validate.Condition
	if h.app.Store == nil || h.app.Store.State(ctx, validate.ConditionKey, &last) != nil {
		return validate.Condition{} // the state part tells of a store that does not answer
	}
	return last
}

// pace compares what the model carries to what the busiest time of today will ask.
func (h *health) pace(ctx context.Context, c *web.Component, last validate.Condition, now time.Time) {
	slots := h.app.Config.Model.Slots
	carries := modelpace.Carries(last.SecondsPerClip, slots)
	if carries == 0 {
		return
	}
	c.Facts["clip_seconds"], c.Facts["clips_an_hour"] = last.SecondsPerClip, int(carries)
	kickoffs, known, err := h.app.storedKickoffs(ctx, now.UTC())
	if err != nil || !known {
		return
	}
	peak := modelpace.Ahead(kickoffs, h.app.Config.Track.TimeScale, now)
	if !modelpace.TooSlow(peak, carries) {
		return
	}
	c.State = web.StateDegraded
	c.Reason = fmt.Sprintf("too slow for today's goals: %.0f s a clip is about %.0f clips an hour, and %s at once from %s on need about %.0f",
		last.SecondsPerClip, carries, matches(peak.Matches), peak.At.UTC().Format("15:04 UTC"), peak.Clips)
	c.Remedy = "Clips come later, none is lost. Take a smaller model, a faster machine or more slots (LLAMA_SLOTS), or follow fewer matches (TRACK_LEAGUES, TRACK_TEAMS)."
}
