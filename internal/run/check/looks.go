package check

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/tell/health"
)

// Look is one part of Health, and a row of footy doctor.
type Look struct {
	Name string
	// Title is its heading, Subject its name at the beginning of a sentence; "" for the core's own, which health knows.
	Title, Subject string

	At       func(context.Context) health.Part // nil: doctor alone has it
	Doctor   func(context.Context) health.Part // nil: as At
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

// Row is the part as doctor has it.
func (l Look) Row(ctx context.Context) health.Part {
	look := l.At
	if l.Doctor != nil {
		look = l.Doctor
	}
	p := placed(l.words(look(ctx)), l.Where)
	p.Required = p.Required || l.Required
	return p
}

// placed says of a part that works where it is, unless that says something else.
func placed(p health.Part, where string) health.Part {
	if p.State == health.StateOK && p.Reason == "" {
		p.Reason = where
	}
	return p
}

// looks are all of them, for page, alerts and doctor: a part in one list alone would be missing in the others.
func (c *Checker) looks() []Look {
	s := c.opt.Config
	out := []Look{
		{Name: health.Engine, At: c.engine, Doctor: c.engineBefore, Required: true},
		{Name: health.Database, At: c.database, Doctor: c.databaseRead, Where: databaseAt(s), Required: true},
		{Name: health.Clips, At: c.clips, Where: clipsAt(s), Required: true, Every: clipsEvery(s)},
		{Name: health.Feed, At: c.feed, Doctor: c.feedPlanned},
		{Name: feedPlan, Doctor: c.planned},
		{Name: health.Followed, At: c.followed, Off: c.opt.Store == nil || s.Feed.Missing(), Doctor: c.followedNamed},
		{Name: health.Search, At: c.search, Doctor: c.SearchBefore},
		{Name: health.Fetch, At: c.fetch, Where: s.Search.SyndicationURL},
		{Name: health.Model, At: c.model, Where: s.Model.URL},
		{Name: health.Proof, At: c.proof},
		{Name: health.Ledger, At: c.ledger},
		{Name: health.Programs, At: c.programs, Off: c.opt.Media == nil, Where: c.programsAt(), Required: true, Every: programsEvery},
		{Name: "worker queues", Doctor: c.queuesTaken},
		{Name: "page address", Doctor: c.address, Required: true},
		{Name: "notifications", Doctor: c.notifications},
	}
	if c.opened != nil && (c.opened.Hosts != nil || len(c.opt.Hosts) > 0 && c.opt.Store != nil) {
		out = append(out, Look{Name: "hosts", Doctor: c.hosts})
	}
	for _, w := range s.Warnings {
		out = append(out, Look{Name: "settings", Doctor: func(context.Context) health.Part {
			return health.Part{Name: "settings", State: health.StateDegraded, Reason: w}
		}})
	}
	return append(out, c.opt.Looks...)
}
