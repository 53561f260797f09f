package web

import (
	"strconv"

	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

// reelLinks lead to the reels of a match, a day, a competition and a team.
func reelLinks() []frame.Link {
	of := func(kind string, id int64, o frame.Of) string {
		if o.Match != nil && !o.Match.HasReel() {
			return ""
		}
		return "/reel/" + kind + "/" + strconv.FormatInt(id, 10) + "/" + o.Date
	}
	return []frame.Link{
		{At: frame.Match, Label: "Reel of this match", Href: func(o frame.Of) string {
			if !o.Match.HasReel() {
				return ""
			}
			return "/reel/match/" + strconv.FormatInt(o.Match.ID, 10)
		}},
		{At: frame.Day, Label: "Reel", Title: "A film of the goals of the day", Href: func(o frame.Of) string { return "/reel/day/" + o.Date }},
		{At: frame.League, Label: "Reel", Title: "A film of the goals of this day", Href: func(o frame.Of) string { return of("league", o.League, o) }},
		{At: frame.Team, Label: "Reel", Title: "A film of the goals of this day", Href: func(o frame.Of) string { return of("team", o.Team, o) }},
	}
}
