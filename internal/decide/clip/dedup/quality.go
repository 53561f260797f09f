package dedup

import (
	"cmp"
	"math"

	"github.com/found-footy/found-footy/internal/footy"
)

// Key is the quality of a clip as one sortable value.
type Key struct {
	Plays   bool    // in browsers: what does not is worse than any copy that does
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
	k := Key{Plays: !c.Unplayed, Length: math.MinInt32, Bitrate: c.Bitrate, Digest: c.Digest}
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
	if x.Plays != y.Plays {
		if x.Plays {
			return -1
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(y.Length, x.Length),
		cmp.Compare(y.Pixels, x.Pixels),
		cmp.Compare(y.Bitrate, x.Bitrate),
		cmp.Compare(x.Digest, y.Digest),
		cmp.Compare(a.ID, b.ID),
	)
}

// whyBetter says in words why the winner w was preferred to c.
func whyBetter(w, c footy.Clip) footy.Merit {
	x, y := Quality(w), Quality(c)
	switch {
	case w.Pinned && !c.Pinned:
		return footy.MeritPinned
	case x.Plays && !y.Plays:
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
