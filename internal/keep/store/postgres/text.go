package postgres

import (
	"strings"
	"unicode/utf8"
)

// mark begins what stands for a byte that PostgreSQL's text cannot hold: NUL, and what is not UTF-8. Names from an address line may be so.
const mark = '\x01'

// escape makes text of any string. The order in bytes stays, but for what was not UTF-8.
func escape(s string) string {
	if utf8.ValidString(s) && !strings.ContainsAny(s, "\x00\x01") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case s[i] <= mark: // 0 is "\x01\x01" and 1 is "\x01\x02"
			b.WriteByte(mark)
			b.WriteByte(s[i] + 1)
		case r == utf8.RuneError && n == 1:
			b.WriteByte(mark)
			b.WriteRune(rune(s[i]))
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// unescape is the way back.
func unescape(s string) string {
	if strings.IndexByte(s, mark) < 0 {
		return s
	}
	var b strings.Builder
	marked := false
	for _, r := range s {
		switch {
		case !marked && r == mark:
			marked = true
			continue
		case !marked:
			b.WriteRune(r)
		case r <= mark+1:
			b.WriteByte(byte(r) - 1)
		default:
			b.WriteByte(byte(r)) //nolint:gosec // escape writes no more than a byte there
		}
		marked = false
	}
	return b.String()
}

func escaped(list []string) []string {
	out := make([]string, len(list)) // never nil: that would be NULL
	for i, s := range list {
		out[i] = escape(s)
	}
	return out
}
