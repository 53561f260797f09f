package check

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/s3"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// clipsEvery is how often each process writes to an object store that works: a write costs money somewhere. A directory is asked each time.
func clipsEvery(c config.Config) time.Duration {
	if c.S3.Endpoint == "" {
		return 0
	}
	return 5 * time.Minute
}

// clips writes a small file, and reports sweeps.
func (c *Checker) clips(ctx context.Context) health.Part {
	if o := c.opened; o != nil && errors.As(o.Blob, new(*s3.Refusal)) {
		return c.clipsAfter(o.Blob)
	} else if o != nil && o.Blob != nil {
		return broken(health.Clips, o.Blob)
	}
	err := blob.Writable(ctx, c.opt.Blob)
	if err == nil {
		err = c.opt.Blob.Ping(ctx)
	}
	p := c.clipsAfter(err)
	if err == nil {
		return c.sweeps(ctx, p)
	}
	return p
}

// clipsAfter says what an answer of the clip store means.
func (c *Checker) clipsAfter(err error) health.Part {
	p := health.Part{Name: health.Clips, State: health.StateOK}
	if err == nil {
		return p
	}
	at := c.opt.Config.S3.Endpoint
	refused, answer := owner.Refused(err), new(s3.Refusal)
	switch p.State = health.StateDown; {
	case refused != nil:
		p.Reason, p.Remedy = refused.Reason(), refused.Remedy()
		return p
	case at == "": // a directory says itself what is wrong with it
		p.Reason, p.Remedy = footy.UserMessage(err), "Make room on the disk, or let this user write there; goals wait for it."
		return p
	case errors.As(err, &answer):
		p.Reason, p.Remedy = answer.Reason, explain.UpperFirst(answer.Remedy)+". Clips wait for it; nothing is lost."
		return p
	case network.NoAnswer(err):
		p.Reason, p.Remedy = "the object store at "+at+" does not answer", "Start it again, or correct S3_ENDPOINT and S3_SECURE. Clips wait for it; nothing is lost."
	default:
		p.Reason, p.Remedy = "the object store at "+at+" takes no file", "Look into its log and at the room on its disk. Clips wait for it; nothing is lost."
	}
	c.logCause(p, err)
	return p
}

// sweeps reports sweeps of the clip storage that wait for an operator, and what was deleted last.
func (c *Checker) sweeps(ctx context.Context, p health.Part) health.Part {
	if c.opt.Store == nil {
		return p
	}
	all, err := cleanup.LastSweeps(ctx, c.opt.Store)
	if err != nil {
		return p // a database that does not answer is reported by its own part
	}
	p.Facts = map[string]any{}
	for _, k := range cleanup.Kinds() {
		if r := all.Last[k]; !r.At.IsZero() {
			p.Facts["deleted_"+string(k)] = fmt.Sprintf("%s (%s), %s", explain.Plural(r.Deleted.Objects, "object", "objects"), explain.Size(r.Deleted.Bytes), r.At.UTC().Format("2 Jan 15:04 UTC"))
		}
	}
	var why []string
	for _, k := range all.Held() {
		why = append(why, all.Last[k].Reason(k))
	}
	if len(why) > 0 {
		p.State, p.Reason, p.Remedy = health.StateDegraded, strings.Join(why, "; "), cleanup.HeldRemedy
	}
	if g, guarded := c.opt.Blob.(*owner.Guard); guarded { // whose it is comes first: then sweeps end by themselves
		if r := owner.Refused(g.Contested(ctx)); r != nil {
			p.State, p.Reason, p.Remedy = health.StateDegraded, r.Reason(), r.Remedy()
		}
	}
	return p
}
