package check

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/footy"
)

// redditName is what the source of Reddit calls itself.
const redditName = "reddit"

// redditTrouble says in words why Reddit cannot be looked through, and what helps.
func redditTrouble(n source.Named) (fault, remedy string) {
	switch {
	case n.Err != nil:
		return "Reddit does not answer: " + footy.UserMessage(n.Err), "Is Reddit reachable from here? It is tried again by itself."
	case n.Ready:
		return "", ""
	case n.Status == http.StatusNotFound:
		return n.Detail, "Correct REDDIT_SUBREDDITS: one of them is misspelled, closed or banned."
	case n.Status == http.StatusUnavailableForLegalReasons:
		return n.Detail, "Take the subreddit out of REDDIT_SUBREDDITS, or run footy where Reddit shows it."
	case n.Status >= http.StatusInternalServerError:
		return n.Detail, "That is an outage of Reddit's. It is tried again by itself, each minute."
	}
	switch reddit.Way(n.By) {
	case reddit.Public:
		if n.Door != nil && n.Door.Fault != "" {
			n.Detail += "; " + n.Door.Fault
		}
		return n.Detail, "Log in to Reddit with any free account, copy an address from preferences > RSS feeds and set it as REDDIT_FEED (docs/reddit.md): it takes a minute. The public list is tried again with growing pauses."
	case reddit.ByFeed:
		return n.Detail, "Copy the address of REDDIT_FEED again from preferences > RSS feeds (docs/reddit.md). It is tried again with growing pauses."
	}
	return "Reddit: " + n.Detail, "Look at REDDIT_CLIENT_ID, REDDIT_CLIENT_SECRET and REDDIT_SUBREDDITS (docs/reddit.md); a limit passes by itself."
}

// ofArchive says whose list is read while Reddit refuses, and what it may not promise; "" where it is Reddit's own.
func ofArchive(n source.Named) string {
	if n.Door == nil {
		return ""
	}
	return n.Door.Why + ", so its posts are read from " + n.Door.URL + ", which volunteers run: a minute late, without what was deleted or edited since, and with no promise that it is up. REDDIT_FEED asks Reddit itself (docs/reddit.md)"
}

// addReddit adds by which way Reddit is asked, what is left of Reddit's calls, and how its last list looked.
func addReddit(into map[string]any, n source.Named) {
	if by := map[reddit.Way]string{reddit.ByApp: "an app of yours", reddit.ByFeed: "the RSS address of " + n.Account, reddit.Public: "the public list"}[reddit.Way(n.By)]; by != "" {
		into["reddit_by"] = by
	}
	if d := n.Door; d != nil {
		into["reddit_by"] = "a volunteers' archive, " + d.URL + ", since " + minute(d.Since) + ": " + d.Why
		how := cmp.Or(d.Fault, "its newest post was "+d.Age+" old")
		if !d.Asked.IsZero() {
			how = minute(d.Asked) + ", " + how
		}
		into["reddit_archive"] = how
	}
	if n.BudgetLimit > 0 {
		into["reddit_calls"] = fmt.Sprintf("%d of %d left", max(n.BudgetLeft, 0), n.BudgetLimit)
	}
	if c := n.Canary; c != nil {
		how := "as it should be"
		if !c.OK {
			how = c.Detail
		}
		into["reddit_list"] = minute(c.At) + ", " + how
	}
}
