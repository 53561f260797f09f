package check

import (
	"context"
	"fmt"
	"strings"

	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

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
