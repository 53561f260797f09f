package espn

import (
	"context"
	"maps"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
)

var _ feed.Second = (*Feed)(nil)

// Name implements feed.Second.
func (f *Feed) Name() string { return "ESPN" }

// nightUTC is until when a match may stand on the board of the day before: a board's day is that of New York.
const nightUTC = 6

// Around implements feed.Second, for a league as API-Football numbers it.
func (f *Feed) Around(ctx context.Context, league footy.League, kickoff time.Time) (feed.Answer, error) {
	word := numbered(league.ID)
	if word == "" {
		return feed.Answer{}, footy.Errorf(footy.CodeNotFound, "ask ESPN", "no board of ESPN is known for league %d (%s)", league.ID, league.Name)
	}
	days := []time.Time{kickoff.UTC()}
	if days[0].Hour() < nightUTC {
		days = append(days, days[0].AddDate(0, 0, -1))
	}
	out := feed.Answer{Failed: map[int64]string{}}
	for _, day := range days {
		board, err := f.look(ctx, word, dayOf(day))
		if err != nil {
			return feed.Answer{}, err
		}
		out.Snapshots = append(out.Snapshots, board.Snapshots...)
		maps.Copy(out.Failed, board.Failed)
	}
	return out, nil
}

// numbered is ESPN's word for a league by its number at API-Football; "" where none is known.
func numbered(id int64) string {
	for _, l := range leagues {
		if l.Number == strconv.FormatInt(id, 10) {
			return l.Word
		}
	}
	return ""
}
