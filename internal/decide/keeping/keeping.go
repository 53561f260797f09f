// Package keeping decides what may be deleted: whether a clip store or a backup is this installation's, and whether a sweep may go ahead.
package keeping

import (
	"slices"
	"time"
)

// Claim is what a database and a clip store say of each other.
type Claim struct {
	Own     string // the installation's id, as the database has it; "" = it has none yet
	Mark    string // the id in the clip store; "" = there is none
	Content bool   // the clip store holds clips, pictures, staged bytes or reels
	Known   bool   // the database names some of it
}

// Whose is the answer to whose the clip store is.
type Whose string

// The answers. Only the first three allow to write and to delete.
const (
	Ours     Whose = "ours"
	Unmarked Whose = "unmarked" // ours, and has to get its mark
	Inherit  Whose = "inherit"  // ours; the database is from before ids, and takes that of the mark
	Others   Whose = "others"   // of another installation, or of a database that was lost
	Unknown  Whose = "unknown"  // it has no mark, and the database knows nothing of what lies there
	Copied   Whose = "copied"   // of more than one copy of the database (Fence): all write, and none deletes what no record names
	Unread   Whose = "unread"   // an id is there and cannot be read
)

// Writable reports whether the clip store may be changed.
func (w Whose) Writable() bool { return w == Ours || w == Unmarked || w == Inherit }

// Undecided reports whether Content and Known have to be looked up.
func (c Claim) Undecided() bool { return c.Own == "" || c.Mark == "" }

// Whose decides. A database that knows a clip in the store has published it there: only then may a missing id be filled in.
func (c Claim) Whose() Whose {
	switch {
	case c.Mark == "" && c.Content && !c.Known:
		return Unknown
	case c.Mark == "":
		return Unmarked
	case c.Own == c.Mark:
		return Ours
	case c.Own == "" && c.Known:
		return Inherit
	}
	return Others
}

// Fence is what a clip store says of the life of a database that swept it last. A copy of a database has the id of the first, and another life.
type Fence struct {
	Mark      string   // the life in the clip store; "" = none yet
	Contested bool     // one copy found the life of another there
	Own       []string // what this copy wrote there, or was about to
}

// Sole reports whether no other copy of the database uses the clip store.
func (f Fence) Sole() bool { return !f.Contested && (f.Mark == "" || slices.Contains(f.Own, f.Mark)) }

// Amount of objects.
type Amount struct {
	Objects int   `json:"objects"`
	Bytes   int64 `json:"bytes"`
}

// Add adds an object.
func (a *Amount) Add(bytes int64) { a.Objects, a.Bytes = a.Objects+1, a.Bytes+bytes }

// share is the part of what lies there that a sweep may delete without asking: one in so many.
const share = 20

func (a Amount) exceeds(all Amount) bool {
	return a.Objects*share > all.Objects || a.Bytes*share > all.Bytes
}

// Life is when a database was in use.
type Life struct {
	Began time.Time // zero: not known
	Gaps  []Gap
	// Copied: another copy of it may use the clip store, and have written what it does not know.
	Copied bool
}

// Gap is a time in which it was not. What was written meanwhile belongs to a life that this database knows nothing of: it is an older copy.
type Gap struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// gapsKept is how many gaps are remembered.
const gapsKept = 100

// Since adds the time since the database was last in use, if that is longer than usual.
func (l Life) Since(last, now time.Time, usual time.Duration) Life {
	if last.IsZero() {
		last = l.Began
	}
	if !last.IsZero() && now.Sub(last) > usual {
		l.Gaps = append(slices.Clone(l.Gaps), Gap{last, now})
		l.Gaps = l.Gaps[max(0, len(l.Gaps)-gapsKept):]
	}
	return l
}

// Held says why a sweep deletes nothing until an operator allows it; "" = it may.
type Held string

// The reasons.
const (
	HeldOlder  Held = "older_than_database"
	HeldMissed Held = "written_while_not_in_use"
	HeldShare  Held = "more_than_a_twentieth"
)

// Sweep is what a sweep would delete that no record of the database names.
type Sweep struct {
	Lies    Amount // all that lies there
	Unknown Amount // of it

	Spare int // so many are what workers that died left, whatever part of all they are

	older, missed int // of the unknown
}

// Find counts an object that the database does not name.
func (s *Sweep) Find(bytes int64, written time.Time, l Life) {
	s.Unknown.Add(bytes)
	switch {
	case written.Before(l.Began):
		s.older++
	case slices.ContainsFunc(l.Gaps, func(g Gap) bool { return !written.Before(g.From) && written.Before(g.To) }):
		s.missed++
	}
}

// Held decides.
func (s Sweep) Held() Held {
	switch {
	case s.older > 0:
		return HeldOlder
	case s.missed > s.Spare:
		return HeldMissed
	case s.Unknown.Objects > s.Spare && s.Unknown.exceeds(s.Lies):
		return HeldShare
	}
	return ""
}
