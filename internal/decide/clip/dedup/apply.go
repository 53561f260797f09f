package dedup

import (
	"cmp"
	"maps"
	"math"
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
func Apply(event *footy.Event, fps map[string]footy.Fingerprint, prepare phash.Preparer) []Change {
	var changes []Change
	for _, pool := range []footy.Pool{footy.PoolVerified, footy.PoolUnverified} {
		var items []Item
		for _, c := range event.Clips {
			fp, known := fps[c.ID]
			if c.Pool() == pool && (known || c.ReplacedBy == "") {
				items = append(items, Item{c, fp})
			}
		}
		for _, d := range Plan(items, prepare) {
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
	i := slices.IndexFunc(tombstones, func(t footy.Tombstone) bool { return t.Digest == digest && digest != "" })
	if i < 0 { // what has no samples is the same as nothing
		i = slices.IndexFunc(tombstones, func(t footy.Tombstone) bool { return phash.Compare(t.Fingerprint, print).Same })
	}
	if i < 0 {
		return nil
	}
	return &tombstones[i]
}

// Key is the quality of a clip as one sortable value.
type Key struct {
	Plays   int     // 1 in browsers: what does not is worse than any copy that does
	Length  int     // step of 15 % in duration, a minute at most: clearly longer beats any picture quality
	Pixels  float64 // pixels, less where the bitrate is too low for them: upscaled or badly encoded
	Bitrate int64
	Digest  string
}

const (
	lengthStep = 1.15
	maxCounted = 60.0 // seconds
	neededBits = 0.08 // bits per pixel and frame an encoder needs for a football picture
	usualRate  = 25.0 // frames per second where unknown
)

// Quality makes the key of a clip.
func Quality(c footy.Clip) Key {
	k := Key{Length: math.MinInt32, Bitrate: c.Bitrate, Digest: c.Digest}
	if !c.Unplayed {
		k.Plays = 1
	}
	if c.Duration > 0 {
		k.Length = int(math.Floor(math.Log(math.Min(c.Duration, maxCounted)) / math.Log(lengthStep)))
	}
	rate := cmp.Or(max(c.FrameRate, 0), usualRate)
	k.Pixels = float64(c.Width) * float64(c.Height)
	if k.Pixels > 0 && c.Bitrate > 0 {
		k.Pixels *= math.Min(1, float64(c.Bitrate)/(k.Pixels*rate)/neededBits)
	}
	return k
}

// Compare sorts clips best first.
func Compare(a, b footy.Clip) int {
	x, y := Quality(a), Quality(b)
	return cmp.Or(
		cmp.Compare(y.Plays, x.Plays),
		cmp.Compare(y.Length, x.Length),
		cmp.Compare(y.Pixels, x.Pixels),
		cmp.Compare(y.Bitrate, x.Bitrate),
		cmp.Compare(x.Digest, y.Digest),
		cmp.Compare(a.ID, b.ID),
	)
}

// Covered reports whether a clip of an event shows the same footage as another, as well as that would if browsers played it.
func Covered(c footy.Clip, print footy.Fingerprint, e footy.Event, prints []footy.StoredFingerprint, prepare phash.Preparer) bool {
	mine := prepare(c.Digest, print)
	return slices.ContainsFunc(prints, func(p footy.StoredFingerprint) bool {
		o := e.Clip(p.ClipID)
		return o != nil && o.Visible() && !o.Unplayed && Compare(*o, c) < 0 && prepare(o.Digest, p.Fingerprint).Compare(mine).Same // as Plan compares them
	})
}

func whyBetter(w, c footy.Clip) footy.Merit {
	x, y := Quality(w), Quality(c)
	switch {
	case w.Pinned && !c.Pinned:
		return footy.MeritPinned
	case x.Plays > y.Plays:
		return footy.MeritPlays
	case x.Length != y.Length:
		if x.Length > y.Length {
			return footy.MeritLonger
		}
		return footy.MeritKept
	case x.Pixels > y.Pixels:
		return footy.MeritSharper
	case x.Bitrate > y.Bitrate:
		return footy.MeritBitrate
	}
	return footy.MeritKept
}
