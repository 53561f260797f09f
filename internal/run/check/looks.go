package check

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/tell/health"
)

// Look is one part of Health, and what footy doctor prints of it.
type Look struct {
	Name string
	// Title is its heading, Subject its name at the beginning of a sentence; "" for the core's own, which health knows.
	Title, Subject string

	At       func(context.Context) health.Part // nil: doctor alone has it
	Doctor   func(context.Context) []Finding   // nil: as At
	Off      bool                              // doctor alone has it
	Where    string                            // what doctor says of one that works
	Every    time.Duration                     // how long one that works is not asked again: a look costs money or much work
	Required bool                              // broken, it makes the program useless
}

// words gives a part the look's own.
func (l Look) words(p health.Part) health.Part {
	p.Heading, p.Called = l.Title, l.Subject
	return p
}

// Rows are the look's rows of doctor.
func (l Look) Rows(ctx context.Context) []Finding {
	if l.Doctor == nil {
		return []Finding{finding(l.words(l.At(ctx)), l.Required, l.Where)}
	}
	out := l.Doctor(ctx)
	for i := range out {
		if out[i].Name == l.Name {
			out[i].Part = l.words(out[i].Part)
		}
	}
	return out
}

// looks are all of them, for page, alerts and doctor: a part in one list alone would be missing in the others.
func (c *Checker) looks() []Look {
	s := c.opt.Config
	var plan Finding
	out := []Look{
		{Name: health.Engine, At: c.engine, Doctor: one(c.engineFinding)},
		{Name: health.Database, At: c.database, Doctor: one(c.databaseFinding)},
		{Name: health.Clips, At: c.clips, Where: clipsAt(s), Required: true, Every: clipsEvery(s)},
		{Name: health.Feed, At: c.feed, Doctor: func(ctx context.Context) []Finding {
			plan = c.planFinding(ctx) // first: the part then knows how many calls are left
			return []Finding{c.feedFinding(ctx, plan), plan}
		}},
		{Name: health.Followed, At: c.followed, Off: c.opt.Store == nil || s.Feed.Missing(), Doctor: func(ctx context.Context) []Finding {
			return []Finding{c.followedFinding(ctx, plan)}
		}},
		{Name: health.Search, At: c.search, Doctor: one(c.searchFinding)},
		{Name: health.Fetch, At: c.fetch, Where: s.Search.SyndicationURL},
		{Name: "hosts", Doctor: c.hostFindings},
		{Name: health.Model, At: c.model, Where: s.Model.URL},
		{Name: health.Proof, At: c.proof},
		{Name: health.Ledger, At: c.ledger},
		{Name: health.Programs, At: c.programs, Off: c.opt.Media == nil, Where: c.programsAt(), Required: true, Every: programsEvery},
		{Name: "worker queues", Doctor: one(c.queuesFinding)},
		{Name: "page address", Doctor: one(c.addressFinding)},
		{Name: "notifications", Doctor: one(c.alertFinding)},
		{Name: "settings", Doctor: c.warnings},
	}
	return append(out, c.opt.Looks...)
}

// one makes the rows of a look that has a single one.
func one(f func(context.Context) Finding) func(context.Context) []Finding {
	return func(ctx context.Context) []Finding { return []Finding{f(ctx)} }
}
