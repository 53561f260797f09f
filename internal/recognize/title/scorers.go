package title

import (
	"strings"

	"github.com/found-footy/found-footy/internal/recognize/names"
)

// compareScorers compares the names of two scorers as people and feeds write them: whole, the last one alone, or with an initial.
func compareScorers(a, b string) Said {
	if a == "" || b == "" || len(names.PlayerTokens(a)) == 0 || len(names.PlayerTokens(b)) == 0 {
		return SaidNothing
	}
	switch {
	case sameScorer(names.PlayerTokens(a), names.PlayerTokens(b)) && !otherInitial(a, b):
		return Agrees
	case givenName(a, b), givenName(b, a):
		return SaidNothing
	}
	return Differs
}

// givenName reports whether one may be nothing but the given name of the other: Lautaro, L. Martínez.
func givenName(a, b string) bool {
	x, y := strings.Fields(names.Fold(a)), strings.Fields(names.Fold(b))
	return len(names.PlayerTokens(a)) == 1 && len(x[0]) > 2 && len(y[0]) == 1 && x[0][0] == y[0][0]
}

func sameScorer(a, b []string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	shared := 0
	lastShared := false
	for i, x := range a {
		for j, y := range b {
			if alike(x, y) {
				shared++
				lastShared = lastShared || i == len(a)-1 || j == len(b)-1
				break
			}
		}
	}
	return shared == len(a) || lastShared
}

// alike are words that differ by one letter or two swapped ones at most, where they are long enough for that to be a manner of writing.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 5 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		return swapped || a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}

// otherInitial reports whether two names of one family give first names that begin differently: brothers, or namesakes.
func otherInitial(a, b string) bool {
	x, y := strings.Fields(names.Fold(a)), strings.Fields(names.Fold(b))
	if len(x) != 2 || len(y) != 2 || x[1] != y[1] {
		return false
	}
	return x[0][0] != y[0][0]
}
