package view

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
)

// final follows a clip through replacements and merges to one that is visible, or that an operator hid. nil: deleted.
func final(e *footy.Event, id string) *footy.Clip {
	for _, id := range e.Replacements(id) {
		if c := e.Clip(id); c != nil && (c.Visible() || c.Hidden) {
			return c
		}
	}
	return nil
}

// CurrentClip is the visible clip that stands for this one now. nil: there is none any more.
func CurrentClip(e *footy.Event, id string) *footy.Clip {
	if c := final(e, id); c != nil && c.Visible() {
		return c
	}
	return nil
}

// HiddenClip is the clip by which an operator took this one's content out of sight. nil: no operator did.
func HiddenClip(e *footy.Event, id string) *footy.Clip {
	if c := final(e, id); c != nil && c.Hidden {
		return c
	}
	return nil
}

// ClipVisible tells of which clips people can see the content now.
func ClipVisible(e *footy.Event) func(id string) bool {
	return func(id string) bool { return CurrentClip(e, id) != nil }
}

// Choose picks the clip to show first: the one asked for or its winner, else the best. replaced: it is the winner.
func (v *Event) Choose(e *footy.Event, asked string) (chosen *Clip, replaced bool) {
	if c := CurrentClip(e, asked); c != nil {
		for i := range v.Clips {
			if v.Clips[i].ID == c.ID {
				return &v.Clips[i], c.ID != asked
			}
		}
	}
	if len(v.Clips) > 0 {
		return &v.Clips[0], false
	}
	return nil, false
}

// ClipNames calls each clip what the page calls the one that stands for it now.
func ClipNames(e *footy.Event) explain.Names {
	return func(id string) string {
		switch c := CurrentClip(e, id); {
		case c == nil || e.Removed:
			return ""
		case c.Rank == 0:
			return "a clip" // not ranked yet
		default:
			return fmt.Sprintf("clip %d", c.Rank)
		}
	}
}
