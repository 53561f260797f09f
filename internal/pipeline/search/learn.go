package search

import (
	"context"
	"slices"

	"github.com/found-footy/found-footy/internal/connect/alias/static"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/recognize/names"
	"github.com/found-footy/found-footy/internal/recognize/title"
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
			if c.Title == nil || c.Title.Team != t.Name || !slices.Contains(c.Title.Agrees, title.OtherTeam) {
				continue
			}
			name := names.Fold(c.Title.Strange)
			another, err := a.another(ctx, f, t, name)
			if err != nil {
				return err
			}
			news = !another && known.Learn(name, f.ID) || news
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

// another reports whether a name is one that another team is known by: in the built-in lists, in any match that is kept, or, with all that
// it is called, in one of the hours around.
func (a *Activities) another(ctx context.Context, f footy.Fixture, t footy.Team, name string) (bool, error) {
	if listed, err := static.New().Resolve(ctx, footy.Team{Name: name}, "", false); err != nil ||
		listed.Provenance == static.Curated && !slices.Contains(listed.Aliases, names.Fold(t.Name)) {
		return true, err
	}
	same, err := a.Store.List(ctx, store.FixtureQuery{Text: name})
	if err != nil {
		return false, err
	}
	near, err := a.Store.List(ctx, store.FixtureQuery{From: f.Match.Kickoff.Add(-policy.Around), To: f.Match.Kickoff.Add(policy.Around)})
	if err != nil {
		return false, err
	}
	for _, other := range append(same, near...) {
		for _, team := range []footy.Team{other.Teams.Home, other.Teams.Away} {
			if team.ID == t.ID {
				continue
			}
			known, err := a.Store.Aliases(ctx, team.ID)
			if err != nil && !footy.IsNotFound(err) {
				return false, err
			}
			if slices.Contains(append(append(known.Called(), known.Aliases...), names.Fold(known.Abbr), names.Fold(team.Name)), name) {
				return true, nil
			}
		}
	}
	return false, nil
}
