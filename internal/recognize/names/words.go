package names

import (
	"slices"
	"strings"
)

// generic words mean nothing alone: they stand for too many teams, colours and things.
var generic = Set(`united city town county rovers wanderers albion athletic athletico hotspur palace forest villa real
club football futbol fussball calcio team sport sports sporting racing union olympic olympique olympia dynamo dinamo
lokomotiv spartak torpedo reds blues whites blacks greens yellows red blue white black green yellow gold orange
purple north south east west central national international inter state states new old young great royal king kings
queen queens saint san santa los las the and vs for from with club clube clubs women ladies youth reserves academy
junior juniors first second ball goal goals player players stadium park university college army police hearts rangers
eagles lions tigers wolves bears bulls hawks stars sun thunder fire star galaxy crew revolution dynamo earthquakes
republic kingdom island islands coast ivory america american africa africana europe european asia world cup league
premier division nice lens reading bath angers association society company llc inc ltd gmbh group holdings boys
stade stadio man cape fc ac sc cf afc ssc cd ud sv fk bk`)

// ambiguous words are teams and also people, places and words of other languages: as team they stand with the player only,
// the quoted name apart.
var ambiguous = Set(`como chad jordan georgia turkey china nancy brest derby cork can pan mar per por den fin sui aut bel par
gre geo nacional libertad independiente juventud`)

// everyday words are also names: alone they bring posts about anything.
var everyday = Set(`take son min king young white black brown green gray grey long short big little best day may june
august bell ball cook hall hill wood woods rice stone stones walker mason carter cross field lake west north east south
rose lily love hope joy grace angel jesus christian mark will bill pat rob frank grant max art ray gene dean duke earl
prince page price rich sharp strong swift wise bright good gold silver steel iron lane street bridge church temple
bush reed reid fox wolf lamb bird crow drake hunt hunter fisher baker butler archer marshall major judge pope bishop
knight chase chance ace one two three four five six seven eight nine ten you him her she his our but not all any can
has had was are who how why what when where now then here there`)

// particles join the parts of a name; alone they are in every name.
var particles = Set(`van von der den dem des del della dello delle degli dal dalla dos das dela las los ter ten tot
zum zur bin ibn ben abu abd abdul san santa sao saint mac fitz`)

// suffixes tell generations apart; people leave them out.
var suffixes = Set(`jr jnr junior sr snr senior ii iii iv filho neto sobrinho segundo`)

// Suffix reports whether a word is a generational suffix.
func Suffix(word string) bool { return suffixes[token(word)] }

// Unfit says why a word of an alias is left out of a team's words: "" if it is not.
func Unfit(word string) string {
	switch t := token(Romanise(word)); {
	case len(t) < minLetters:
		return "shorter than three letters"
	case glued(Romanise(word)):
		return "several words written as one: nobody types it"
	case len(t) > maxLetters:
		return "too long to be a word"
	case generic[t]:
		return "a word of too many teams and things"
	case ambiguous[t]:
		return "also a place, a person or a word of another language"
	}
	return ""
}

// Generic reports whether a word must not be searched alone as a team.
func Generic(word string) bool { return generic[token(word)] }

// Everyday reports whether a word is also a word of everyday language: alone it brings posts about anything.
func Everyday(word string) bool { return everyday[word] }

// Set are the words of a text.
func Set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

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
