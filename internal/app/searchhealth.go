package app

import (
	"context"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/pipeline/canary"
	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/web"
)

// search tells whether goals can be searched for: who is logged in, what is left, how X looked when last checked.
func (h *health) search(ctx context.Context) web.Component {
	c := web.Component{Name: "search", State: web.StateOK, Facts: map[string]any{}}
	var faults, remedies []string
	ready := 0
	for _, n := range source.Each(ctx, h.app.sources) {
		if n.Name == (source.None{}).Name() {
			c.State, c.Reason, c.Remedy = web.StateMissing, "nobody has logged in to X here and there is no token for its API: no clip is searched for",
				"Bring an X account (footy x import-cookies FILE), or set X_BEARER_TOKEN."
			if hasSession(h.app.Config) {
				c.State, c.Reason, c.Remedy = web.StateDown, "there is a session of X, but Chromium is not installed", "I"+installChromium[1:]+"."
			}
			return c
		}
		h.sawDrift(ctx, &n)
		facts(c.Facts, n)
		fault, remedy := troubled(n, h.app.Config.Search.ServiceURL)
		if fault == "" {
			ready++
			fault, remedy = drifted(n)
		}
		if fault == "" {
			continue
		}
		faults, remedies = append(faults, fault), append(remedies, remedy)
	}
	if len(faults) == 0 {
		return c
	}
	c.State, c.Reason, c.Remedy = web.StateDown, strings.Join(faults, "; "), strings.Join(remedies, " ")
	if ready > 0 {
		c.State = web.StateDegraded
	}
	return c
}

// sawDrift fills in what the schedule kept: a service that was started anew has seen nothing yet.
func (h *health) sawDrift(ctx context.Context, n *source.Named) {
	if n.Name != "xweb" || h.app.Store == nil {
		return
	}
	var kept source.Canary
	if h.app.Store.State(ctx, canary.StateKey, &kept) == nil && (n.Canary == nil || kept.At.After(n.Canary.At)) {
		n.Canary = &kept
	}
}

// troubled says in words why a source cannot search, and what helps.
func troubled(n source.Named, service string) (fault, remedy string) {
	switch {
	case n.Err != nil && service == "":
		return "the search service does not answer: " + Plain(n.Err), "Start it with footy up or footy browser; searches wait for it."
	case n.Err != nil:
		return "the search service does not answer: " + Plain(n.Err), "Start the search service at TWITTER_SERVICE_URL; searches wait for it."
	case n.Login == source.LoginExpired || n.Login == source.LoginMissing || n.Login == source.LoginChallenged:
		return "X wants a login: " + n.Detail, "Log in to X again (docs/x-login.md); searches wait for it."
	case n.Login == source.LoginUnknown && n.Detail != "":
		return "nobody could see whether X lets us in: " + n.Detail, "Is X reachable from here? Searches wait for it."
	case n.Name == "xapi" && n.BudgetLeft == 0:
		return "the day's money for the paid API is spent", "Raise X_DAILY_CAP, or wait for midnight UTC."
	case !n.Ready && n.Login != source.LoginUnknown && n.Detail != "":
		return n.Name + " " + n.Detail, "It is tried again by itself."
	}
	return "", ""
}

// drifted says that X has changed under a source that works: it may find less than there is.
func drifted(n source.Named) (fault, remedy string) {
	if n.Canary == nil || !n.Canary.Drift {
		return "", ""
	}
	return "X has changed: " + n.Canary.Detail, "Look for a newer footy; the answer that surprised it is kept in " + n.Canary.Sample + "."
}

func facts(into map[string]any, n source.Named) {
	if n.Name == "xapi" {
		if n.Detail != "" {
			into["paid_api"] = n.Detail
		}
		return
	}
	if n.Login != "" {
		into["login"] = strings.ReplaceAll(string(n.Login), "_", " ")
	}
	if n.Account != "" {
		into["account"] = n.Account
	}
	if !n.ValidUntil.IsZero() {
		into["login_until"] = n.ValidUntil.Format(time.DateOnly)
	}
	if n.BudgetLeft >= 0 && n.BudgetLimit > 0 {
		into["budget_left"], into["budget"] = n.BudgetLeft, n.BudgetLimit
		if n.BudgetLeft == 0 && !n.BudgetResets.IsZero() {
			into["next_call"] = n.BudgetResets.UTC().Format("15:04:05 UTC")
		}
	}
	if n.Canary != nil {
		into["last_check"] = n.Canary.At.UTC().Format("2006-01-02 15:04 UTC") + ", " + lookedLike(*n.Canary)
	}
}

// lookedLike is a canary's finding in a few words.
func lookedLike(c source.Canary) string {
	switch {
	case c.OK:
		return "as expected"
	case c.Drift:
		return "changed: " + c.Detail
	}
	return c.Detail
}
