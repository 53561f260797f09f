package web

import (
	"context"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// reasonHidden is why a clip that an operator hid is gone, as a countable word.
const reasonHidden footy.Reason = "hidden"

// visible tells of which clips people can see the content now.
func visible(e *footy.Event) func(clipID string) bool {
	return func(id string) bool { return present(e, id) != nil }
}

// hiddenBehind follows a clip to the one an operator took out of sight. nil: no operator did.
func hiddenBehind(e *footy.Event, id string) *footy.Clip {
	for range len(e.Redirects) + len(e.Clips) + 1 {
		c := e.Clip(id)
		if c != nil && c.Hidden {
			return c
		}
		next := e.Redirects[id]
		if c != nil {
			if c.Visible() {
				return nil
			}
			next = c.ReplacedBy
		}
		if next == "" || next == id {
			return nil
		}
		id = next
	}
	return nil
}

// withdrawn reports whether an operator took this content out of sight.
func withdrawn(e *footy.Event, clipID string) bool {
	return clipID != "" && hiddenBehind(e, clipID) != nil
}

// absent says why a clip that was here cannot be seen: taken down with the operator's reason, hidden, or deleted.
func (s *Server) absent(ctx context.Context, f *footy.Fixture, e *footy.Event, id string) (*goneError, error) {
	g := &goneError{event: e, fixture: f, message: "This clip was deleted."}
	c := hiddenBehind(e, id)
	if c == nil {
		return g, nil
	}
	g.reason, g.message = reasonHidden, "This clip was hidden by the operator."
	stones, err := s.opt.Store.Tombstones(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range stones {
		if t.Digest != c.Digest || t.Digest == "" {
			continue
		}
		g.reason, g.message = footy.ReasonTombstone, "This clip was taken down by the operator."
		if why := strings.TrimRight(strings.TrimSpace(t.Reason), "."); why != "" {
			g.message = "This clip was taken down by the operator: " + why + "."
		}
		if t.EventUID == e.UID {
			break // its own reason; a takedown for another goal holds here too
		}
	}
	return g, nil
}
