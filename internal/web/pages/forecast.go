package pages

import (
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/coverage"
	"github.com/found-footy/found-footy/internal/rule/ledger"
	"github.com/found-footy/found-footy/internal/rule/round"
	"github.com/found-footy/found-footy/internal/web/story"
	"github.com/found-footy/found-footy/internal/web/view"
)

// Timing is the engine's rhythm: the page decides nothing by it and tells people what to expect.
type Timing struct {
	Searches     int           // usable searches of a goal
	Every        time.Duration // start to start of two searches
	Window       round.Window  // how long a round searches
	Poll         time.Duration // between two looks at the feed
	Votes        int           // sightings that make a goal certain
	RemovedKept  time.Duration // clips of a removed goal are kept this long
	LongestPause time.Duration // between two tries of a post that waits
	Late         time.Duration // a goal first seen this long after it was scored was seen late
}

// DefaultTiming are the product's own numbers.
func DefaultTiming() Timing {
	return Timing{Searches: 10, Every: time.Minute, Window: round.Window{Search: 45 * time.Minute, Blocked: 6 * time.Hour}, Poll: 30 * time.Second,
		Votes: 3, RemovedKept: 24 * time.Hour, LongestPause: ledger.DefaultDelays().Longest, Late: 5 * time.Minute}
}

const clockForm = "15:04:05"

// blockedWords say why nobody can search.
var blockedWords = map[string]string{
	"login_required": "X wants a login, and an operator must log in (Health says how)",
	"rate_limited":   "X allows no search right now",
	"unreachable":    "the search service does not answer",
}

// next says what will happen to an event, and when; the last search is the clock of the coming one.
func (s *Server) next(e *footy.Event, rows []footy.Entry, posts []footy.Post, zone *time.Location) string {
	at := func(t time.Time) string { return t.In(zone).Format(clockForm) }
	switch e.Status() {
	case footy.StatusRemoved:
		if e.RemovedAt.IsZero() || e.Swept {
			return "Its clips are deleted. If the goal is given again, this page comes back under this very address."
		}
		gone := e.RemovedAt.Add(s.Timing.RemovedKept).In(zone)
		return fmt.Sprintf("If the goal is given again, this page comes back as it was. On %s its clips are deleted.", gone.Format("2 January at 15:04"))
	case footy.StatusValidating:
		missing := max(s.Timing.Votes-e.StableCount(), 1)
		out := fmt.Sprintf("%s more that %s the scorer, and the search starts.", view.Plural(missing, "look", "looks"), verb(missing, "confirms", "confirm"))
		if !e.LastSeen.IsZero() {
			out = fmt.Sprintf("The feed is asked again about %s. ", at(e.LastSeen.Add(s.Timing.Poll))) + out
		}
		return out
	}
	waits := s.waits(posts, at)
	if e.Status() == footy.StatusComplete {
		switch {
		case waits != "":
			return waits
		case e.SearchEnd != "":
			return "Nothing more: " + lowerFirst(footy.Explain(e.SearchEnd)) + "."
		}
		return "Nothing more: all searches were made."
	}
	return strings.TrimSpace(s.nextSearch(e, rows, posts, at) + " " + waits)
}

// nextSearch says when the next search comes, or why none does.
func (s *Server) nextSearch(e *footy.Event, rows []footy.Entry, posts []footy.Post, at func(time.Time) string) string {
	t := s.Timing
	n := len(e.DownloadWorkflows)
	switch {
	case n >= t.Searches || !e.SearchEndedAt.IsZero():
		switch waiting := troubled(posts); {
		case waiting == 0:
			return "All searches were made; the last posts are being checked."
		case waiting < len(posts):
			return fmt.Sprintf("All searches were made; %s being checked.", view.Plural(len(posts)-waiting, "post is", "posts are"))
		}
		return "All searches were made."
	case !e.BlockedSince.IsZero():
		return s.blocked(e, at)
	}
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].Kind == footy.EntryQuery {
			return failed(rows[i]) + fmt.Sprintf("Search %d of %d is due about %s; the last chance is %s.", n+1, t.Searches, at(rows[i].At.Add(t.Every)), at(t.Window.End(e, s.Now())))
		}
	}
	return fmt.Sprintf("Search 1 of %d is about to start.", t.Searches)
}

// failed says of a search that had no answer, and counts as a try.
func failed(row footy.Entry) string {
	switch coverage.Text(row.Data, "state") {
	case "upstream_error", "timeout":
		return "X did not answer the last search. "
	}
	return ""
}

// blocked says since when nobody can search, and that this time does not count against the search.
func (s *Server) blocked(e *footy.Event, at func(time.Time) string) string {
	why := blockedWords[e.BlockedBy]
	if why == "" {
		why = "the searches are not answered"
	}
	out := fmt.Sprintf("Nobody can search since %s: %s. ", at(e.BlockedSince), why)
	now, w := s.Now(), s.Timing.Window
	end := w.End(e, now)
	if w.End(e, now.Add(time.Second)).After(end) { // it still moves
		return out + fmt.Sprintf("This time does not count against the search: once it can go on, %s are left.", view.Span(max(end.Sub(now), 0)))
	}
	return out + fmt.Sprintf("Up to %s of such time do not count against the search; it ends at %s.", view.Span(w.Blocked), at(end))
}

// waits says how many posts wait for what, and when the next try is; "" where none does.
func (s *Server) waits(posts []footy.Post, at func(time.Time) string) string {
	n, next := 0, time.Time{}
	for _, b := range ledger.Backlogs(posts) {
		n += len(b.Posts)
		if next.IsZero() || b.NextTry.Before(next) {
			next = b.NextTry
		}
	}
	if n == 0 {
		return ""
	}
	due := "the next try is due now"
	if next.After(s.Now()) {
		due = "the next try is at " + at(next)
	}
	return fmt.Sprintf("%s %s; %s. Nothing is lost by waiting.", view.Plural(n, "post", "posts"), story.WaitsFor(posts), due)
}

// late says that a goal was first seen long after it was scored, and that its posts are searched from then on.
func (s *Server) late(e *footy.Event, zone *time.Location) string {
	if e.HappenedAt.IsZero() || e.FirstSeen.Sub(e.HappenedAt) < s.Timing.Late {
		return ""
	}
	return fmt.Sprintf("First seen at %s, about %s after it was scored: posts are searched for from the goal's own time on, about %s.",
		e.FirstSeen.In(zone).Format("15:04"), view.Span(e.FirstSeen.Sub(e.HappenedAt).Round(time.Minute)), e.HappenedAt.In(zone).Format("15:04"))
}

// troubled counts the posts in trouble.
func troubled(posts []footy.Post) int {
	n := 0
	for _, p := range posts {
		if ledger.InTrouble(p) {
			n++
		}
	}
	return n
}

// withWaiting adds to an event's chip what its posts wait for: it is not done while they do.
func withWaiting(v *view.Event, e *footy.Event, posts []footy.Post) {
	n := troubled(posts)
	if n == 0 || e.Removed {
		return
	}
	label := view.Plural(n, "post waits", "posts wait")
	if !e.SearchEndedAt.IsZero() || e.DownloadComplete {
		v.StatusLabel = label
	} else {
		v.StatusLabel += ", " + label
	}
	v.Waiting = n
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
