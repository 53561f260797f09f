// Package names folds names of players and teams into the words that people type, and knows which words mean nothing alone.
// Pure: values in, values out.
package names

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/mozillazg/go-unidecode"
)

// Romanise writes a text with ASCII letters only, keeping its case. Letters with strokes, which canonical
// decomposition leaves alone, and other scripts included: a name must never fold to nothing.
func Romanise(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 }) < 0 {
		return text
	}
	return unidecode.Unidecode(text)
}

// Fold lowers a text to what X's own folding compares: ASCII letters, digits and single spaces.
func Fold(text string) string {
	var b strings.Builder
	space := false
	for _, r := range strings.ToLower(Romanise(text)) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if space && b.Len() > 0 {
				b.WriteByte(' ')
			}
			space = false
			b.WriteRune(r)
		case apostrophe(r) || r == '.':
			// O'Brien is one word, F.C. is one abbreviation
		default:
			space = true
		}
	}
	return b.String()
}

// Tokens cuts a name into searchable words: folded, at least three letters, no numbers. Words glued together
// ("LiverpoolFC", "A.C.F.Fiorentina") are dropped: people leave them out.
func Tokens(text string) []string {
	out := []string{}
	for _, word := range split(text) {
		if glued(word) {
			continue
		}
		if t := token(word); len(t) >= minLetters && len(t) <= maxLetters {
			out = append(out, t)
		}
	}
	return out
}

// minLetters is the shortest word that means anything alone: initials, FC, AC and particles are shorter.
const minLetters = 3

// maxLetters is more than any word of a name has.
const maxLetters = 40

func split(text string) []string {
	return strings.FieldsFunc(Romanise(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && !apostrophe(r)
	})
}

func token(word string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(word))
}

// glued reports words that were several: a dot with a whole word behind it, or a capital after a long lower-case run.
// McTominay, DeAndre and VfB have short heads and are one word each, and so are MacDonald and FitzGerald.
func glued(word string) bool {
	if i := strings.LastIndexByte(word, '.'); i > 0 && len(token(word[i+1:])) >= minLetters {
		return true
	}
	run := 0
	for i := range len(word) {
		c := word[i]
		if c >= 'A' && c <= 'Z' && run >= 3 && word[i-1] >= 'a' && word[i-1] <= 'z' && word[:i] != "Mac" && word[:i] != "Fitz" {
			return true
		}
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			run++
		}
	}
	return false
}

// seam is where glued words meet.
var seam = regexp.MustCompile(`([a-z])([A-Z])|\.`)

func apostrophe(r rune) bool { return r == '\'' || r == '’' || r == '`' || r == '´' || r == 'ʼ' }

// Differ counts the bytes that are to be changed, put in or left out to make one word of another (Levenshtein).
func Differ(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}
