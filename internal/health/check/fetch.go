package check

import (
	"context"
	"fmt"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/health"
	"github.com/found-footy/found-footy/internal/rule/fetchhealth"
	"github.com/found-footy/found-footy/internal/source"
)

// warnAfter is when posts that fail alike are worth a word, before the fetch rests.
const warnAfter = fetchhealth.Enough / 2

// fetchTroubles are answers that every post got, each with what it means then and what a person can do.
var fetchTroubles = map[footy.Reason]struct{ what, remedy string }{
	footy.ReasonGeoBlocked: {"X refuses every post to this address",
		"X may block this network or country: try another address or a VPN. Posts wait, and a known one is tried until it can be had."},
	footy.ReasonDeleted: {"X says of every post that it is gone",
		"Is there a newer footy? X may have changed how posts are asked for. Posts wait, and a known one is tried until it can be had."},
	footy.ReasonFetchFailed: {"no post can be fetched",
		"Can this machine reach cdn.syndication.twimg.com and video.twimg.com? A filter of DNS or a proxy may keep it from them. Posts wait."},
	footy.ReasonMachine: {"what is fetched cannot be kept here", "Is the disk full? Posts wait."},
}

// fetch tells whether the files of posts can be had.
func (c *Checker) fetch(ctx context.Context) health.Part {
	p := health.Part{Name: health.Fetch, State: health.StateOK, Facts: map[string]any{}}
	var last source.FetchHealth
	if c.opt.Store == nil || c.opt.Store.State(ctx, source.FetchHealthKey, &last) != nil {
		return p // nothing was fetched yet; the state part tells of a store that does not answer
	}
	if !last.LastOK.IsZero() {
		p.Facts["last_fetched"] = last.LastOK
	}
	if !fetchhealth.Resting(last) && len(last.Failed) < warnAfter {
		return p
	}
	t, known := fetchTroubles[last.Reason]
	if !known {
		t.what, t.remedy = "every post fails alike ("+explain.Reason(last.Reason)+")", "It is tried again by itself; posts wait."
	}
	p.State, p.Reason, p.Remedy = health.StateDegraded, fmt.Sprintf("%s: %d in a row", t.what, len(last.Failed)), t.remedy
	if fetchhealth.Resting(last) {
		p.State, p.Since, p.Reason = health.StateDown, last.RestingSince, fmt.Sprintf("%s: the last %d all failed alike, so the others wait", t.what, fetchhealth.Enough)
	}
	return p
}
