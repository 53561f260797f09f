package dedup

import (
	"cmp"
	"math"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

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
func Covered(c footy.Clip, print footy.Fingerprint, e footy.Event, prints []footy.StoredFingerprint) bool {
	mine := phash.Prepare(print)
	return slices.ContainsFunc(prints, func(p footy.StoredFingerprint) bool {
		o := e.Clip(p.ClipID)
		return o != nil && o.Visible() && !o.Unplayed && Compare(*o, c) < 0 && mine.Compare(phash.Prepare(p.Fingerprint)).Same
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
