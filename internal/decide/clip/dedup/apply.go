package dedup

import (
	"cmp"
	"maps"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// Change is one change of a clip, for the log: published (for the first time, or again), merged or replaced.
type Change struct {
	Kind     footy.EntryKind
	ClipID   string
	Winner   string // the clip that stands for it now
	Evidence footy.Evidence
}

// Reason is why a clip is no longer shown.
func (c Change) Reason() footy.Reason {
	if c.Kind == footy.EntryClip {
		return ""
	}
	return footy.ReasonDuplicate
}

// Apply recomputes both pools of an event from the fingerprints (by clip id) and writes the outcome into its clips:
// which clip replaces which, popularity, redirects. Pinned and operator-hidden clips stay as they are. A clip without
// a fingerprint keeps what was decided when it had one. Call rank.Apply afterwards: a visible clip without a rank is
// what Apply calls new.
func Apply(event *footy.Event, fps map[string]footy.Fingerprint) []Change {
	var changes []Change
	for _, pool := range []footy.Pool{footy.PoolVerified, footy.PoolUnverified} {
		var items []Item
		for _, c := range event.Clips {
			fp, known := fps[c.ID]
			if c.Pool() == pool && (known || c.ReplacedBy == "") {
				items = append(items, Item{c, fp})
			}
		}
		for _, d := range Plan(items) {
			if ch, ok := carryOut(event.Clip(d.ClipID), d); ok {
				changes = append(changes, ch)
			}
		}
	}
	resolveRedirects(event)
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.ClipID, b.ClipID) })
	return changes
}

// carryOut writes one decision into its clip and tells what changed.
func carryOut(c *footy.Clip, d Decision) (Change, bool) {
	before := *c
	c.Popularity = d.Popularity
	if c.Hidden || c.Swept && d.ReplacedBy == "" {
		return Change{}, false // what an operator decided, and lost bytes, change nothing here
	}
	c.ReplacedBy = d.ReplacedBy
	ch := Change{ClipID: c.ID, Winner: d.ReplacedBy, Evidence: footy.Evidence{Into: d.ReplacedBy, Better: d.Better, Compiled: d.Compilation,
		Width: c.Width, Height: c.Height, Duration: c.Duration}}
	if d.ReplacedBy != "" {
		ch.Evidence.Match = &d.Match
	}
	switch {
	case d.ReplacedBy == "" && before.ReplacedBy != "":
		ch.Kind, ch.Evidence.Returned = footy.EntryClip, true
	case d.ReplacedBy == "" && before.Rank == 0:
		ch.Kind = footy.EntryClip
	case d.ReplacedBy != "" && before.ReplacedBy == "" && before.Rank == 0:
		ch.Kind = footy.EntryMerged // arrived as a copy of a clip that stands for it
	case d.ReplacedBy != "" && before.ReplacedBy == "":
		ch.Kind = footy.EntryReplaced // was published; a better copy took over
	default:
		return Change{}, false
	}
	return ch, true
}

// resolveRedirects resolves every retired clip's link to the clip that stands for it now. Links of clips that are no longer
// listed keep following the one they were redirected to.
func resolveRedirects(event *footy.Event) {
	next := map[string]string{}
	maps.Copy(next, event.Redirects)
	for _, c := range event.Clips {
		delete(next, c.ID)
		if c.ReplacedBy != "" {
			next[c.ID] = c.ReplacedBy
		}
	}
	out := make(map[string]string, len(next))
	for id := range next {
		end := next[id]
		for range len(next) {
			to, more := next[end]
			if !more {
				break
			}
			end = to
		}
		if end != id {
			out[id] = end
		}
	}
	if len(out) == 0 {
		out = nil
	}
	event.Redirects = out
	for i := range event.Clips {
		if c := &event.Clips[i]; c.ReplacedBy != "" && out[c.ID] != "" {
			c.ReplacedBy = out[c.ID]
		}
	}
}

// TakenDown finds the tombstone of a content: the same bytes, or the same picture however it was encoded; nil if there is none.
func TakenDown(tombstones []footy.Tombstone, digest string, print footy.Fingerprint) *footy.Tombstone {
	for i, t := range tombstones {
		if t.Digest == digest && digest != "" {
			return &tombstones[i]
		}
	}
	if print.Empty() {
		return nil
	}
	for i, t := range tombstones {
		if t.Fingerprint.Empty() {
			continue
		}
		if phash.Compare(t.Fingerprint, print).Same {
			return &tombstones[i]
		}
	}
	return nil
}
