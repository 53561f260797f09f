package inspect

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed/espn"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// ScoreboardAnswer is what a saved scoreboard of ESPN means; kicks of a shoot-out are left out.
type ScoreboardAnswer struct {
	Fixtures []ScoreboardFixture `json:"fixtures"`
	Failed   map[int64]string    `json:"failed,omitempty"` // matches that cannot be read, with the reason
}

// ScoreboardFixture is a match as the product sees it; what is not known is null.
type ScoreboardFixture struct {
	ID        int64             `json:"id"`
	Kickoff   time.Time         `json:"kickoff"`
	League    int64             `json:"league"`
	Status    string            `json:"status"`
	Elapsed   *int              `json:"elapsed"`
	Extra     *int              `json:"extra"`
	Home      string            `json:"home"`
	Away      string            `json:"away"`
	HomeScore *int              `json:"home_score"`
	AwayScore *int              `json:"away_score"`
	Events    []ScoreboardEvent `json:"events"`
}

// ScoreboardEvent is a goal or a card. The side of an own goal is the one that gets it.
type ScoreboardEvent struct {
	Kind    string     `json:"kind"`
	Elapsed int        `json:"elapsed"`
	Extra   int        `json:"extra"`
	Side    footy.Side `json:"side"`
	Player  string     `json:"player"` // "" where the feed names none
	OwnGoal bool       `json:"own_goal"`
	Penalty bool       `json:"penalty"`
}

// Scoreboard reads a saved answer of ESPN's scoreboard.
func Scoreboard(path string) (ScoreboardAnswer, error) {
	body, err := os.ReadFile(path)
	if err != nil {
		return ScoreboardAnswer{}, footy.Wrap(footy.CodeInvalid, "", err)
	}
	board, err := espn.Read(body, time.Time{})
	if err != nil {
		return ScoreboardAnswer{}, footy.Errorf(footy.CodeInvalid, "", "%s: %s", path, footy.RootCause(err))
	}
	out := ScoreboardAnswer{Fixtures: []ScoreboardFixture{}, Failed: board.Failed}
	for _, s := range board.Snapshots {
		f := ScoreboardFixture{ID: s.Match.ID, Kickoff: s.Match.Kickoff, League: s.League.ID, Status: s.Match.Status.Code, Elapsed: s.Match.Status.Elapsed,
			Extra: s.Match.Status.Extra, Home: s.Teams.Home.Name, Away: s.Teams.Away.Name, HomeScore: s.Score.Home, AwayScore: s.Score.Away, Events: []ScoreboardEvent{}}
		for _, e := range s.Events {
			if e.Kind == footy.KindShootout {
				continue
			}
			f.Events = append(f.Events, ScoreboardEvent{Kind: e.Kind.Info().Name, Elapsed: e.Minute.Elapsed, Extra: e.Minute.Extra, Side: s.Teams.Side(e.Team.ID),
				Player: e.Player.Name, OwnGoal: e.Detail == "Own Goal", Penalty: e.Detail == "Penalty"})
		}
		out.Fixtures = append(out.Fixtures, f)
	}
	return out, nil
}

// String is for people: match by match.
func (a ScoreboardAnswer) String() string {
	var b strings.Builder
	for _, f := range a.Fixtures {
		status := f.Status
		if f.Elapsed != nil {
			status += " " + footy.MinuteLabel(footy.Status{Elapsed: f.Elapsed, Extra: f.Extra}.Minute())
		}
		fmt.Fprintf(&b, "%d  %s  %s %s %s  %s\n", f.ID, f.Kickoff.Format("2006-01-02 15:04"), f.Home, explain.Tally(footy.Score{Home: f.HomeScore, Away: f.AwayScore}), f.Away, status)
		for _, e := range f.Events {
			words := []string{e.Kind, string(e.Side), e.Player}
			if e.OwnGoal {
				words = append(words, "(own goal)")
			}
			if e.Penalty {
				words = append(words, "(penalty)")
			}
			words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
			fmt.Fprintf(&b, "  %-6s %s\n", footy.MinuteLabel(footy.Minute{Elapsed: e.Elapsed, Extra: e.Extra}), strings.Join(words, " "))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(a.Failed)) {
		fmt.Fprintf(&b, "%d  cannot be read: %s\n", id, a.Failed[id])
	}
	if len(a.Fixtures)+len(a.Failed) == 0 {
		return "no match on that day\n"
	}
	return b.String()
}
