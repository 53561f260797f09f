package check

import (
	"context"
	"fmt"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/fetchhealth"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// warnAfter is when posts that fail alike are worth a word, before the fetch rests.
const warnAfter = fetchhealth.Enough / 2

// trouble is what every post of a place got as an answer: what that means then, and what a person can do.
type trouble struct{ what, remedy string }

var fetchTroubles = map[source.Place]map[footy.Reason]trouble{
	source.OnX: {
		footy.ReasonGeoBlocked: {"X refuses every post to this address",
			"X may block this network or country: try another address or a VPN. Posts wait, and one is tried every few minutes."},
		footy.ReasonDeleted: {"X says of every post that it is gone",
			"Is there a newer footy? X may have changed how posts are asked for. Posts wait, and one is tried every few minutes."},
		footy.ReasonFetchFailed: {"no post of X can be fetched",
			"Can this machine reach cdn.syndication.twimg.com and video.twimg.com? A filter of DNS or a proxy may keep it from them. Posts wait."},
		footy.ReasonMachine: {"what is fetched cannot be kept here", "Is the disk full? Posts wait."},
	},
	source.OnReddit: {
		footy.ReasonGeoBlocked: {"every video that Reddit's posts link to is refused to this address",
			"Their hosts may block this network or country: try another address or a VPN. Posts wait, and one is tried every few minutes."},
		footy.ReasonDeleted: {"every video that Reddit's posts link to is said to be gone",
			"Is there a newer footy? Hosts change how they are asked. Posts wait, and one is tried every few minutes."},
		footy.ReasonFetchFailed: {"no video of a post on Reddit can be fetched",
			"Can this machine reach v.redd.it and the hosts of clips below? Posts wait."},
		footy.ReasonMachine: {"what is fetched cannot be kept here", "Is the disk full? Posts wait."},
	},
}

// fetch reports whether the files of posts can be had, at each place where posts lie.
func (c *Checker) fetch(ctx context.Context) health.Part {
	p := health.Part{Name: health.Fetch, State: health.StateOK, Facts: map[string]any{}}
	if c.opt.Store == nil {
		return p
	}
	asked := false
	worse := func(one health.Part) {
		switch {
		case one.State == health.StateOK:
		case p.State == health.StateOK:
			p.State, p.Since, p.Reason, p.Remedy = one.State, one.Since, one.Reason, one.Remedy
		default:
			p.Reason, p.Remedy = p.Reason+"; "+one.Reason, p.Remedy+" "+one.Remedy
			if one.State == health.StateDown && p.State != health.StateDown {
				p.State, p.Since = one.State, one.Since
			}
		}
	}
	for _, at := range source.Places {
		var last source.FetchHealth
		if c.opt.Store.State(ctx, at.FetchHealthKey(), &last) != nil {
			continue // nothing was fetched there yet; the state part reports a store that does not answer
		}
		asked = asked || !last.LastOK.IsZero() || len(last.Failed) > 0
		if !last.LastOK.IsZero() {
			p.Facts[map[source.Place]string{source.OnX: "last_fetched", source.OnReddit: "last_fetched_reddit"}[at]] = last.LastOK
		}
		worse(fetchAt(at, last))
	}
	hosts := c.failingHosts(ctx)
	if worse(hosts); p.State == health.StateOK {
		p.Reason, p.Remedy = hosts.Reason, hosts.Remedy
	}
	if p.State == health.StateOK && !asked {
		p.Unasked, p.Reason = true, "no post was fetched yet; posts of X are asked for at "+c.opt.Config.Search.SyndicationURL
	}
	return p
}

// fetchAt is what the last fetches at a place say.
func fetchAt(at source.Place, last source.FetchHealth) health.Part {
	if !fetchhealth.Resting(last) && len(last.Failed) < warnAfter {
		return health.Part{State: health.StateOK}
	}
	t, known := fetchTroubles[at][last.Reason]
	if !known {
		t = trouble{fmt.Sprintf("every post on %s fails alike (%s)", at, explain.Reason(last.Reason)), "It is tried again by itself; posts wait."}
	}
	p := health.Part{State: health.StateDegraded, Reason: fmt.Sprintf("%s: %d in a row", t.what, len(last.Failed)), Remedy: t.remedy}
	if fetchhealth.Resting(last) {
		p.State, p.Since, p.Reason = health.StateDown, last.RestingSince, fmt.Sprintf("%s: the last %d all failed alike, so the others wait", t.what, fetchhealth.Enough)
		p.Remedy += " To try all of them now: footy waiting retry --cause " + string(footy.ReasonFetchResting) + "."
	}
	return p
}
