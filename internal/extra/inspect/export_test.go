package inspect

import (
	"maps"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// Fixtures lists the ids of all fixtures seen.
func (r *Replayer) Fixtures() []int64 { return slices.Sorted(maps.Keys(r.fixtures)) }

// Fixture returns a fixture as it is held now.
func (r *Replayer) Fixture(id int64) (footy.Fixture, bool) {
	h, ok := r.fixtures[id]
	if !ok {
		return footy.Fixture{}, false
	}
	return h.f, true
}
