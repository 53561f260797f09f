package explain

import (
	"fmt"

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

// HiddenClip is the clip by which an operator hid this one's content. nil: no operator did.
func HiddenClip(e *footy.Event, id string) *footy.Clip {
	if c := final(e, id); c != nil && c.Hidden {
		return c
	}
	return nil
}

// HiddenAs is the id under which an operator hid a clip's content; the clip's own where no operator did.
func HiddenAs(e *footy.Event, id string) string {
	if c := HiddenClip(e, id); c != nil {
		return c.ID
	}
	return id
}

// ClipNames calls each clip what the page calls the one that stands for it now.
func ClipNames(e *footy.Event) Names {
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
