package search

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/query"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/recognize/title"
)

// query is what one search asks for.
func (a *Activities) query(ctx context.Context, f footy.Fixture, e *footy.Event, in SearchInput) (source.Query, error) {
	known, err := a.Store.Aliases(ctx, e.Team.ID)
	if err != nil && !footy.IsNotFound(err) {
		return source.Query{}, err
	}
	kinds := e.Kind.Info().Words
	pair, err := query.Build(e.Player.Name, e.Team, known, kinds...)
	text := query.ForTry(pair, in.Try)
	if errors.Is(err, query.ErrPlayerRequired) && !e.Certain() {
		text, err = query.Team(e.Team, known, kinds...)
	}
	if err != nil {
		return source.Query{}, footy.Errorf(footy.CodeInvalid, "build query for "+e.ID, "%w", err)
	}
	goal, err := a.goal(ctx, f, e, in.Timing.SearchFloor)
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
		if p.Candidate.Link != "" {
			seen = append(seen, p.Candidate.Link)
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

		Comments: comments(e, posts, in, a.Now()),
	}, nil
}

// comments is whose comments a search reads beside; nil: none are due.
func comments(e *footy.Event, posts []footy.Post, in SearchInput, now time.Time) *source.Comments {
	posts = slices.DeleteFunc(slices.Clone(posts), func(p footy.Post) bool { return source.PlaceOf(p.PostID) != source.OnReddit })
	due, ok := in.Timing.Limits().CommentsDue(e, posts, now)
	if !ok {
		return nil
	}
	out := &source.Comments{Done: due.Done, Late: due.Late, Max: due.Max}
	for _, p := range due.Of {
		out.Of = append(out.Of, p.Candidate)
	}
	return out
}

// goal is what titles must name, among all goals of the hours around it; no title names what is no goal.
func (a *Activities) goal(ctx context.Context, f footy.Fixture, e *footy.Event, margin time.Duration) (*title.Wanted, error) {
	out := &title.Wanted{}
	if !e.Kind.Scores() {
		return out, nil
	}
	near, err := policy.Nearby(ctx, a.Store, f)
	if err != nil {
		return nil, err
	}
	matches := []title.Match{match(f, e.UID, margin)}
	for i, name := range []*title.TeamName{&matches[0].Home, &matches[0].Away} {
		known, err := a.Store.Aliases(ctx, []footy.Team{f.Teams.Home, f.Teams.Away}[i].ID)
		if err != nil && !footy.IsNotFound(err) {
			return nil, err
		}
		name.Aliases, name.Abbr = append(known.Called(), known.Aliases...), known.Abbr
	}
	for _, other := range near {
		matches = append(matches, match(other, "", margin))
	}
	out.Day = title.NewDay(matches)
	return out, nil
}

// match is a fixture as titles are held against it; the goal that is searched for comes first.
func match(f footy.Fixture, first string, margin time.Duration) title.Match {
	m := title.Match{Home: title.TeamName{Name: f.Teams.Home.Name}, Away: title.TeamName{Name: f.Teams.Away.Name}, League: f.League.Name}
	for _, e := range f.Events {
		if !e.Kind.Scores() || !e.Standing() && e.UID != first {
			continue
		}
		g := title.Goal{Score: e.ScoreAfter, Side: e.ScoringTeam, Scorer: e.Player.Name, Minute: e.Minute, Since: floor(&e, margin).Truncate(time.Second)}
		if e.UID == first {
			m.Goals = slices.Insert(m.Goals, 0, g)
			continue
		}
		m.Goals = append(m.Goals, g)
	}
	return m
}

// floor is the time before which no post can show the goal.
func floor(e *footy.Event, margin time.Duration) time.Time {
	at := e.FirstSeen
	if !e.HappenedAt.IsZero() && e.HappenedAt.Before(at) {
		at = e.HappenedAt
	}
	return at.Add(-margin)
}
