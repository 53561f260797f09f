package names

import "slices"

// PlayerTokens are the words of a scorer's name. All are kept, since no rule about family names fits every culture,
// except particles and generational suffixes where other words remain.
func PlayerTokens(name string) []string {
	words := Tokens(name)
	if len(words) == 0 {
		words = Tokens(seam.ReplaceAllString(Romanise(name), "$1 $2"))
	}
	if len(words) == 0 { // names as short as Li or Ko
		for _, w := range split(name) {
			if t := token(w); len(t) == 2 {
				words = append(words, t)
			}
		}
	}
	kept := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return particles[w] || suffixes[w] })
	if len(kept) == 0 {
		kept = words
	}
	return Unique(kept)
}

// TeamTokens are the team's words with its aliases: the name's own first; words that mean nothing alone are left out.
func TeamTokens(team string, aliases []string) []string {
	words := Tokens(team)
	for _, a := range aliases {
		words = append(words, Tokens(a)...)
	}
	words = slices.DeleteFunc(words, func(w string) bool { return Unfit(w) != "" })
	return Unique(words)
}

// Unique are the words in their order, each once.
func Unique(words []string) []string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
