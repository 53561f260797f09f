package wikidata

import (
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/found-footy/found-footy/internal/world/script"
)

// entity is one item of the simulated Wikidata, before it becomes JSON.
type entity struct {
	id, label, description string
	aliases                []string
	types                  []string // P31
	country, city          string   // P17, P159
	sport                  string   // P641
	competition            string   // P2094: competition class, the women's sides say so
	code                   string   // P1813 short name
}

const (
	club      = "Q476028"
	football  = "Q2736"
	stadium   = "Q1049757"
	womenClub = "Q28140340"
	reserve   = "Q2412834"
	arsenal   = "Q81210"
)

// countries and cities that clubs point at.
var countries = map[string]string{"England": "Q145", "Scotland": "Q145", "Spain": "Q29", "Germany": "Q183", "Italy": "Q38",
	"France": "Q142", "Portugal": "Q45", "Netherlands": "Q55", "Monaco": "Q235", "Ukraine": "Q212"}

// build lists the clubs of a script, each with look-alikes that share its name.
func build(s *script.Script) []entity {
	var out []entity
	for _, t := range s.Teams {
		if t.Entity == "" {
			continue
		}
		home := adjective(t.Country)
		out = append(out,
			entity{id: t.Entity, label: t.Label, description: "association football club in " + t.City + ", " + t.Country, aliases: append([]string{t.Name}, t.Aliases...),
				types: []string{club}, country: t.Country, city: t.City, sport: football, code: t.Code},
			entity{id: made("women", t.ID), label: t.Label + " Women", description: home + " women's association football club", aliases: []string{t.Name + " Women", t.Name + " Ladies"},
				types: []string{womenClub}, country: t.Country, city: t.City, sport: football, competition: "Q606060"},
			entity{id: made("stadium", t.ID), label: t.Name + " Stadium", description: "football stadium in " + t.City, aliases: []string{t.Name + " Arena"},
				types: []string{stadium}, country: t.Country, city: t.City},
			entity{id: made("reserve", t.ID), label: t.Label + " B", description: "reserve team of " + t.Label, aliases: []string{t.Name + " II"},
				types: []string{reserve}, country: t.Country, city: t.City, sport: football})
		if t.Name == "Arsenal" {
			out = append(out,
				entity{id: "Q81669", label: "arsenal", description: "place for arms and ammunition", aliases: []string{"weapons store", "armoury", "knifey"}, types: []string{arsenal}},
				entity{id: "Q44295", label: "FC Arsenal Kyiv", description: "professional football club based in Kyiv, Ukraine", aliases: []string{"Arsenal Kyiv", "Arsenal"},
					types: []string{club}, country: "Ukraine", city: "Kyiv", sport: football})
		}
		if t.Name == "Barcelona" || t.Name == "Liverpool" || t.Name == "Chelsea" {
			out = append(out, entity{id: made("city", t.ID), label: t.Name, description: "city in " + t.Country, types: []string{"Q515"}, country: t.Country})
		}
	}
	return out
}

// made is the id of an item that exists only in this world.
func made(kind string, n any) string {
	h := fnv.New32a()
	fmt.Fprint(h, kind, n)
	return fmt.Sprintf("Q9%08d", h.Sum32()%100000000)
}

func adjective(country string) string {
	if a := map[string]string{"England": "English", "Spain": "Spanish", "Germany": "German", "Italy": "Italian", "France": "French"}[country]; a != "" {
		return a
	}
	return country
}

func (e entity) matches(search string) (kind, text string, ok bool) {
	want := strings.ToLower(strings.TrimSpace(search))
	if want == "" {
		return "", "", false
	}
	if strings.EqualFold(e.id, want) {
		return "entityId", e.id, true
	}
	if strings.HasPrefix(strings.ToLower(e.label), want) {
		return "label", e.label, true
	}
	for _, a := range e.aliases {
		if strings.HasPrefix(strings.ToLower(a), want) {
			return "alias", a, true
		}
	}
	return "", "", false
}
