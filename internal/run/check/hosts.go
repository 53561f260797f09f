package check

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/health"
)

const hostRemedy = "Their posts wait. footy inspect host URL says step by step what a host answers; if its pages or the hosts of its files have changed, a row in " +
	hosts.File + " in STATE_DIR says how they are now (docs/hosts.md). A host that refuses data centres answers from another address."

// failingHosts says which hosts of clips have failed alike again and again, and which gave clips though no row knows them.
func (c *Checker) failingHosts(ctx context.Context) health.Part {
	p := health.Part{Name: health.Fetch, State: health.StateOK}
	all, err := state.Hosts{Store: c.opt.Store}.All(ctx)
	if err != nil {
		return p // the state part reports a store that does not answer
	}
	var failing, found, rows []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		switch r := all[name]; {
		case c.inTable(name) && r.Failing(), r.Failing() && !strings.HasPrefix(r.How, hosts.NoVideo): // others may be no hosts of clips
			failing = append(failing, fmt.Sprintf("%s failed alike for %d clips (%s), %s", name, len(r.Failed), r.How, lastWorked(r)))
		case !c.inTable(name) && !r.LastOK.IsZero():
			found, rows = append(found, fmt.Sprintf("%s gave clips, %s, and no row knows it", name, lastWorked(r))), append(rows, r.Suggested(name))
		}
	}
	if len(failing) > 0 {
		p.State, p.Reason, p.Remedy = health.StateDegraded, "hosts of clips: "+strings.Join(failing, "; "), hostRemedy
	}
	if len(found) > 0 {
		p.Reason = strings.TrimPrefix(p.Reason+"; "+strings.Join(found, "; "), "; ")
		p.Remedy = strings.TrimSpace(p.Remedy + " To keep a host that no row knows, put its row into " + hosts.File + " in STATE_DIR: " + strings.Join(rows, " "))
	}
	return p
}

// inTable reports whether the table has a row of that name.
func (c *Checker) inTable(name string) bool {
	return slices.ContainsFunc(c.opt.Hosts, func(r hosts.Row) bool { return r.Name == name })
}

// hosts is doctor's row on the table of hosts: what is known of each, and which gave nothing yet.
func (c *Checker) hosts(ctx context.Context) health.Part {
	if err := c.opened.Hosts; err != nil {
		return broken("hosts", err)
	}
	all, err := state.Hosts{Store: c.opt.Store}.All(ctx)
	if err != nil {
		return broken("hosts", err)
	}
	f := health.Part{Name: "hosts", State: health.StateOK}
	var known, unused []string
	for _, row := range c.opt.Hosts {
		r := all[row.Name]
		if r.LastOK.IsZero() && r.LastFailed.IsZero() {
			unused = append(unused, row.Name)
			continue
		}
		said := row.Name + " " + lastWorked(r)
		if r.Way != "" {
			said += " by " + r.Way
		}
		if !r.LastFailed.IsZero() {
			said += fmt.Sprintf(", last failed %s: %s", minute(r.LastFailed), r.How)
		}
		if r.Failing() {
			f.State, f.Remedy = health.StateDegraded, hostRemedy
			said += fmt.Sprintf(", alike for %d clips", len(r.Failed))
		}
		known = append(known, said)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if r := all[name]; !c.inTable(name) && !r.LastOK.IsZero() {
			known = append(known, name+": no row of the table knows it, "+lastWorked(r)+"; its row for "+hosts.File+": "+r.Suggested(name))
		}
	}
	if len(unused) > 0 {
		known = append(known, "nothing was fetched yet from "+strings.Join(unused, ", "))
	}
	f.Reason = strings.Join(known, "; ")
	return f
}

func lastWorked(r hosts.Record) string {
	if r.LastOK.IsZero() {
		return "nothing was fetched from it yet"
	}
	return "last worked " + minute(r.LastOK)
}

func minute(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }
