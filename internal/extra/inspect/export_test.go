package inspect

import (
	"maps"
	"slices"
)

// Fixtures lists the ids of all fixtures seen.
func (r *Replayer) Fixtures() []int64 { return slices.Sorted(maps.Keys(r.fixtures)) }
