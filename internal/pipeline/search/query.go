package search

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/query"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/recognize/title"
)

// query is what one search asks for.
func (a *Activities) query(ctx context.Context, f footy.Fixture, e *footy.Event, in SearchInput) (source.Query, error) {
	known, err := a.Store.Aliases(ctx, e.Team.ID)
	if err != nil && !footy.IsNotFound(err) {
		return source.Query{}, err
	}
	pair, err := query.Build(e.Player.Name, e.Team, known)
	text := query.ForTry(pair, in.Try)
	if errors.Is(err, query.ErrPlayerRequired) && !e.Certain() {
		text, err = query.Team(e.Team, known)
	}
	if err != nil {
		return source.Query{}, footy.Errorf(footy.CodeInvalid, "build query for "+e.ID, "%w", err)
	}
	goal, err := a.goal(ctx, f, e)
	if err != nil {
		return source.Query{}, err
	}
	posts, err := a.Store.Posts(ctx, store.PostQuery{EventUID: e.UID})
	if err != nil {
		return source.Query{}, err
	}
	seen := make([]string, 0, len(posts))
	for _, p := range posts {
		if p.State != footy.PostPassed {
			seen = append(seen, p.PostID)
		}
	}
	return source.Query{
		Ahead:   in.ahead,
		Goal:    goal,
		Text:    text,
		Exclude: seen,
		Since:   floor(e, in.Timing.SearchFloor),
		Max:     20,
		Group:   strconv.FormatInt(in.FixtureID, 10), // open goals of one match may share a call
	}, nil
}

// goal is what titles must name; no title names what is no goal.
func (a *Activities) goal(ctx context.Context, f footy.Fixture, e *footy.Event) (*title.Goal, error) {
	if !e.Kind.Scores() {
		return &title.Goal{}, nil
	}
	g := &title.Goal{Score: e.ScoreAfter, Side: e.ScoringTeam, Scorer: e.Player.Name, Minute: e.Minute}
	for _, side := range []struct {
		of *title.TeamName
		footy.Team
	}{{&g.Home, f.Teams.Home}, {&g.Away, f.Teams.Away}} {
		known, err := a.Store.Aliases(ctx, side.ID)
		if err != nil && !footy.IsNotFound(err) {
			return nil, err
		}
		*side.of = title.TeamName{Name: side.Name, Aliases: known.Aliases, Abbr: known.Abbr}
	}
	for _, other := range f.Events {
		if other.UID != e.UID && other.Kind.Scores() && other.Standing() {
			g.Siblings = append(g.Siblings, other.ScoreAfter)
		}
	}
	return g, nil
}

// floor is the time before which no post can show the goal.
func floor(e *footy.Event, margin time.Duration) time.Time {
	at := e.FirstSeen
	if !e.HappenedAt.IsZero() && e.HappenedAt.Before(at) {
		at = e.HappenedAt
	}
	return at.Add(-margin)
}
