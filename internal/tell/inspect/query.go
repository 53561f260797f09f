package inspect

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/alias"
	"github.com/found-footy/found-footy/internal/connect/alias/static"
	"github.com/found-footy/found-footy/internal/decide/post/query"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

// QueryAnswer is the searches that a goal would get.
type QueryAnswer struct {
	query.Pair
	Dropped []Dropped `json:"dropped,omitempty"`
}

// Dropped is a word given as an alias that no search uses.
type Dropped struct {
	Word string `json:"word"`
	Why  string `json:"why"`
}

// Query makes the searches for a goal; aliases, if any, take the place of what is known of the team.
func Query(player, team string, aliases []string) (QueryAnswer, error) {
	known, err := static.New().Resolve(context.Background(), footy.Team{Name: team}, "", false)
	if err != nil && !footy.IsNotFound(err) {
		return QueryAnswer{}, err
	}
	if len(aliases) > 0 {
		known.Aliases = aliases
	}
	p, err := query.Build(player, footy.Team{Name: team}, known)
	switch {
	case errors.Is(err, query.ErrPlayerRequired):
		return QueryAnswer{}, footy.Errorf(footy.CodeInvalid, "", "--player %q holds no name to search for (%w); give the scorer as the feed writes him", player, err)
	case errors.Is(err, query.ErrTeamRequired):
		return QueryAnswer{}, footy.Errorf(footy.CodeInvalid, "", "--team %q holds no name to search for (%w); give the team as the feed writes it", team, err)
	case err != nil:
		return QueryAnswer{}, err
	}
	out := QueryAnswer{Pair: p}
	for _, word := range strings.Fields(strings.Join(aliases, " ")) {
		if why := names.Unfit(word); why != "" {
			out.Dropped = append(out.Dropped, Dropped{word, why})
		}
	}
	return out, nil
}

// String tells people.
func (a QueryAnswer) String() string {
	s := fmt.Sprintf("precise       %s\nwide          %s\nplayer words  %v\nteam words    %v\nabbreviation  %s\n",
		a.Precise, a.Wide, a.PlayerTokens, a.TeamTokens, a.Abbreviation)
	for _, d := range a.Dropped {
		s += fmt.Sprintf("left out      %s: %s\n", d.Word, d.Why)
	}
	return s
}

// AliasQuestion names a team and who is asked about it.
type AliasQuestion struct {
	Team     string
	Country  string
	National bool
	Resolver alias.Resolver // Wikidata
	Fallback alias.Resolver // answers where Resolver does not
}

// AliasAnswer is the words for a team and where they come from.
type AliasAnswer struct {
	Team         string   `json:"team"`
	Country      string   `json:"country,omitempty"`
	National     bool     `json:"national,omitempty"`
	Aliases      []string `json:"aliases"`
	Abbreviation string   `json:"abbreviation,omitempty"`
	WikidataID   string   `json:"wikidata_id,omitempty"`
	Provenance   string   `json:"provenance"`
	Note         string   `json:"note,omitempty"` // why Wikidata did not answer
}

// Aliases finds the words for a team.
func Aliases(ctx context.Context, q AliasQuestion) (AliasAnswer, error) {
	team := footy.Team{Name: strings.TrimSpace(q.Team)}
	if team.Name == "" {
		return AliasAnswer{}, footy.Errorf(footy.CodeInvalid, "", "--team %q holds no name; give the team as the feed writes it", q.Team)
	}
	q.National = q.National || national(q.Team, q.Country)
	note := ""
	found, err := q.Resolver.Resolve(ctx, team, q.Country, q.National)
	if err != nil {
		note = err.Error()
		found, err = q.Fallback.Resolve(ctx, team, q.Country, q.National)
	}
	if err != nil {
		return AliasAnswer{}, err
	}
	return AliasAnswer{found.Team, found.Country, found.National, append([]string{}, found.Aliases...), found.Abbr, found.WikidataID, found.Provenance, note}, nil
}

// national reports a country's own team: it bears the country's name, or plays in the world's competitions under one.
func national(team, country string) bool {
	if country == "" || names.Fold(team) == names.Fold(country) {
		return country != ""
	}
	a, err := static.New().Resolve(context.Background(), footy.Team{Name: team}, country, true)
	return strings.EqualFold(country, "World") && err == nil && a.Provenance == static.Curated
}

// String tells people.
func (a AliasAnswer) String() string {
	s := fmt.Sprintf("words         %s\nabbreviation  %s\nfrom          %s %s\n", strings.Join(a.Aliases, " "), a.Abbreviation, a.Provenance, a.WikidataID)
	if a.Note != "" {
		s = "not from Wikidata: " + a.Note + "\n" + s
	}
	return s
}
