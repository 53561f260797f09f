package inspect

import (
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// RoundAnswer is how the search round of a goal stands.
type RoundAnswer struct {
	OfGoal
	Round      int               `json:"round"` // 0: none was opened, for the goal is not certain
	Over       bool              `json:"over"`
	Why        footy.Reason      `json:"why,omitempty"` // it is over short of its searches
	Searches   int               `json:"searches"`      // that could look
	OfSearches int               `json:"of_searches"`
	Tries      int               `json:"tries"` // searches made, whether they could look or not
	OfTries    int               `json:"of_tries"`
	NextSearch time.Time         `json:"next_search,omitzero"` // zero: none comes, or nobody can search
	EndsAt     time.Time         `json:"ends_at,omitzero"`     // its time is up, as things are now
	Blocked    *RoundBlocked     `json:"blocked,omitempty"`    // nobody can search
	Posts      map[string]int    `json:"posts"`                // by state
	Open       []string          `json:"open"`                 // posts that have not ended
	Complete   bool              `json:"complete"`             // the goal, or it would be made so now
	Status     footy.EventStatus `json:"status"`
}

// RoundBlocked is since when nobody can search, and what the search service said.
type RoundBlocked struct {
	Since time.Time `json:"since"`
	By    string    `json:"by"`
}

// Round tells how the search round of a goal stands.
func Round(g Goal, l round.Limits, now time.Time) RoundAnswer {
	e := *g.Event
	out := RoundAnswer{OfGoal: g.of(now), Round: e.Round.Number, Searches: e.Round.Searches, OfSearches: l.Searches, Tries: e.Round.Tries, OfTries: l.Tries,
		Posts: map[string]int{}, Open: []string{}, Status: e.Status()}
	for _, p := range g.Posts {
		out.Posts[string(p.State)]++
		if !p.Ended() {
			out.Open = append(out.Open, p.PostID)
		}
	}
	if e.Round.Number == 0 {
		return out
	}
	out.Why, out.Over = l.Over(&e, now)
	out.Complete = l.Complete(&e, g.Posts, now) || e.DownloadComplete
	if out.Over || e.Removed {
		return out
	}
	out.EndsAt = l.WindowEnd(&e, now)
	if b := e.Round.Blocked; b.Since.IsZero() {
		out.NextSearch = now.Add(l.Wait(&e, now)).UTC()
	} else {
		out.Blocked = &RoundBlocked{b.Since, b.By}
	}
	return out
}

// String tells people.
func (a RoundAnswer) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", a.Goal)
	if a.Round == 0 {
		fmt.Fprintf(&b, "no round: the goal is not certain yet; what is found before waits (%s)\n", explain.Plural(len(a.Open), "post", "posts"))
		return b.String()
	}
	fmt.Fprintf(&b, "round %d: %d of %d searches could look, %d of %d tries\n", a.Round, a.Searches, a.OfSearches, a.Tries, a.OfTries)
	switch {
	case a.Over && a.Why != "":
		fmt.Fprintf(&b, "it is over: %s\n", explain.Reason(a.Why))
	case a.Over:
		b.WriteString("it is over: all searches were made\n")
	case a.Status == footy.StatusRemoved:
		b.WriteString("nothing is searched: the goal was removed\n")
	case a.Blocked != nil:
		fmt.Fprintf(&b, "nobody can search since %s: %s; this time does not count\n", clockText(a.Blocked.Since), a.Blocked.By)
	default:
		fmt.Fprintf(&b, "it is open: the next search is due at %s; its time is up at %s\n", clockText(a.NextSearch), clockText(a.EndsAt))
	}
	for _, s := range sortedKeys(a.Posts) {
		fmt.Fprintf(&b, "  %s: %d\n", strings.ReplaceAll(s, "_", " "), a.Posts[s])
	}
	switch {
	case a.Complete:
		b.WriteString("the goal is complete\n")
	case a.Status == footy.StatusRemoved:
	case !a.Over:
		b.WriteString("the goal is not complete: its round is open\n")
	default:
		fmt.Fprintf(&b, "the goal is not complete: open are the posts %s (footy inspect post %s)\n", strings.Join(a.Open, ", "), a.Event)
	}
	return b.String()
}
