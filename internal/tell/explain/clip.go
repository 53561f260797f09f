package explain

import (
	"cmp"
	"fmt"
	"math"

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

// Comparison says how two files compare.
func Comparison(m footy.Comparison) string {
	how := ""
	if m.Mirrored {
		how = " mirrored"
	}
	if math.Abs(m.Speed-1) > max(0.015, 3*footy.SampleInterval/max(m.Seconds, 1)) { // either end may lie a sample and a half off
		how += fmt.Sprintf(" at %.0f %% speed", m.Speed*100)
	}
	switch m.Mismatch {
	case footy.MismatchVersion:
		return "fingerprints of different versions are not compared"
	case footy.MismatchInterval:
		return "fingerprints with different sample intervals are not compared"
	case footy.MismatchEmpty:
		return "one video has no samples"
	}
	switch {
	case m.MatchedFrames == 0:
		return "no moving footage in common"
	case m.Same:
		return fmt.Sprintf("same footage%s for %.1f s, offset %+.2f s", how, m.Seconds, m.Offset)
	case m.SharedBumper:
		return fmt.Sprintf("only %.1f s alike%s at one end of both, the rest (%.0f %% of the overlap) is not: as with a shared intro or outro", m.Seconds, how, 100-m.Share*100)
	}
	return fmt.Sprintf("only %.1f s alike%s (%.0f %% of the overlap): different footage", m.Seconds, how, m.Share*100)
}

// Merit says what one clip has over another.
func Merit(m footy.Merit) string {
	return cmp.Or(map[footy.Merit]string{footy.MeritBitrate: "of higher bitrate", footy.MeritKept: "the copy that is kept", footy.MeritPlays: "one that browsers play"}[m], string(m))
}
