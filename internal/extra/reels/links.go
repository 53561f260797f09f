package reels

import (
	"strconv"

	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

// hasReel reports whether a goal of the match has a verified clip, of which a reel can be made.
func hasReel(v *view.Fixture) bool {
	for _, e := range v.Events {
		for _, c := range e.Clips {
			if c.Verified && e.Kind.Scores() {
				return true
			}
		}
	}
	return false
}

// links lead to the reels of a match, a day, a competition and a team.
func links() []frame.Link {
	of := func(kind string, id int64, o frame.Of) string {
		if o.Match != nil && !hasReel(o.Match) {
			return ""
		}
		return "/reel/" + kind + "/" + strconv.FormatInt(id, 10) + "/" + o.Date
	}
	return []frame.Link{
		{At: frame.Match, Label: "Reel of this match", Href: func(o frame.Of) string {
			if !hasReel(o.Match) {
				return ""
			}
			return "/reel/match/" + strconv.FormatInt(o.Match.ID, 10)
		}},
		{At: frame.Day, Label: "Reel", Title: "A film of the goals of the day", Href: func(o frame.Of) string { return "/reel/day/" + o.Date }},
		{At: frame.League, Label: "Reel", Title: "A film of the goals of this day", Href: func(o frame.Of) string { return of("league", o.League, o) }},
		{At: frame.Team, Label: "Reel", Title: "A film of the goals of this day", Href: func(o frame.Of) string { return of("team", o.Team, o) }},
	}
}
