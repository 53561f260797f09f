package wikidata

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/found-footy/found-footy/internal/recognize/names"
)

// What Wikidata calls the things we look for, and those that only share their name.
var (
	clubTypes     = []string{"Q476028", "Q15944511", "Q103229495"}              // association football club, football team
	nationTypes   = []string{"Q6979593", "Q135408445", "Q23895910", "Q1194951"} // national association football team
	womenTypes    = []string{"Q28140340", "Q51481377", "Q135408446"}            // women's club, women's national team
	reserveTypes  = []string{"Q2412834", "Q23905105"}                           // reserve team, youth team
	football      = "Q2736"
	womenFootball = "Q606060"
)

// team is what is looked for.
type team struct {
	name, bare, country string
	national, women     bool
	reserve             bool // the name itself says so: "Barcelona B", "Spain U21"
}

func wanted(name, country string, national bool) team {
	name = strings.TrimSpace(name)
	bare, women := names.Women(name)
	side, _ := names.Side(names.Fold(bare))
	return team{name: name, bare: bare, country: country, national: national, women: women, reserve: side != ""}
}

// searches are the texts a team may be filed under. A generic word is never searched alone.
func (t team) searches() []string {
	if t.national {
		if t.women {
			return []string{t.bare + " women's national football team", t.bare + " women's national association football team"}
		}
		return []string{t.bare + " national football team", t.bare + " men's national football team", t.bare + " national association football team"}
	}
	if t.women {
		return []string{t.bare + " Women", t.bare + " Ladies", t.bare + " women's football"}
	}
	texts := []string{t.bare, t.bare + " F.C.", "FC " + t.bare, t.bare + " CF", t.bare + " football club"}
	if tokens := names.Tokens(t.bare); len(tokens) == 0 || len(tokens) == 1 && names.Generic(tokens[0]) {
		texts = texts[1:]
	}
	return texts
}

// kind reports whether an item is this kind of team: sport, side and level.
func (t team) kind(i item) bool {
	types := i.ids(propType)
	has := func(list []string) bool {
		return slices.ContainsFunc(types, func(id string) bool { return slices.Contains(list, id) })
	}
	label, _ := names.Side(names.Fold(i.label()))
	description, _ := names.Side(names.Fold(i.description()))
	said := label + description
	women := has(womenTypes) || strings.Contains(said, names.Womens) || slices.Contains(i.ids(propClass), womenFootball)
	reserve := has(reserveTypes) || strings.ReplaceAll(said, names.Womens, "") != ""
	if sport := i.ids(propSport); len(sport) > 0 && !slices.Contains(sport, football) {
		return false
	}
	if women != t.women || reserve != t.reserve || len(i.values(propEnd)) > 0 {
		return false
	}
	switch {
	case t.national:
		return has(nationTypes) || t.women && has(womenTypes)
	case t.women:
		return has(womenTypes) || has(clubTypes)
	case t.reserve:
		return has(clubTypes) || has(reserveTypes)
	}
	return has(clubTypes)
}

// sure is the score of an item that needs no further search.
const sure = 4

// score is how well an item fits; 0 means it is another team.
func (t team) score(i item, places map[string]string) int {
	if !t.kind(i) {
		return 0
	}
	score := 1
	if !t.national && knownCountry(t.country) {
		countries := named(i.ids(propCountry), places)
		switch {
		case len(countries) == 0:
		case !slices.ContainsFunc(countries, func(c string) bool { return sameCountry(t.country, c) }):
			return 0
		default:
			score++
		}
	}
	own := names.Tokens(t.bare)
	if sameWords(own, names.Tokens(i.label())) {
		score += 2
	}
	// A city in the item's name that is not in the team's parts two clubs of one name.
	for _, city := range named(append(i.ids(propSeat), i.ids(propPlace)...), places) {
		for _, w := range names.Tokens(city) {
			if slices.Contains(names.Tokens(i.label()), w) && !slices.Contains(own, w) && !t.filedAs(i, own) {
				score--
			}
		}
	}
	if len(own) > 0 && !shares(own, names.Tokens(i.label()+" "+strings.Join(i.aliases(), " "))) {
		return 0
	}
	return max(score, 1)
}

func (t team) filedAs(i item, own []string) bool {
	return slices.ContainsFunc(i.aliases(), func(a string) bool { return sameWords(own, names.Tokens(a)) })
}

// takes reports whether a one-word alias may be taken: not the bare name of its country.
func (t team) takes(w string) bool {
	return t.national || !slices.Contains(names.Tokens(t.country), w)
}

func named(ids []string, places map[string]string) []string {
	var out []string
	for _, id := range ids {
		if n := places[id]; n != "" {
			out = append(out, n)
		}
	}
	return out
}

func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) })
}

func sameWords(a, b []string) bool {
	trim := func(words []string) []string {
		out := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return joiners[w] })
		slices.Sort(out)
		return slices.Compact(out)
	}
	return slices.Equal(trim(a), trim(b))
}

// sameAs groups country names that mean one state; the feed and Wikidata differ in a few.
var sameAs = [][]string{
	{"united kingdom", "england", "scotland", "wales", "northern ireland"},
	{"united states of america", "usa", "united states", "canada"}, // Toronto FC plays in the USA's league
	{"australia", "new zealand"},                                   // Wellington Phoenix in Australia's
	{"italy", "san marino"},
	{"czech republic", "czechia"},
	{"turkey", "turkiye"},
	{"republic of ireland", "ireland"},
	{"south korea", "korea republic"},
	{"people s republic of china", "china"},
	{"bosnia and herzegovina", "bosnia"},
	{"ivory coast", "cote d ivoire", "cote divoire"},
	{"netherlands", "kingdom of the netherlands", "holland"},
	{"denmark", "kingdom of denmark"},
	{"france", "monaco"},             // AS Monaco plays in France
	{"spain", "andorra"},             // FC Andorra in Spain
	{"switzerland", "liechtenstein"}, // FC Vaduz in Switzerland
	{"united arab emirates", "uae"},
	{"north macedonia", "macedonia"},
	{"democratic republic of the congo", "congo dr"},
}

// knownCountry reports whether a country restricts anything: cups are played in the "World".
func knownCountry(c string) bool {
	f := names.Fold(c)
	return f != "" && f != "world" && f != "europe"
}

func sameCountry(feed, wikidata string) bool {
	a, b := names.Fold(feed), names.Fold(wikidata)
	if a == b {
		return true
	}
	return slices.ContainsFunc(sameAs, func(group []string) bool { return slices.Contains(group, a) && slices.Contains(group, b) })
}

// Properties of an item that say what it is and where.
const (
	propType    = "P31"
	propCountry = "P17"
	propSport   = "P641"
	propClass   = "P2094" // competition class
	propSeat    = "P159"
	propPlace   = "P131"
	propEnd     = "P576" // dissolved
	propShort   = "P1813"
)

// item is an entity as Wikidata writes it.
type item struct {
	gjson.Result
	id string
}

func (i item) label() string { return i.Get("labels." + language + ".value").String() }
func (i item) description() string {
	return strings.ToLower(i.Get("descriptions." + language + ".value").String())
}

func (i item) aliases() (out []string) {
	for _, a := range i.Get("aliases." + language + ".#.value").Array() {
		out = append(out, a.String())
	}
	return out
}

// values are what the statements of a property say; deprecated ones do not count.
func (i item) values(property string) (out []gjson.Result) {
	for _, claim := range i.Get("claims." + property).Array() {
		if claim.Get("rank").String() != "deprecated" {
			out = append(out, claim.Get("mainsnak.datavalue.value"))
		}
	}
	return out
}

// ids are the items a property points at.
func (i item) ids(property string) (out []string) {
	for _, v := range i.values(property) {
		if id := v.Get("id").String(); id != "" {
			out = append(out, id)
		}
	}
	return out
}

var capitals = regexp.MustCompile(`^[A-Z]{3,6}$`)

// abbreviation is a short name in capitals, stated or among the aliases.
func (i item) abbreviation() string {
	var short []string
	for _, v := range i.values(propShort) {
		short = append(short, v.Get("text").String())
	}
	for _, name := range append(short, i.aliases()...) {
		if capitals.MatchString(name) {
			return name
		}
	}
	return ""
}

// joiners say nothing beside a nickname: "The Gunners" is one word.
var joiners = names.Set("the los las les die der gli afc club football soccer team futbol")

// called are the names of the item: those of one word, and whole names of several. Parts of longer ones are not used: "York" and "United" lie
// inside names of clubs that are neither.
func (i item) called(want team) (words, whole []string) {
	for _, a := range append([]string{i.label()}, i.aliases()...) {
		tokens := slices.DeleteFunc(names.Tokens(a), func(t string) bool { return joiners[t] })
		switch {
		case len(tokens) == 1 && want.takes(tokens[0]) && !names.Generic(tokens[0]):
			words = append(words, tokens[0])
		case len(tokens) == 2 && len(strings.Fields(names.Fold(a))) == 2:
			whole = append(whole, names.Fold(a))
		}
	}
	return names.Unique(words), names.Unique(whole)
}
