package names

import "strings"

// OneWord writes a team's name as one word, for ids.
func OneWord(name string) string {
	s := strings.Join(strings.FieldsFunc(Romanise(name), func(r rune) bool { return !Plain(r) }), "_")
	if s == "" {
		return "Team"
	}
	return s
}

// Family is the last word of a name that is no generational suffix, for ids.
func Family(name string) string {
	words := strings.FieldsFunc(Romanise(name), func(r rune) bool { return !Plain(r) })
	for len(words) > 1 && Suffix(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return "Unknown"
	}
	return words[len(words)-1]
}

// Plain reports whether a letter or digit is ASCII.
func Plain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}
