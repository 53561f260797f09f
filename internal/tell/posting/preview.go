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

// Idle is why nothing is done about a goal.
type Idle string

// Why nothing is done. What a service asked to be left alone for is known to the process that posts, and not told here.
const (
	IdleNotChosen Idle = "not_chosen" // POST_KINDS, POST_TEAMS and POST_LEAGUES leave it out, or it was scored before the last restore
	IdleGoal      Idle = "no_goal"    // it is not certain yet, or was removed
	IdleClip      Idle = "no_clip"    // that POST_WHEN asks for, or that a service needs which edits no posts
	IdleOld       Idle = "too_old"    // it was scored long ago, or before the target was set up
	IdleRefused   Idle = "refused"    // the service refused this very post
	IdleLater     Idle = "later"      // its next try is still to come, or a process is posting it
	IdleDone      Idle = "as_it_is"   // its post says and shows what it should, or must not be touched
)

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
	do, _ := t.step(f, e, filter)
	s := t.situation(f, e)
	if was := e.Posting(t.key); was != nil {
		s.was = *was
	}
	out := Preview{Service: t.traits.Name, Target: t.key, Step: string(do), Was: s.was, Text: s.text}
	if s.clip != nil {
		out.Clip = s.clip.ID
	}
	if do == nothing {
		out.Why = s.idle(filter.Wants(f, e))
	}
	return out, nil
}

// idle says why next does nothing.
func (s situation) idle(wanted bool) Idle {
	switch {
	case s.was.Step == footy.PostingBegun || s.waits(s.was.NextTry, longestPause):
		return IdleLater
	case s.was.Step != footy.PostingNone && s.was.Step != footy.PostingDeleted:
		switch {
		case s.was.Refused != "" && s.was.Refused == s.says:
			return IdleRefused
		case s.was.Step == footy.PostingDone && s.edits && s.was.Says != s.says && s.clip != nil: // a better clip so soon
			return IdleLater
		}
		return IdleDone
	case !s.event.Standing() || !s.event.Certain():
		return IdleGoal
	case !wanted && !s.was.Asked:
		return IdleNotChosen
	case s.was.Refused == s.says:
		return IdleRefused
	case s.clip == nil && (s.verified || !s.edits):
		return IdleClip
	}
	return IdleOld
}
