package football

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/mozillazg/go-unidecode"

	"github.com/found-footy/found-footy/internal/world/script"
)

// The vendor knows many that are called alike: women's and youth teams of a club, and leagues of one name in several countries.

type foundTeam struct {
	Team struct {
		ID       int    `json:"id"`
		Name     string `json:"name"`
		Code     string `json:"code"`
		Country  string `json:"country"`
		Founded  *int   `json:"founded"`
		National bool   `json:"national"`
		Logo     string `json:"logo"`
	} `json:"team"`
	Venue struct {
		ID       *int    `json:"id"`
		Name     *string `json:"name"`
		Address  *string `json:"address"`
		City     *string `json:"city"`
		Capacity *int    `json:"capacity"`
		Surface  *string `json:"surface"`
		Image    *string `json:"image"`
	} `json:"venue"`
}

type foundLeague struct {
	League struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
		Type string `json:"type"`
		Logo string `json:"logo"`
	} `json:"league"`
	Country struct {
		Name string  `json:"name"`
		Code *string `json:"code"`
		Flag *string `json:"flag"`
	} `json:"country"`
	Seasons []foundSeason `json:"seasons"`
}

type foundSeason struct {
	Year    int    `json:"year"`
	Start   string `json:"start"`
	End     string `json:"end"`
	Current bool   `json:"current"`
}

// namesakes are leagues of the vendor's that no match of a day belongs to.
var namesakes = []script.League{{ID: 235, Name: "Premier League", Country: "Russia"}, {ID: 233, Name: "Premier League", Country: "Egypt"},
	{ID: 71, Name: "Serie A", Country: "Brazil"}, {ID: 218, Name: "Bundesliga", Country: "Austria"}}

// byName answers GET /teams?search= and GET /leagues?search=, and the same with an id.
func (s *Server) byName(w http.ResponseWriter, r *http.Request, name string, params map[string]string) {
	q := r.URL.Query()
	search := q.Get("search")
	switch {
	case q.Has("id"):
		answerFound(w, name, params, s.withID(name, q.Get("id")))
	case !q.Has("search"):
		refuse(w, name, []string{}, "required", "At least one parameter is required.", 1)
	case q.Has("league"):
		refuse(w, name, params, "league", "The League field cannot be used with the Search field.", 1)
	case len(search) < 3:
		refuse(w, name, params, "search", "The Search field must be at least 3 characters in length.", 1)
	case strings.ContainsFunc(search, func(c rune) bool {
		return c != ' ' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}):
		refuse(w, name, params, "search", "The Search field may only contain alpha-numeric characters and spaces.", 1)
	case name == "teams":
		answerFound(w, name, params, s.teamsNamed(search))
	default:
		answerFound(w, name, params, s.leaguesNamed(search))
	}
}

// named reports whether a search finds something: it looks into names and countries, and minds neither case nor accents.
func named(search string, in ...string) bool {
	for _, text := range in {
		if strings.Contains(strings.ToLower(unidecode.Unidecode(text)), strings.ToLower(search)) {
			return true
		}
	}
	return false
}

// withID is the team or league of an id, if there is one.
func (s *Server) withID(name, id string) []any {
	out := []any{}
	if name == "teams" {
		for _, t := range s.teamsNamed("") {
			if f, ok := t.(foundTeam); ok && strconv.Itoa(f.Team.ID) == id {
				out = append(out, f)
			}
		}
		return out
	}
	for _, l := range s.leaguesNamed("") {
		if f, ok := l.(foundLeague); ok && strconv.Itoa(f.League.ID) == id {
			out = append(out, f)
		}
	}
	return out
}

func (s *Server) teamsNamed(search string) []any {
	out := []any{}
	for _, t := range s.script.Teams {
		if !named(search, t.Name, t.Country) {
			continue
		}
		for n, suffix := range []string{"", " W", " U21"} {
			var f foundTeam
			f.Team.ID, f.Team.Name, f.Team.Code, f.Team.Country, f.Team.Logo = t.ID+10000*n, t.Name+suffix, t.Code, t.Country, s.crest(t.ID)
			f.Venue.City = ptr(t.City)
			out = append(out, f)
		}
	}
	return out
}

func (s *Server) leaguesNamed(search string) []any {
	out := []any{}
	for _, l := range append(append([]script.League{}, s.script.Leagues...), namesakes...) {
		if !named(search, l.Name, l.Country) {
			continue
		}
		var f foundLeague
		f.League.ID, f.League.Name, f.League.Type, f.League.Logo = l.ID, l.Name, "League", fmt.Sprintf("%sleagues/%d.png", s.media, l.ID)
		f.Country.Name = l.Country
		if l.Season > 0 {
			f.Seasons = append(f.Seasons, foundSeason{l.Season, fmt.Sprintf("%d-08-14", l.Season), fmt.Sprintf("%d-05-24", l.Season+1), true})
		}
		out = append(out, f)
	}
	return out
}

func answerFound(w http.ResponseWriter, name string, params map[string]string, found []any) {
	write(w, envelope{name, params, []string{}, len(found), paging{1, 1}, found})
}
