package stats

import "github.com/found-footy/found-footy/internal/footy"

// By is what a shown clip was proven by.
type By string

// What clips are proven by.
const (
	ByClockAndPicture By = "clock_and_picture" // its running clock; a model looked at the picture alone
	ByModel           By = "model"             // what a model read in its frames
	ByClock           By = "clock"             // its running clock, and no model
	ByKnownFootage    By = "known_footage"     // what was read in another clip of the same footage
	NotProven         By = "unverified"
	ByUnknown         By = "not_kept" // proven, but its post is not in the ledger any more
)

// Bys are all of them, in the order in which they are told.
func Bys() []By {
	return []By{ByClockAndPicture, ByModel, ByClock, ByKnownFootage, ByUnknown, NotProven}
}

// Proofs counts what the shown clips of matches were proven by.
type Proofs struct {
	Clips int        // that are shown
	By    map[By]int // of them
}

// ProofsOf counts a match with its posts.
func ProofsOf(f footy.Fixture, posts []footy.Post) Proofs {
	out := Proofs{By: map[By]int{}}
	for i := range f.Events {
		e := &f.Events[i]
		if !e.Standing() {
			continue
		}
		for _, c := range e.VisibleClips() {
			out.Clips++
			out.By[provenBy(e.UID, c, posts)]++
		}
	}
	return out
}

func provenBy(event string, c footy.Clip, posts []footy.Post) By {
	if !c.Verified {
		return NotProven
	}
	by := ByUnknown
	for _, p := range posts {
		if p.EventUID != event || p.Verdict == nil || p.Media == nil || footy.ClipID(p.Media.Digest) != c.ID {
			continue
		}
		switch v := p.Verdict; {
		case v.SameAs != "" && v.SameAs != c.ID: // another post may have brought the very same file earlier
			by = ByKnownFootage
		case v.Proof != footy.ProofClock:
			return ByModel
		case len(v.Readings) > 0:
			return ByClockAndPicture
		default:
			return ByClock
		}
	}
	return by
}

// Plus joins the counts of several matches.
func (p Proofs) Plus(o Proofs) Proofs {
	by := map[By]int{}
	for _, b := range Bys() {
		if n := p.By[b] + o.By[b]; n > 0 {
			by[b] = n
		}
	}
	return Proofs{Clips: p.Clips + o.Clips, By: by}
}
