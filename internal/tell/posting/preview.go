package posting

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
)

// Preview is what would be done about a goal now.
type Preview struct {
	Service string
	Target  string // its key
	Step    string // create, resolve, edit, delete, watch; "": nothing
	Why     Idle   // nothing is done
	Was     footy.Posting
	Text    string // that a post would say now
	Clip    string // that it would show; "": none
}

// Preview tells what SendNew would do about a goal now. It asks no service and writes nothing.
func (t *Target) Preview(ctx context.Context, f *footy.Fixture, e *footy.Event) (Preview, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer func(was time.Time) { t.since = was }(t.since)
	now := t.opt.Now()
	if err := t.opt.Store.State(ctx, "posting/"+t.key, &t.since); err != nil && !footy.IsNotFound(err) {
		return Preview{}, err
	}
	if t.since.IsZero() || t.since.After(now.Add(cycle.ClocksDiffer)) {
		t.since = now // as SendNew would write it down
	}
	filter := news.Filter{All: true}
	if t.opt.Filter != nil {
		var err error
		if filter, err = t.opt.Filter(ctx); err != nil {
			return Preview{}, err
		}
	}
	s := t.situation(f, e, filter.Wants(f, e))
	do, why := next(s)
	out := Preview{Service: t.traits.Name, Target: t.key, Step: string(do), Why: why, Was: s.was, Text: s.text}
	if s.clip != nil {
		out.Clip = s.clip.ID
	}
	return out, nil
}
