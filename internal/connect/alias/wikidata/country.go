package wikidata

import (
	"slices"

	"github.com/found-footy/found-footy/internal/recognize/names"
)

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
