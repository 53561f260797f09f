package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// Unserved are the task queues that a worker with these settings leaves to others, each with the reason. With an engine of its
// own there are no others: it serves all, as footy up does, and what it cannot do waits and says so.
func (c *Checker) Unserved() map[string]string {
	out := map[string]string{}
	if c.opt.Config.Engine.Address == "" {
		return out
	}
	if c.opt.Reader == nil && c.opt.Config.Media.ByModel() {
		out[policy.QueueVision] = "LLAMA_URL is not set: only where another worker has a model, or PROOF=clock, is a clip judged"
	}
	s := c.opt.Config.Search
	alone := c.opt.Config.RedditOn() && !slices.Contains(s.Sources, "xweb") // no process has an account of X
	if !alone && (s.ServiceURL == "" || !slices.Contains(s.Sources, "xweb")) && (s.BearerToken == "" || !slices.Contains(s.Sources, "xapi")) {
		out[policy.QueueSearch] = "footy browser takes searches, with the account of X that it has"
	}
	return out
}

// queuesTaken says what a worker with these settings would do.
func (c *Checker) queuesTaken(context.Context) health.Part {
	var serves, leaves []string
	unserved := c.Unserved()
	for _, q := range policy.Queues() {
		if why, left := unserved[q]; left {
			leaves = append(leaves, q+" ("+why+")")
		} else {
			serves = append(serves, q)
		}
	}
	f := health.Part{Name: "worker queues", State: health.StateOK, Reason: "footy worker takes " + strings.Join(serves, ", ")}
	if len(leaves) > 0 {
		f.Reason += "; it leaves to others " + strings.Join(leaves, ", ")
	}
	if c.opt.Config.Engine.Address == "" {
		f.Reason += "; footy browser polls no queue without TEMPORAL_ADDRESS"
	} else {
		f.Reason += fmt.Sprintf("; footy browser takes %s, %d at once while its account can search", policy.QueueSearch, c.opt.Config.Browser.Tabs)
	}
	return f
}
