package inspect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed/espn"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/connect/source/x/searchapi"
	"github.com/found-footy/found-footy/internal/connect/source/x/timeline"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/port/command"
)

// TimelineAnswer is what a saved search answer says. Its JSON is an agreed shape; the rest is for people.
type TimelineAnswer struct {
	State      source.State      `json:"state"`
	Candidates []searchapi.Video `json:"candidates"`
	Remark     command.Remark    `json:"-"` // how many posts there are, and departures from the known shape
}

// Timeline reads a saved SearchTimeline or API v2 answer.
func Timeline(file string) (TimelineAnswer, error) {
	raw, err := readFile(file)
	if err != nil {
		return TimelineAnswer{}, err
	}
	p, err := timeline.Decode(raw)
	if err != nil {
		return TimelineAnswer{}, footy.Errorf(footy.CodeInvalid, "read "+file, "%w", err)
	}
	said := fmt.Sprintf("# %d posts, %d promoted posts left out; %s\n", p.Seen.Posts, p.Seen.Promoted, cmp.Or(p.Detail, "no error"))
	a := TimelineAnswer{State: p.State, Candidates: []searchapi.Video{}}
	for _, c := range p.Candidates {
		a.Candidates = append(a.Candidates, searchapi.NewVideo(c))
	}
	if p.Seen.Posts > 0 {
		for _, d := range timeline.Drift(p) {
			said += "# unlike a search for videos as known: " + d + "\n"
		}
	}
	a.Remark = command.Remark(said)
	return a, nil
}

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

// HostAnswer is where a page's file lies, step by step.
type HostAnswer struct{ hosts.Answer }

// Host finds the file of a page. page is a file with what the host answers, in whose place no host is asked. Without it, and where no way has a
// video, the file is what the first way guesses.
func Host(t hosts.Table, address, page string, ask hosts.Ask) (HostAnswer, error) {
	var a hosts.Answer
	var err error
	if page == "" {
		a, err = t.Resolve(address, "", false, ask)
	} else {
		body, failed := os.ReadFile(page)
		if failed != nil {
			return HostAnswer{}, footy.Errorf(footy.CodeInvalid, "", "--page=%s cannot be read (%w); give a file with what the host answers", page, failed)
		}
		a, err = t.Read(address, body)
	}
	switch {
	case footy.CodeOf(err) == footy.CodeInvalid:
		return HostAnswer{}, err
	case page == "" && a.File == "" && a.Gone == "" && a.Ways[0].How == "address":
		a.File = a.Ways[0].Address
	}
	if err != nil {
		a.Trouble = hosts.What(err)
	}
	return HostAnswer{a}, nil
}

// MarshalJSON writes no file as null.
func (a HostAnswer) MarshalJSON() ([]byte, error) {
	out := struct {
		hosts.Answer
		File *string `json:"file"`
	}{Answer: a.Answer}
	if a.File != "" {
		out.File = &a.File
	}
	return json.Marshal(out)
}
