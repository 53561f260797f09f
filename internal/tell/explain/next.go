package explain

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source/x/xapi/bill"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
)

// Timing is the engine's rhythm as its settings say, to tell people what to expect; nothing is decided by it.
type Timing struct {
	Round        round.Limits  // how long a round searches
	Every        time.Duration // from a search without an answer to the next
	Poll         time.Duration // between two looks at the feed
	Minute       time.Duration // of play; 0 = one minute
	Votes        int           // sightings that make a goal certain
	RemovedKept  time.Duration // clips of a removed goal are kept this long
	LongestPause time.Duration // between two tries of a post that waits
	LateAfter    time.Duration // a goal first seen this long after it was scored was seen late
	Floor        time.Duration // posts older than a goal by more than this are not searched
}

const clockForm = "15:04:05"

// blockedWords say why no search is possible.
var blockedWords = map[string]string{
	"login_required": "X wants a login, and an operator must log in (Health says how)",
	"rate_limited":   "X allows no search right now",
	"unreachable":    "the search service does not answer",
	"busy":           "every account is busy with other goals",
	"reddit_public":  "Reddit refuses its public list, and an operator must set an address of RSS (Health says how)",
	"reddit_feed":    "Reddit refuses the address of RSS that was set, and an operator must renew it (Health says how)",
	"upstream_error": "whether X accepts the login could not be checked",
}

// blockedBy says why no search is possible, and what ends it where that is known; "" where by is no such reason.
func blockedBy(by string) (why, remedy string) {
	if why = blockedWords[by]; why != "" {
		return why, ""
	}
	return bill.Words(footy.SearchState(by), bill.SearchCap)
}

// Next says what will happen to an event, and when, in the reader's zone; the last search is the clock of the coming one.
func (t Timing) Next(e *footy.Event, rows []footy.Entry, posts []footy.Post, now time.Time, zone *time.Location) string {
	at := func(t time.Time) string { return t.In(zone).Format(clockForm) }
	switch e.Status() {
	case footy.StatusRemoved:
		if e.RemovedAt.IsZero() || e.Swept {
			return fmt.Sprintf("Its clips are deleted. If the %s is reinstated, this page comes back under this very address.", e.Kind.Info().One)
		}
		gone := e.RemovedAt.Add(t.RemovedKept).In(zone)
		return fmt.Sprintf("If the %s is reinstated, this page comes back as it was. On %s its clips are deleted.", e.Kind.Info().One, gone.Format("2 January at 15:04"))
	case footy.StatusValidating:
		missing := max(t.Votes-len(e.Votes), 1)
		out := fmt.Sprintf("The search starts once %s %s the scorer.", Plural(missing, "more poll", "more polls"), verb(missing, "confirms", "confirm"))
		if !e.LastSeen.IsZero() {
			out = fmt.Sprintf("The feed is asked again about %s. ", at(e.LastSeen.Add(t.Poll))) + out
		}
		return out
	}
	waits := waitsFor(posts, now, at)
	if e.Status() == footy.StatusComplete {
		switch {
		case waits != "":
			return waits
		case e.Outcome().Lost != "":
			return "Nothing more: " + LowerFirst(Reason(e.Outcome().Lost)) + "."
		}
		return "Nothing more: all searches were made."
	}
	return strings.TrimSpace(t.nextSearch(e, rows, posts, now, at) + " " + waits)
}

// nextSearch says when the next search comes, or why none does.
func (t Timing) nextSearch(e *footy.Event, rows []footy.Entry, posts []footy.Post, now time.Time, at func(time.Time) string) string {
	if _, over := t.Round.Over(e, now); over {
		open := 0
		for _, p := range posts {
			if !p.Ended() {
				open++
			}
		}
		switch waiting := InTrouble(posts); {
		case waiting == 0:
			return "All searches were made; the last posts are being checked."
		case waiting < open:
			return fmt.Sprintf("All searches were made; %s being checked.", Plural(open-waiting, "post is", "posts are"))
		}
		return "All searches were made."
	}
	if !e.Round.Blocked.Since.IsZero() {
		return t.blocked(e, now, at)
	}
	last := lastSearch(rows)
	if last == nil {
		return fmt.Sprintf("Search 1 of %d is about to start.", t.Round.Searches)
	}
	failed, wait := "", t.Round.Wait(e, last.At)
	if s := last.Data.State; s == footy.SearchUpstreamError || s == footy.SearchTimeout { // which counts as a try
		failed, wait = "X did not answer the last search. ", t.Every
	}
	return failed + fmt.Sprintf("Search %d of %d is due about %s; the last chance is %s.", e.Round.Searches+1, t.Round.Searches, at(last.At.Add(wait)), at(t.Round.WindowEnd(e, now)))
}

// blocked says since when no search is possible, and that this time does not count against the search.
func (t Timing) blocked(e *footy.Event, now time.Time, at func(time.Time) string) string {
	why, remedy := blockedBy(e.Round.Blocked.By)
	why = cmp.Or(why, "the searches are not answered")
	out := strings.Join(strings.Fields(fmt.Sprintf("Nobody can search since %s: %s. %s", at(e.Round.Blocked.Since), why, remedy)), " ") + " "
	end := t.Round.WindowEnd(e, now)
	if t.Round.WindowEnd(e, now.Add(time.Second)).After(end) { // it still moves
		return out + fmt.Sprintf("This time does not count against the search: once it can go on, %s are left.", Span(max(end.Sub(now), 0)))
	}
	return out + fmt.Sprintf("Up to %s of such time do not count against the search; it ends at %s.", Span(t.Round.Blocked), at(end))
}

// waitsFor says how many posts wait for what, and when the next try is; "" where none does.
func waitsFor(posts []footy.Post, now time.Time, at func(time.Time) string) string {
	n, next, remedy := 0, time.Time{}, ""
	for _, b := range ledger.Backlogs(posts) {
		n += len(b.Posts)
		if !passes(b.Cause) {
			remedy = "; Health says what to do"
		}
		if next.IsZero() || b.NextTry.Before(next) {
			next = b.NextTry
		}
	}
	if n == 0 {
		return ""
	}
	due := "the next try is due now"
	if next.After(now) {
		due = "the next try is at " + at(next)
	}
	return fmt.Sprintf("%s %s; %s. Nothing is lost by waiting%s.", Plural(n, "post", "posts"), WaitsFor(posts), due, remedy)
}

// Late says that a goal fell before its match was watched, and from when on posts are searched; "" if it did not.
func (t Timing) Late(e *footy.Event, zone *time.Location) string {
	scored := e.ScoredAt()
	from := t.LateFrom(e.FirstSeen, scored)
	if !e.FirstLook || from.IsZero() {
		return ""
	}
	are := "are"
	if e.DownloadComplete || !e.Round.EndedAt.IsZero() {
		are = "were"
	}
	what, fell, was := e.Kind.Info().One, "happened", "was scored"
	if !e.Kind.Scores() {
		fell, was = "came", "was shown"
	}
	return fmt.Sprintf("This %s %s before we looked: it was first seen at %s, about %s after it %s. Posts from %s on %s searched. "+
		"The feed and posts were not checked in between: corrections and deletions are not known.",
		what, fell, e.FirstSeen.In(zone).Format("15:04"), Span(e.FirstSeen.Sub(scored)), was, from.In(zone).Format("15:04"), are)
}

// LateFrom is the time before which no post is taken of a goal of a first look (FirstLook), by when it was seen and scored (ScoredAt); zero where
// it was not seen late.
func (t Timing) LateFrom(seen, scored time.Time) (from time.Time) {
	if !scored.IsZero() && seen.Sub(scored) >= max(t.LateAfter, 1) {
		from = scored.Add(-t.Floor)
	}
	return from
}

// InTrouble counts the posts in trouble.
func InTrouble(posts []footy.Post) int {
	n := 0
	for _, p := range posts {
		if ledger.InTrouble(p) {
			n++
		}
	}
	return n
}

// passes reports whether a cause ends by itself: there is nothing to do about it.
func passes(cause footy.Reason) bool {
	a := reasons[cause].awaited
	return a == secondLook || a == anotherTry
}

// WaitsFor says what the posts in trouble wait for: "wait: 2 for the vision model, 1 for the clip storage".
func WaitsFor(posts []footy.Post) string {
	var order []string
	count, n := map[string]int{}, 0
	for _, b := range ledger.Backlogs(posts) {
		what := reasons[b.Cause].awaited
		what = cmp.Or(what, "something else")
		if count[what] == 0 {
			order = append(order, what)
		}
		count[what] += len(b.Posts)
		n += len(b.Posts)
	}
	if len(order) == 1 && n == 1 {
		return "waits for " + order[0]
	}
	if len(order) == 1 {
		return "wait for " + order[0]
	}
	for i, what := range order {
		order[i] = fmt.Sprintf("%d for %s", count[what], what)
	}
	return "wait: " + strings.Join(order, ", ")
}
