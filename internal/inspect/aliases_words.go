package inspect

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/found-footy/found-footy/internal/alias"
	"github.com/found-footy/found-footy/internal/alias/static"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/query"
)

// AliasOptions name a team and who is asked about it.
type AliasOptions struct {
	Team     string
	Country  string
	National bool
	JSON     bool
	Resolver alias.Resolver // Wikidata, behind its client
	Fallback alias.Resolver // answers where Resolver does not
}

// Aliases prints the words for a team and where they come from.
func Aliases(ctx context.Context, w io.Writer, o AliasOptions) error {
	team := footy.Team{Name: strings.TrimSpace(o.Team)}
	if team.Name == "" {
		return fmt.Errorf("--team %q holds no name; give the team as the feed writes it", o.Team)
	}
	o.National = o.National || national(o.Team, o.Country)
	var found footy.TeamAliases
	var err error
	why := ""
	if o.Resolver != nil {
		if found, err = o.Resolver.Resolve(ctx, team, o.Country, o.National); err != nil {
			why = err.Error()
		}
	}
	if (o.Resolver == nil || err != nil) && o.Fallback != nil {
		found, err = o.Fallback.Resolve(ctx, team, o.Country, o.National)
	}
	if err != nil {
		return err
	}
	if found.Aliases == nil {
		found.Aliases = []string{}
	}
	if o.JSON {
		return json.NewEncoder(w).Encode(answer(found, why))
	}
	if why != "" {
		why = "not from Wikidata: " + why + "\n"
	}
	_, err = fmt.Fprintf(w, "%swords         %s\nabbreviation  %s\nfrom          %s %s\n", why, strings.Join(found.Aliases, " "), found.Abbr, found.Provenance, found.WikidataID)
	return err
}

// national reports a country's own team: it bears the country's name, or plays in the world's competitions under one.
func national(team, country string) bool {
	if country == "" || query.Fold(team) == query.Fold(country) {
		return country != ""
	}
	a, err := static.New().Resolve(context.Background(), footy.Team{Name: team}, country, true)
	return strings.EqualFold(country, "World") && err == nil && a.Provenance == static.Curated
}

// answer is what is printed as JSON: what is stored of a team without the store's own fields.
func answer(a footy.TeamAliases, note string) any {
	return struct {
		Team         string   `json:"team"`
		Country      string   `json:"country,omitempty"`
		National     bool     `json:"national,omitempty"`
		Aliases      []string `json:"aliases"`
		Abbreviation string   `json:"abbreviation,omitempty"`
		WikidataID   string   `json:"wikidata_id,omitempty"`
		Provenance   string   `json:"provenance"`
		Note         string   `json:"note,omitempty"`
	}{a.Team, a.Country, a.National, a.Aliases, a.Abbr, a.WikidataID, a.Provenance, note}
}
