package check

import (
	"context"
	"errors"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// clipsKey is where what the object store said last is kept: one process asks for all.
const clipsKey = "clip_store_health"

// clipsEvery is how often it is written to, by all processes together: each write costs money somewhere.
const clipsEvery = time.Minute

// clipsLook is the last look; the next one is due after clipsEvery, whether this one came to its end or not.
type clipsLook struct {
	Tried  time.Time    `json:"tried"`
	State  health.State `json:"state,omitempty"` // "": no look has ended yet
	Reason string       `json:"reason,omitempty"`
	Remedy string       `json:"remedy,omitempty"`
	Late   int          `json:"late,omitempty"` // looks in a row that did not end in time
}

func (l clipsLook) due(now time.Time) bool {
	return now.Sub(l.Tried) >= clipsEvery || l.Tried.After(now.Add(clipsEvery)) // a clock was ahead
}

// ended is the look with what it found. One that was late says little on a busy machine: it counts from the second on.
func (l clipsLook) ended(p health.Part, late bool) clipsLook {
	if l.Late++; !late {
		l.Late = 0
	}
	if l.Late == 0 || l.Late >= downAfter {
		l.State, l.Reason, l.Remedy = p.State, p.Reason, p.Remedy
	}
	return l
}

// clips tells whether the clip store takes files. A directory is asked each time, an object store by one process for all.
func (c *Checker) clips(ctx context.Context) health.Part {
	if o := c.opened; o != nil && o.Blob != nil {
		return broken(health.Clips, o.Blob).Part
	}
	p := c.clipsAfter(blob.Writable(ctx, c.opt.Blob))
	switch {
	case p.State != health.StateOK:
		return p
	case c.opt.Config.S3.Endpoint == "", c.opened != nil:
		p = c.clipsNow(ctx)
	default:
		p = c.clipsShared(ctx)
	}
	if p.State == health.StateOK {
		return c.sweeps(ctx, p)
	}
	return p
}

// clipsShared asks the object store where that is due, and else says what was found last. Without a database each process asks for itself, as
// rarely.
func (c *Checker) clipsShared(ctx context.Context) health.Part {
	now, mine := time.Now().UTC(), false
	turn := func(l *clipsLook) error {
		if mine = l.due(now); !mine {
			return store.ErrUnchanged
		}
		l.Tried = now
		return nil
	}
	is, err := c.changeClips(ctx, turn)
	if err != nil {
		c.mu.Lock()
		_ = turn(&c.ownClips) // unchanged is no failure
		is = c.ownClips
		c.mu.Unlock()
	}
	if mine {
		p := c.clipsNow(ctx)
		late := ctx.Err() != nil
		c.mu.Lock()
		c.ownClips = is.ended(p, late)
		is = c.ownClips
		c.mu.Unlock()
		if err == nil {
			writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteWithin)
			defer cancel()
			_, _ = c.changeClips(writing, func(l *clipsLook) error { *l = l.ended(p, late); return nil }) // else the next look finds it due
		}
	}
	if is.State == "" {
		return health.Part{Name: health.Clips, State: health.StateOK, Unasked: true, Reason: "it was not asked yet"}
	}
	return health.Part{Name: health.Clips, State: is.State, Reason: is.Reason, Remedy: is.Remedy}
}

// noteWithin bounds a note that is written after a look was late.
const noteWithin = 2 * time.Second

func (c *Checker) changeClips(ctx context.Context, change func(*clipsLook) error) (clipsLook, error) {
	if c.opt.Store == nil {
		return clipsLook{}, errors.New("the database is not open")
	}
	return store.ChangeState(ctx, c.opt.Store, clipsKey, change)
}

// clipsNow writes a small file.
func (c *Checker) clipsNow(ctx context.Context) health.Part {
	return c.clipsAfter(c.opt.Blob.Ping(ctx))
}

// clipsAfter says what an answer of the clip store means.
func (c *Checker) clipsAfter(err error) health.Part {
	p := health.Part{Name: health.Clips, State: health.StateOK}
	if err == nil {
		return p
	}
	at := c.opt.Config.S3.Endpoint
	refused := owner.Refused(err)
	switch p.State = health.StateDown; {
	case refused != nil:
		p.Reason, p.Remedy = refused.Reason(), refused.Remedy()
		return p
	case at == "": // a directory says itself what is wrong with it
		p.Reason, p.Remedy = footy.UserMessage(err), "Make room on the disk, or let this user write there; goals wait for it."
		return p
	case footy.CodeOf(err) == footy.CodeAuthRequired:
		p.Reason, p.Remedy = "the object store at "+at+" refuses us", "Correct S3_ACCESS_KEY, S3_SECRET_KEY and S3_REGION, and what the key may do. Clips wait for it."
	case network.NoAnswer(err):
		p.Reason, p.Remedy = "the object store at "+at+" does not answer", "Start it again, or correct S3_ENDPOINT and S3_SECURE. Clips wait for it; nothing is lost."
	default:
		p.Reason, p.Remedy = "the object store at "+at+" takes no file", "Look into its log and at the room on its disk. Clips wait for it; nothing is lost."
	}
	c.logCause(p, err)
	return p
}
