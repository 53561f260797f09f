package store

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// stroked are the letters that NFD leaves whole; dropping them instead would turn "Højlund" into nothing.
var stroked = strings.NewReplacer("ø", "o", "ł", "l", "đ", "d", "ß", "ss", "ı", "i", "æ", "ae", "œ", "oe", "ð", "d", "þ", "th")

// Fold makes text comparable: lower case, no accents, single spaces between words of letters and digits.
func Fold(text string) string { return strings.Join(words(text), " ") }

// words are the folded words of a text.
func words(text string) []string {
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(text)) {
		switch {
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
		case unicode.IsLetter(r), unicode.IsDigit(r):
			b.WriteRune(r)
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Fields(stroked.Replace(b.String()))
}
