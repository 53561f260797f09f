// Package keeping decides what may be deleted: whether a clip store or a backup is this installation's, and whether a sweep may go ahead.
package keeping

import "slices"

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
