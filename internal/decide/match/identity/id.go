// Package identity names events and tells scorers apart. Pure: values in, values out.
package identity

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
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

// placeholders are what the feed writes where it does not know the scorer.
var placeholders = map[string]bool{"": true, "unknown": true, "unknown player": true, "tbd": true, "tba": true, "na": true,
	"not available": true, "null": true, "none": true, "undefined": true, "player": true}

// Named reports whether a scorer has a name to search for; an id without a name is not enough.
func Named(p footy.Person) bool { return !placeholders[NameKey(p.Name)] }

// Known reports whether anything at all is known of the scorer.
func Known(p footy.Person) bool { return p.ID != 0 || Named(p) }

// SameScorer compares two scorers: by id where both have one, else by name. Unknown equals nobody.
func SameScorer(a, b footy.Person) bool {
	if a.ID != 0 && b.ID != 0 {
		return a.ID == b.ID
	}
	return SameName(a, b)
}

// SameName compares two scorers by name alone.
func SameName(a, b footy.Person) bool {
	return Named(a) && Named(b) && NameKey(a.Name) == NameKey(b.Name)
}

// Shortens reports whether one name may be the other written shorter: B. Saka or Saka for Bukayo Saka. It proves nothing alone.
func Shortens(a, b footy.Person) bool {
	x, y := strings.Fields(NameKey(a.Name)), strings.Fields(NameKey(b.Name))
	if !Named(a) || !Named(b) || x[len(x)-1] != y[len(y)-1] {
		return false
	}
	return len(x) == 1 || len(y) == 1 || strings.HasPrefix(x[0], y[0]) || strings.HasPrefix(y[0], x[0])
}

// NameKey folds a name so that spelling and accents do not matter; names in scripts that fold to nothing keep their letters.
func NameKey(name string) string {
	if folded := strings.Join(strings.Fields(names.Fold(name)), " "); folded != "" {
		return folded
	}
	return strings.ToLower(strings.TrimSpace(name))
}
