package keeping

import "slices"

// Fence is what a clip store says of the life of a database that swept it last. A copy of a database has the id of the first, and another life.
type Fence struct {
	Mark      string   // the life in the clip store; "" = none yet
	Contested bool     // one copy found the life of another there
	Own       []string // what this copy wrote there, or was about to
}

// Sole reports whether no other copy of the database uses the clip store.
func (f Fence) Sole() bool { return !f.Contested && (f.Mark == "" || slices.Contains(f.Own, f.Mark)) }
