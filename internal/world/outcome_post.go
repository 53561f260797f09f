package world

import (
	"fmt"
	"slices"

	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
)

// posts checks what became of single posts of a goal: copies are one clip, a compilation swallows none.
func (c *check) posts(where string, f script.Fixture, e script.Event, got GoalOutcome) {
	by := map[int]PostOutcome{} // by place in the event
	first := post.Serial(c.script, f.ID, e.Key)
	taken := map[int]bool{}
	for _, id := range got.TakenUp {
		taken[post.SerialOf(id)-first] = true
	}
	for id, p := range got.Posts {
		by[post.SerialOf(id)-first] = p
	}
	for i, p := range e.Posts {
		name := fmt.Sprintf("%s, the %s post", where, p.Kind)
		own, kept := by[i]
		switch {
		case p.Kind == script.Quote:
			c.that(!taken[i], name, "not taken up: its video belongs to the post it quotes", "taken up under its own id")
		case p.After < 0:
			c.that(!taken[i], name, "not taken up: it is older than the goal", "taken up")
		}
		if p.Joins != "" {
			ok := false
			for k, o := range e.Posts {
				ok = ok || k != i && o.Kind == p.Joins && kept && by[k].Stands == own.Stands
			}
			c.that(ok, name, "one clip with the "+p.Joins, told(own, kept))
		}
		if p.Apart {
			swallowed := ""
			for k, o := range by {
				if k != i && kept && o.Clip != own.Clip && o.Stands == own.Clip {
					swallowed = "it stands for the " + e.Posts[k].Kind
				}
			}
			c.that(swallowed == "", name, "it stands for no other post", swallowed)
		}
	}
}

func told(p PostOutcome, kept bool) string {
	switch {
	case !kept:
		return "no clip was made of it"
	case p.Clip == p.Stands:
		return "it stands for itself"
	}
	return "it was merged into another clip"
}

// WronglyVerified are the posts whose file stands as a verified clip at a goal that it does not show, by what the script knows of it.
func WronglyVerified(s *script.Script, o Outcome) []string {
	truths := s.Truth() // in the order of their serials
	var out []string
	for _, f := range s.Fixtures {
		for _, e := range f.Events {
			got, ok := find(f, e, o.Goals)
			if !ok || got.Removed {
				continue
			}
			for id, p := range got.Posts {
				n := post.SerialOf(id)
				if !p.Verified || p.Clip != p.Stands || n < 0 || n >= len(truths) {
					continue
				}
				if t := truths[n]; t.Fixture != f.ID || !t.Shows(e.Key) {
					out = append(out, fmt.Sprintf("%s %d' has the %s posted for %d/%s", got.Player, got.Minute, t.Post.Kind, t.Fixture, t.Event))
				}
			}
		}
	}
	slices.Sort(out)
	return out
}
