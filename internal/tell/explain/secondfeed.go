package explain

import (
	"cmp"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/footy"
)

// secondFeed says what the second feed says of an event.
func secondFeed(r footy.Entry) string {
	d := r.Data
	feed := cmp.Or(d.Feed, "The second feed")
	switch r.Reason {
	case debounce.ReasonSecondAlone:
		return fmt.Sprintf("%s reports it first: %s (%s), %s. Clips are looked for ahead.", feed, who(d.Player), d.Team, minute(d.Time))
	case debounce.ReasonSecondLists:
		lead := time.Duration(d.Lead * float64(time.Second))
		switch {
		case lead > 0:
			return feed + " reported it " + Span(lead) + " earlier."
		case lead < 0:
			return feed + " reports it, too, " + Span(-lead) + " later."
		}
		return feed + " reports it, too."
	case debounce.ReasonSecondScorer:
		return feed + " names another scorer: " + person(d.To) + "."
	case debounce.ReasonSecondLacks:
		return feed + " has this match, but not this goal."
	case debounce.ReasonSecondDropped:
		return feed + " no longer lists it."
	case debounce.ReasonSecondNoMatch:
		return feed + " does not have this match."
	case debounce.ReasonSecondTwo:
		return feed + " has two matches that may be this one: none of them is believed."
	case debounce.ReasonSecondSilent:
		return feed + " could not be asked."
	}
	return ""
}
