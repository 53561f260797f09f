package espn

import (
	"context"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

var _ feed.Finder = (*Feed)(nil)

// League is a league as ESPN's addresses name it, with its number at API-Football: settings may have either.
type League struct {
	Word, Name, Country string
	Number              string
}

// leagues are those that are found by name. Others are followed by their word.
var leagues = []League{
	{"eng.1", "Premier League", "England", "39"},
	{"esp.1", "La Liga", "Spain", "140"},
	{"ger.1", "Bundesliga", "Germany", "78"},
	{"ita.1", "Serie A", "Italy", "135"},
	{"fra.1", "Ligue 1", "France", "61"},
	{"uefa.champions", "UEFA Champions League", "World", "2"},
	{"uefa.europa", "UEFA Europa League", "World", "3"},
	{"uefa.europa.conf", "UEFA Europa Conference League", "World", "848"},
	{"fifa.world", "World Cup", "World", "1"},
	{"uefa.euro", "Euro Championship", "World", "4"},
	{"uefa.nations", "UEFA Nations League", "World", "5"},
	{"eng.2", "Championship", "England", "40"},
	{"eng.fa", "FA Cup", "England", "45"},
	{"eng.league_cup", "League Cup", "England", "48"},
	{"esp.copa_del_rey", "Copa del Rey", "Spain", "143"},
	{"ger.dfb_pokal", "DFB Pokal", "Germany", "81"},
	{"ita.coppa_italia", "Coppa Italia", "Italy", "137"},
	{"fra.coupe_de_france", "Coupe de France", "France", "66"},
	{"ned.1", "Eredivisie", "Netherlands", "88"},
	{"por.1", "Primeira Liga", "Portugal", "94"},
	{"sco.1", "Premiership", "Scotland", "179"},
	{"bel.1", "Jupiler Pro League", "Belgium", "144"},
	{"tur.1", "Süper Lig", "Turkey", "203"},
	{"usa.1", "Major League Soccer", "USA", "253"},
	{"mex.1", "Liga MX", "Mexico", "262"},
	{"bra.1", "Serie A", "Brazil", "71"},
	{"arg.1", "Liga Profesional Argentina", "Argentina", "128"},
	{"conmebol.libertadores", "CONMEBOL Libertadores", "World", "13"},
}

// Reach is where teams are found: ESPN has no search. IDAt is where a person finds the id of any other.
const (
	Reach = "this month or next in a competition known to ESPN's feed"
	IDAt  = "the number in the address of its page at espn.com"
)

// Leagues are those that are known by name, the best known first.
func Leagues() []League { return slices.Clone(leagues) }

// Named turns what settings hold into names: words of ESPN, and API-Football's numbers of leagues that both know. The rest stays.
func Named(asked []string) []string {
	out := slices.Clone(asked)
	for i, a := range out {
		for _, l := range leagues {
			if a = strings.TrimSpace(a); a == l.Number || a == l.Word {
				out[i] = l.Country + "/" + l.Name
			}
		}
	}
	return out
}

func (l League) found() feed.Found { return feed.Found{ID: l.ID(), Name: l.Name, Country: l.Country} }

// of is the league of a match that was on its board.
func (l League) of(s footy.Snapshot) footy.League {
	return footy.League{ID: l.ID(), Name: l.Name, Country: l.Country, Season: s.League.Season, Round: s.League.Round, Logo: s.League.Logo}
}

// ID is the league's in fixtures. ESPN's numbers of leagues are not known beforehand, and its words are; so the id is made of the word, beyond
// all numbers of API-Football.
func (l League) ID() int64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(l.Word)) // a hash refuses nothing
	return 1<<32 + int64(h.Sum32())
}

// byWord is the league of a word; one that is not in the list is called by its word.
func byWord(word string) League {
	if i := slices.IndexFunc(leagues, func(l League) bool { return l.Word == word }); i >= 0 {
		return leagues[i]
	}
	return League{Word: word, Name: word}
}

// WordOf is ESPN's word for a league that was found, "" where it is none of ESPN's.
func WordOf(id int64, name string) string {
	for _, l := range append(Leagues(), League{Word: name}) {
		if l.ID() == id {
			return l.Word
		}
	}
	return ""
}

var aWord = regexp.MustCompile(`^[a-z]+(\.[a-z0-9_]+)+$`)

// Find implements feed.Finder. ESPN has no search: leagues are those above, or the one of a word that ESPN knows, and teams those of this month's
// matches and the next's in the leagues above.
func (f *Feed) Find(ctx context.Context, what feed.What, name string) (out []feed.Found, err error) {
	if len(strings.TrimSpace(name)) < 3 {
		return nil, footy.Wrap(footy.CodeInvalid, fmt.Sprintf("find %ss named %s", what, name), feed.ErrShortName)
	}
	if what == feed.Team {
		teams, err := f.teams(ctx)
		for _, t := range teams {
			if strings.Contains(names.Fold(t.Name), names.Fold(name)) {
				out, err = append(out, t), nil
			}
		}
		return out, err
	}
	for _, l := range leagues {
		if l.Word == name || strings.Contains(names.Fold(l.Country+" "+l.Name), names.Fold(name)) {
			out = append(out, l.found())
		}
	}
	if len(out) > 0 || !aWord.MatchString(name) {
		return out, nil
	}
	_, err = f.look(ctx, name, dayOf(f.o.Now()))
	switch {
	case footy.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return []feed.Found{byWord(name).found()}, nil
}

// ByID implements feed.Finder.
func (f *Feed) ByID(ctx context.Context, what feed.What, id int64) (feed.Found, error) {
	if what == feed.League {
		for _, l := range leagues {
			if l.ID() == id {
				return l.found(), nil
			}
		}
		return feed.Found{}, footy.Errorf(footy.CodeNotFound, "", "no league %d is known to ESPN's feed: write its name, or ESPN's word for it (eng.1)", id)
	}
	teams, err := f.teams(ctx)
	for _, t := range teams {
		if t.ID == id {
			return t, nil
		}
	}
	if err != nil {
		return feed.Found{}, err
	}
	return feed.Found{}, footy.Errorf(footy.CodeNotFound, "", "no team %d plays %s", id, Reach)
}

// teams are all that play in this month or the next; with an error, those of the leagues that answered.
func (f *Feed) teams(ctx context.Context) ([]feed.Found, error) {
	now := f.o.Now().UTC()
	first := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	var at []address
	for _, l := range leagues {
		for _, month := range []time.Time{first, first.AddDate(0, 1, 0)} {
			at = append(at, address{l.Word, month.Format("200601")})
		}
	}
	boards, failed := f.lookAt(ctx, at)
	var out []feed.Found
	place := map[int64]int{} // in out
	for _, a := range at {
		for _, s := range boards[a].Snapshots {
			for _, t := range []footy.Team{s.Teams.Home, s.Teams.Away} {
				country := byWord(a.league).Country
				if country == "World" {
					country = ""
				}
				i, seen := place[t.ID]
				switch {
				case !seen:
					place[t.ID], out = len(out), append(out, feed.Found{ID: t.ID, Name: t.Name, Country: country, Logo: t.Logo})
				case out[i].Country == "": // a European cup came before its own league
					out[i].Country = country
				}
			}
		}
	}
	gone := func(err error) bool { return footy.IsNotFound(err) && len(boards) > 0 } // a tournament between its seasons
	if errs := slices.DeleteFunc(values(failed), gone); len(errs) > 0 {
		return out, errs[0] // one speaks for all
	}
	return out, nil
}
