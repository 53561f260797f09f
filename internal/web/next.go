package web

import (
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/coverage"
)

// The pipeline's rhythm, for telling people what to expect.
const (
	attempts    = 10
	between     = time.Minute
	pollEvery   = 30 * time.Second
	votesWanted = 3
	windowOpen  = 45 * time.Minute
	keptRemoved = 24 * time.Hour
)

// next says what will happen to an event, and when; the last search is the clock of the coming one.
func (s *Server) next(e *footy.Event, rows []footy.Entry, posts []footy.Post, zone *time.Location) string {
	at := func(t time.Time, d time.Duration) string {
		return t.Add(d / time.Duration(s.opt.Scale)).In(zone).Format("15:04:05")
	}
	switch e.Status() {
	case footy.StatusRemoved:
		if e.RemovedAt.IsZero() || e.Swept {
			return "Its clips are deleted. If the goal is given again, this page comes back under this very address."
		}
		gone := e.RemovedAt.Add(keptRemoved / time.Duration(s.opt.Scale)).In(zone)
		return fmt.Sprintf("If the goal is given again, this page comes back as it was. On %s its clips are deleted.", gone.Format("2 January at 15:04"))
	case footy.StatusValidating:
		missing := max(votesWanted-e.StableCount(), 1)
		out := fmt.Sprintf("%s more that %s the scorer, and the search starts.", plural(missing, "look", "looks"), verb(missing, "confirms", "confirm"))
		if !e.LastSeen.IsZero() {
			out = fmt.Sprintf("The feed is asked again about %s. ", at(e.LastSeen, pollEvery)) + out
		}
		return out
	case footy.StatusComplete:
		return done(e, posts)
	}
	n := len(e.DownloadWorkflows)
	if n >= attempts || !e.SearchEndedAt.IsZero() {
		return "All searches were made; the last posts are being checked."
	}
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].Kind != footy.EntryQuery {
			continue
		}
		return waiting(rows[i]) + fmt.Sprintf("Search %d of %d is due about %s", n+1, attempts, at(rows[i].At, between)) + until(e, at)
	}
	return fmt.Sprintf("Search 1 of %d is about to start.", attempts)
}

func done(e *footy.Event, posts []footy.Post) string {
	owed := 0
	for _, p := range posts {
		if p.Media != nil && p.Verdict == nil && !p.Ended() {
			owed++
		}
	}
	switch {
	case owed > 0:
		return fmt.Sprintf("%s for the model: checked as soon as it answers.", plural(owed, "downloaded post waits", "downloaded posts wait"))
	case e.SearchEnd != "":
		return "Nothing more: " + lowerFirst(footy.Explain(e.SearchEnd)) + "."
	}
	return "Nothing more: all searches were made."
}

// waiting says what a search that could not look waits for.
func waiting(row footy.Entry) string {
	switch coverage.Text(row.Data, "state") {
	case "login_required":
		return "X wants a login: an operator must log in (Health says how). "
	case "rate_limited":
		return "X allows no search right now. "
	case "upstream_error", "timeout":
		return "X did not answer the last search. "
	}
	return ""
}

func until(e *footy.Event, at func(time.Time, time.Duration) string) string {
	if e.RoundOpenedAt.IsZero() {
		return "."
	}
	return fmt.Sprintf("; the last chance is %s.", at(e.RoundOpenedAt, windowOpen))
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
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
