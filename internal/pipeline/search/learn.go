package search

import (
	"context"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

// learn keeps which strange names titles gave to the teams of a match. A team that was not looked up yet learns nothing: its record would
// stand for the look-up.
func (a *Activities) learn(ctx context.Context, f footy.Fixture, found []footy.Candidate) error {
	for _, t := range []footy.Team{f.Teams.Home, f.Teams.Away} {
		known, err := a.Store.Aliases(ctx, t.ID)
		if footy.IsNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		news := false
		for _, c := range found {
			if c.Title != nil && c.Title.Strange != "" && c.Title.Team == t.Name {
				news = known.Learn(names.Fold(c.Title.Strange), f.ID) || news
			}
		}
		if !news {
			continue
		}
		if err := a.Store.PutAliases(ctx, known); err != nil {
			return err
		}
	}
	return nil
}
