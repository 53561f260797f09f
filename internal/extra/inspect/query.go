package inspect

import (
	"context"
	"errors"
	"strings"

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

// Query makes the searches for a goal, or for an event of another kind; aliases, if any, take the place of what is known of the team.
func Query(player, team string, aliases []string, kind footy.Kind) (QueryAnswer, error) {
	known, err := static.New().Resolve(context.Background(), footy.Team{Name: team}, "", false)
	if err != nil && !footy.IsNotFound(err) {
		return QueryAnswer{}, err
	}
	if len(aliases) > 0 {
		known.Aliases = aliases
	}
	p, err := query.Build(player, footy.Team{Name: team}, known, kind.Info().Words...)
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
