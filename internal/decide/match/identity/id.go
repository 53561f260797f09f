package identity

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// uidCounter is the key under which a fixture counts its uids; no player key looks like it.
const uidCounter = "uid"

// NewUID gives the next immutable id of a fixture's event. Deterministic and never reused, also after a drop.
func NewUID(f *footy.Fixture) string {
	return fmt.Sprintf("%d-%d", f.ID, next(f, uidCounter))
}

// NewID allocates the public name of an event. The sequence is allocated, never derived from array position, and never
// reused within a fixture: reuse collides with workflow ids.
func NewID(f *footy.Fixture, e *footy.Event) string {
	stem := stemOf(e)
	return fmt.Sprintf("%d_%s_%d", f.ID, stem, next(f, stem))
}

// Rekey gives an event the id of its present scorer and keeps the old id. A scorer who comes back gets the id the event had
// then. It reports whether the name changed.
func Rekey(f *footy.Fixture, e *footy.Event) bool {
	prefix := fmt.Sprintf("%d_%s_", f.ID, stemOf(e))
	if numbered(e.ID, prefix) {
		return false
	}
	old := e.ID
	id := ""
	for _, m := range e.MatchedFrom {
		if numbered(m, prefix) {
			id = m
		}
	}
	if id == "" {
		id = NewID(f, e)
	}
	e.MatchedFrom = slices.DeleteFunc(e.MatchedFrom, func(m string) bool { return m == id || m == old })
	e.MatchedFrom = append(e.MatchedFrom, old)
	e.ID = id
	return true
}

func stemOf(e *footy.Event) string {
	return fmt.Sprintf("%d_%d_%s", e.Team.ID, e.Player.ID, e.Kind)
}

func numbered(id, prefix string) bool {
	rest, ok := strings.CutPrefix(id, prefix)
	_, err := strconv.Atoi(rest)
	return ok && err == nil
}

func next(f *footy.Fixture, key string) int {
	if f.Sequences == nil {
		f.Sequences = map[string]int{}
	}
	f.Sequences[key]++
	return f.Sequences[key]
}
