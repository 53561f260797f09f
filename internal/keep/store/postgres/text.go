package postgres

import "strings"

// text is a string as PostgreSQL can keep it: without NUL and in UTF-8. Only address lines have others, and find nothing by them.
func text(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

func texts(list []string) []string {
	out := make([]string, len(list)) // never nil: that would be NULL
	for i, s := range list {
		out[i] = text(s)
	}
	return out
}
