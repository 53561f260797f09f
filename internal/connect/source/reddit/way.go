package reddit

import (
	"fmt"
	"net/http"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

// Way is how Reddit's posts are listed.
type Way string

// The ways.
const (
	ByApp  Way = "app"    // through the API, with an app of the person's own
	ByFeed Way = "feed"   // by RSS, with the token that any account has
	Public Way = "public" // by RSS as everybody gets it; many are refused
)

// Way is the one that the options lead to.
func (o Options) Way() Way {
	switch {
	case o.ClientID != "":
		return ByApp
	case o.FeedToken != "":
		return ByFeed
	}
	return Public
}

// pace is how much may be asked.
type pace struct {
	calls   int // that Reddit takes: from an app in ten minutes, by RSS in a minute
	reserve int // of an app's, that lists leave for looking up the files of posts that were found
	pages   int // of one list at most, to reach back to a goal's own time
	lists   int // of the newest posts, in a minute at most
}

func (o Options) pace() pace {
	return map[Way]pace{ByApp: {1000, 50, 3, 3}, ByFeed: {10, 0, 3, 2}, Public: {2, 0, 1, 1}}[o.Way()]
}

// every is the time between two lists.
func (s *Source) every() time.Duration { return s.opts.Every / time.Duration(s.opts.pace().lists) }

// refused says what it means that Reddit refuses RSS.
func (w Way) refused(code int) (footy.Reason, string) {
	if w == ByFeed {
		return footy.ReasonRedditFeed, fmt.Sprintf("Reddit refuses the address of REDDIT_FEED (HTTP %d)", code)
	}
	return footy.ReasonRedditPublic, fmt.Sprintf("Reddit refuses its public list to this machine (HTTP %d)", code)
}

// longestPause is the longest wait after a list that failed, in times of the one between two lists.
const longestPause = 32

// paused makes a list by RSS that failed wait; one that was refused twice as long each time in a row: whoever asks on is refused on.
func (s *Source) paused(res source.Result, err error) source.Result {
	switch {
	case err == nil && res.State.Usable():
		s.refusals = 0
		return res
	case err == nil && res.State == source.StateRateLimited && res.Status == 0: // our own count
		return res
	}
	if err != nil || res.Status >= 500 { // an outage, which no asking makes worse
		res.RetryAfter = max(res.RetryAfter, s.opts.Every)
		return res
	}
	wait := s.opts.Every * time.Duration(min(1<<min(s.refusals, 10), longestPause))
	s.refusals++
	res.RetryAfter = max(res.RetryAfter, wait)
	return res
}

// staying is the client without redirects: an address with a token goes to Reddit alone.
func staying(c *http.Client) *http.Client {
	out := *c
	out.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &out
}
