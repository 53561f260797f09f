package names

import "strings"

// Abbreviate derives what fans write for a club from its name: words in capitals stay whole, others give their initial
// (Orlando City SC -> OCSC, AS Roma -> ASR). Fewer than three letters mean nothing and give "". Clubs whose
// abbreviation does not follow from their name are curated elsewhere.
func Abbreviate(team string) string {
	var b strings.Builder
	words := 0
	for _, word := range split(strings.ReplaceAll(team, ".", "")) {
		letters := strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
				return r
			}
			return -1
		}, word)
		switch {
		case letters == "":
			continue
		case letters == strings.ToUpper(letters):
			b.WriteString(letters)
		case letters[0] >= 'A' && letters[0] <= 'Z':
			b.WriteByte(letters[0])
		default:
			continue // joining words: de, of, la
		}
		words++
	}
	if b.Len() < 3 || words < 2 || b.Len() > 6 {
		return ""
	}
	return b.String()
}

// TooCommon reports an abbreviation that must not stand alone: a word of a language, or too short to be anyone's. One with
// a number (B04) is unique.
func TooCommon(abbr string) bool {
	word := token(abbr)
	return len(abbr) < minLetters || len(word) == len(abbr) && (generic[word] || ambiguous[word] || everyday[word])
}
