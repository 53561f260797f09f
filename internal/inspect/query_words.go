package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/found-footy/found-footy/internal/alias/static"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/query"
)

// QueryOptions name a goal's scorer and team.
type QueryOptions struct {
	Player  string
	Team    string
	Aliases []string // in place of what is known of the team
	JSON    bool
}

// Query prints the searches a goal would get.
func Query(w io.Writer, o QueryOptions) error {
	known, err := static.New().Resolve(context.Background(), footy.Team{Name: o.Team}, "", false)
	if err != nil && !footy.IsNotFound(err) {
		return err
	}
	if len(o.Aliases) > 0 {
		known.Aliases = o.Aliases
	}
	p, err := query.Build(o.Player, footy.Team{Name: o.Team}, known)
	switch {
	case errors.Is(err, query.ErrPlayerRequired):
		return fmt.Errorf("--player %q holds no name to search for (%w); give the scorer as the feed writes him", o.Player, err)
	case errors.Is(err, query.ErrTeamRequired):
		return fmt.Errorf("--team %q holds no name to search for (%w); give the team as the feed writes it", o.Team, err)
	case err != nil:
		return err
	}
	left := dropped(o.Aliases)
	if o.JSON {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(struct {
			query.Pair
			Dropped []Dropped `json:"dropped,omitempty"`
		}{p, left})
	}
	_, err = fmt.Fprintf(w, "precise       %s\nwide          %s\nplayer words  %v\nteam words    %v\nabbreviation  %s\n",
		p.Precise, p.Wide, p.PlayerTokens, p.TeamTokens, p.Abbreviation)
	for _, d := range left {
		if err == nil {
			_, err = fmt.Fprintf(w, "left out      %s: %s\n", d.Word, d.Why)
		}
	}
	return err
}

// Dropped is a word given as an alias that no search uses.
type Dropped struct {
	Word string `json:"word"`
	Why  string `json:"why"`
}

func dropped(aliases []string) []Dropped {
	var out []Dropped
	for _, a := range aliases {
		for _, word := range strings.Fields(a) {
			if why := query.Unfit(word); why != "" {
				out = append(out, Dropped{word, why})
			}
		}
	}
	return out
}
