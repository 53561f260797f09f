package lookup

import (
	"context"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Matches of a team or a competition.
type Matches struct {
	Team    footy.Team      // as the newest match has it, if it was asked for
	League  footy.League    // the same
	Ahead   []footy.Fixture // the next ones, soonest first
	Past    []footy.Fixture // that began, newest first
	Earlier string          // the cursor of those before Past
}

// aheadShown is how many of the coming matches are shown.
const aheadShown = 10

// MatchesOf reads the matches of the team or the competition (one of both is 0) from a cursor on; not found where none is known.
func (r *Reader) MatchesOf(ctx context.Context, team, league int64, after Cursor) (Matches, error) {
	now, m := r.Now(), Matches{}
	q := store.FixtureQuery{Team: team, League: league}
	past, coming := q, q
	past.To, coming.From, coming.Limit = now, now, aheadShown
	var err error
	if after.ID == 0 {
		if m.Ahead, err = r.Store.List(ctx, coming); err != nil {
			return m, err
		}
	}
	if m.Past, m.Earlier, err = r.newest(ctx, past, after, PageSize); err != nil {
		return m, err
	}
	r.learn(m.Ahead...)
	r.learn(m.Past...)
	known := slices.Concat(m.Past, m.Ahead)
	if len(known) == 0 {
		return m, footy.Errorf(footy.CodeNotFound, "find matches", "No match of it is known here. Matches are kept for some days only.")
	}
	m.League, m.Team = known[0].League, known[0].Teams.Home
	if away := known[0].Teams.Away; away.ID == team {
		m.Team = away
	}
	return m, nil
}
