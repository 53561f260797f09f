package check

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/xapi/bill"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
	"github.com/found-footy/found-footy/internal/run/xaccount"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// search reports whether goals can be searched for: who is logged in, what is left, how X looked when last checked.
func (c *Checker) search(ctx context.Context) health.Part {
	p := health.Part{Name: health.Search, State: health.StateOK, Facts: map[string]any{}}
	var faults, remedies []string
	archive := ""
	ready, asked := 0, false
	for _, n := range c.searchers(ctx) {
		if n.Name == (source.None{}).Name() {
			p.State, p.Reason, p.Remedy = health.StateMissing, "nobody has logged in to X here and there is no token for its API: no clip is searched for",
				"Bring an X account (footy x import-cookies FILE), or set X_BEARER_TOKEN."
			if xaccount.HasSession(c.opt.Config) {
				p.State, p.Reason, p.Remedy = health.StateDown, "there is a session of X, but Chromium is not installed", explain.UpperFirst(xaccount.InstallChromium)+"."
			}
			return p
		}
		asked = asked || !n.Unasked // whether X takes a token shows with the first search
		c.addKeptCanary(ctx, &n)
		addFacts(p.Facts, n)
		fault, remedy := searchTrouble(n, c.opt.Config.Search.ServiceURL)
		if fault == "" {
			archive = cmp.Or(archive, ofArchive(n))
			ready++
			fault, remedy = shapeTrouble(n)
		}
		if fault == "" {
			continue
		}
		faults, remedies = append(faults, fault), append(remedies, remedy)
	}
	if len(faults) == 0 {
		if !asked {
			p.Unasked, p.Reason = true, "X_BEARER_TOKEN is set, and the paid API was not asked today"
		}
		p.Reason = cmp.Or(p.Reason, archive)
		return p
	}
	p.State, p.Reason, p.Remedy = health.StateDown, strings.Join(faults, "; "), strings.Join(remedies, " ")
	if ready > 0 {
		p.State = health.StateDegraded
	}
	return p
}

// searchers are the sources of this process, and the browsers that take searches from the queue, as they reported last: in place of the
// one at this process's address, which may be one of them. The paid API and Reddit are this process's own.
func (c *Checker) searchers(ctx context.Context) []source.Named {
	var all source.Searchers
	if c.opt.Store == nil || c.opt.Config.Engine.Address == "" || c.opt.Store.State(ctx, source.SearchersKey, &all) != nil {
		return source.Each(ctx, c.opt.Source)
	}
	present := all.Present(time.Now())
	if len(present) == 0 {
		return source.Each(ctx, c.opt.Source)
	}
	var out []source.Named
	for _, s := range present {
		out = append(out, source.Named{Health: s.Health, Name: "xweb"})
	}
	token, reddit := c.opt.Config.Search.BearerToken != "", c.opt.Config.RedditOn()
	if !token && !reddit {
		return out
	}
	for _, n := range source.Each(ctx, c.opt.Source) {
		if n.Name == "xapi" && token || n.Name == redditName && reddit {
			out = append(out, n)
		}
	}
	return out
}

// addKeptCanary fills in what the schedule kept of X.
func (c *Checker) addKeptCanary(ctx context.Context, n *source.Named) {
	if n.Name != "xweb" || c.opt.Store == nil {
		return
	}
	var kept source.Canary
	if c.opt.Store.State(ctx, canary.StateKey, &kept) == nil {
		n.Canary = &kept
	}
}

const logInAgain = "Log in to X again (docs/x-login.md); searches wait for it."

// searchTrouble says in words why a source cannot search, and what helps.
func searchTrouble(n source.Named, service string) (fault, remedy string) {
	if n.Name == redditName {
		return redditTrouble(n)
	}
	switch {
	case footy.CodeOf(n.Err) == footy.CodeAuthRequired && n.Name == "xweb":
		return "the search service refuses us: " + footy.UserMessage(n.Err), "Set the TWITTER_SERVICE_TOKEN of the search service here; searches wait for it."
	case n.Err != nil && service == "":
		return "the search service does not answer: " + footy.UserMessage(n.Err), "Start it with footy up or footy browser; searches wait for it."
	case n.Err != nil:
		return "the search service does not answer: " + footy.UserMessage(n.Err), "Start the search service at TWITTER_SERVICE_URL; searches wait for it."
	case n.Login == source.LoginExpired || n.Login == source.LoginMissing || n.Login == source.LoginChallenged:
		return "X wants a login: " + n.Detail, logInAgain
	case n.Login == source.LoginUnknown && n.Detail != "":
		return "whether X lets us in could not be checked: " + n.Detail, "Is X reachable from here? Searches wait for it."
	case n.Waits != "":
		return bill.Words(n.Waits, bill.SearchCap)
	case !n.Ready && n.Login != source.LoginUnknown && n.Detail != "":
		return n.Name + " " + n.Detail, "It is tried again by itself."
	}
	return "", ""
}

// shapeTrouble says that X has changed under a source that works: it may find less than there is.
func shapeTrouble(n source.Named) (fault, remedy string) {
	if n.Canary == nil || !n.Canary.Drift {
		return "", ""
	}
	if n.Name == redditName {
		return "Reddit has changed: " + n.Canary.Detail, "Look for a newer footy."
	}
	return "X has changed: " + n.Canary.Detail, "Look for a newer footy; the answer that surprised it is kept in " + n.Canary.Sample + "."
}

func addFacts(into map[string]any, n source.Named) {
	if n.Name == "xapi" {
		if n.Detail != "" {
			into["paid_api"] = n.Detail
		}
		return
	}
	if n.Name == redditName {
		addReddit(into, n)
		return
	}
	if into["login"] != nil { // one of several accounts
		more, _ := into["more_accounts"].(string)
		into["more_accounts"] = strings.TrimPrefix(more+"; "+accountText(n), "; ")
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
		into["last_check"] = minute(n.Canary.At) + ", " + xaccount.CanaryText(*n.Canary)
	}
}

// accountText is an account in a few words.
func accountText(n source.Named) string {
	text := cmp.Or(n.Account, "nobody") + ": " + strings.ReplaceAll(string(n.Login), "_", " ")
	if n.BudgetLeft >= 0 && n.BudgetLimit > 0 {
		text += fmt.Sprintf(", %d of %d calls left", n.BudgetLeft, n.BudgetLimit)
	}
	return text
}

// SearchBefore also looks at a search service of this machine that was not started: no fault before footy up.
func (c *Checker) SearchBefore(ctx context.Context) health.Part {
	s := c.opt.Config
	f := placed(c.search(ctx), "asked are, in this order: "+c.opt.Source.Name())
	if f.State == health.StateMissing || s.Search.ServiceURL != "" || !xaccount.HasAccount(s) {
		return f
	}
	r, err := xaccount.Account{Config: s, Log: c.opt.Log}.Status(ctx)
	switch {
	case err != nil, r.Running: // the look at it says all
	case r.Login == source.LoginExpired:
		f.State, f.Reason, f.Remedy = health.StateDown, "X wants a login: the session has expired", logInAgain
	default:
		f.State, f.Reason, f.Remedy = health.StateOK, "a session of X is there; footy up searches with it", ""
		if r.ValidUntil != nil {
			f.Facts["login_until"] = r.ValidUntil.Format(time.DateOnly)
		}
	}
	return f
}
