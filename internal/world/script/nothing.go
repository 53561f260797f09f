package script

import (
	"cmp"
	"fmt"
	"slices"
)

// Nothing is a manner of the owner, who has configured nothing: matches come from ESPN's scoreboard, posts from Reddit's public list, and
// clips are proven by their running clock. There is no X and no model.
const Nothing = "nothing"

// WithNothing tells that the day is played by somebody who has configured nothing.
func (s *Script) WithNothing() bool {
	return slices.ContainsFunc(s.Modes, func(m Mode) bool { return m.Mode == Nothing })
}

// OnFreePlan tells that the key of the feed is a free one.
func (s *Script) OnFreePlan() bool {
	return slices.ContainsFunc(s.Modes, func(m Mode) bool { return m.Mode == FreePlan })
}

// redditDelay is how long after X the first post of a goal stands on r/soccer, in product seconds.
const redditDelay = 40

// postOnReddit gives each goal that somebody posted on X a post on r/soccer with the first footage that X had of it, and one with the next:
// the days' own posts on Reddit are few, because X has them all.
func (s *Script) postOnReddit() {
	for i := range s.Fixtures {
		f := &s.Fixtures[i]
		order := make([]int, len(f.Events))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f.Happens(f.Events[a]), f.Happens(f.Events[b])) })
		home, away := 0, 0
		for _, k := range order {
			e := &f.Events[k]
			if !Scores(e.Kind) {
				continue
			}
			h, a, score := home+1, away, fmt.Sprintf("[%d] - %d", home+1, away)
			if e.Side != "home" {
				h, a, score = home, away+1, fmt.Sprintf("%d - [%d]", home, away+1)
			}
			if e.Expect == nil || !e.Expect.Removed {
				home, away = h, a
			}
			for n, p := range e.firstShown() {
				title := "{home} " + score + " {away} - {player} {minute}'"
				if n > 0 {
					title += " (another look)"
				}
				e.Posts = append(e.Posts, Post{After: p.After + redditDelay, By: "matchday_mod", Text: title, Kind: p.Kind, Take: p.Take, On: Reddit})
			}
		}
	}
}

// firstShown are the first two posts on X that show the event; one, where Reddit has one already.
func (e Event) firstShown() []Post {
	var out []Post
	room := 2
	for _, p := range e.Posts {
		why, _ := reason(p)
		switch {
		case why != "":
		case p.On == Reddit:
			room = 1
		case p.After >= 0 && p.Kind != Quote:
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b Post) int { return cmp.Compare(a.After, b.After) })
	return out[:min(len(out), room)]
}

// OnReddit are the goals of which r/soccer has a post that shows them, as fixture/event.
func (s *Script) OnReddit() map[string]bool {
	out := map[string]bool{}
	for _, t := range s.Truth() {
		if t.Post.On == Reddit && t.Reason == "" {
			out[fmt.Sprintf("%d/%s", t.Fixture, t.Event)] = true
		}
	}
	return out
}
