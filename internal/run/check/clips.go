package check

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/s3"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/run/config"
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
		p.Reason, p.Remedy = answer.Reason, strings.ToUpper(answer.Remedy[:1])+answer.Remedy[1:]+". Clips wait for it; nothing is lost."
		return p
	case network.NoAnswer(err):
		p.Reason, p.Remedy = "the object store at "+at+" does not answer", "Start it again, or correct S3_ENDPOINT and S3_SECURE. Clips wait for it; nothing is lost."
	default:
		p.Reason, p.Remedy = "the object store at "+at+" takes no file", "Look into its log and at the room on its disk. Clips wait for it; nothing is lost."
	}
	c.logCause(p, err)
	return p
}
