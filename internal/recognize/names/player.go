package names

import (
	"slices"
	"strings"
)

// SamePlayer reports whether two spellings are surely of one player: they fold to the same words, or one is the other with first names
// left out or as initials (M. Salah, Mohamed Salah). It says nothing about namesakes: the two are of one team.
func SamePlayer(a, b string) bool {
	x, y := playerWords(a), playerWords(b)
	if len(x.whole) == 0 || len(y.whole) == 0 {
		return false
	}
	return x.within(y) || y.within(x)
}

// written is a player's name as it is written: words and initials.
type written struct{ whole, initials []string }

func playerWords(name string) written {
	var out written
	for _, w := range strings.Fields(Fold(strings.ReplaceAll(name, ".", " "))) {
		switch {
		case len(w) == 1:
			out.initials = append(out.initials, w)
		case !suffixes[w]:
			out.whole = append(out.whole, w)
		}
	}
	if len(out.whole) == 0 {
		out.whole = strings.Fields(Fold(name))
	}
	return out
}

// within reports whether the other name has all words of this one, the last as its last, and for each initial a word that begins with it.
// A first name alone is ambiguous.
func (w written) within(o written) bool {
	left := slices.Clone(o.whole)
	if len(w.whole) < len(o.whole) && w.whole[len(w.whole)-1] != o.whole[len(o.whole)-1] {
		return false
	}
	for _, word := range w.whole {
		i := slices.Index(left, word)
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	if len(left) == 0 && len(w.initials) > 0 && len(o.initials) > 0 { // M. Salah, S. Salah
		return slices.Equal(w.initials, o.initials)
	}
	for _, initial := range w.initials {
		if len(left) == 0 {
			break // the other name is the shorter one
		}
		i := slices.IndexFunc(left, func(word string) bool { return strings.HasPrefix(word, initial) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}
