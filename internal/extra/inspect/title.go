package inspect

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"time"

	"github.com/found-footy/found-footy/internal/connect/alias/static"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/title"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// TitleAnswer is what the title of a post says. Its JSON is an agreed shape: null stands for what the title does not say.
type TitleAnswer struct {
	Title       string      `json:"title"`
	Kind        title.Kind  `json:"kind"`
	Home        *string     `json:"home"`
	Away        *string     `json:"away"`
	HomeScore   *int        `json:"home_score"`
	AwayScore   *int        `json:"away_score"`
	ScoringSide *footy.Side `json:"scoring_side"`
	Scorer      *string     `json:"scorer"`
	Minute      *int        `json:"minute"`
	Extra       *int        `json:"extra"`
	OwnGoal     bool        `json:"own_goal"`
	Penalty     bool        `json:"penalty"`

	Because command.Remark `json:"-"` // why it is of no goal
}

// Title reads the title of a post.
func Title(text string) TitleAnswer {
	t := title.Parse(text)
	var because command.Remark
	if !t.Goal() {
		because = command.Remark("  # " + t.Because + "\n")
	}
	return TitleAnswer{Title: t.Text, Kind: t.Kind, Home: where(t.Home != "", t.Home), Away: where(t.Away != "", t.Away),
		HomeScore: where(t.Goal(), t.Score.Home), AwayScore: where(t.Goal(), t.Score.Away), ScoringSide: where(t.ScoringSide != "", t.ScoringSide),
		Scorer: where(t.Scorer != "", t.Scorer), Minute: where(t.Minute != 0, t.Minute), Extra: where(t.Extra > 0, t.Extra), OwnGoal: t.OwnGoal, Penalty: t.Penalty, Because: because}
}

func where[T any](known bool, v T) *T {
	if !known {
		return nil
	}
	return &v
}

// day is a file of matches with their goals, and of posts. Its JSON is an agreed shape.
type day struct {
	Matches []struct {
		Home   string `json:"home"`
		Away   string `json:"away"`
		League string `json:"league"`
		Events []struct {
			Scorer    string     `json:"scorer"`
			Elapsed   int        `json:"elapsed"`
			Extra     int        `json:"extra"`
			HomeScore *int       `json:"home_score"`
			AwayScore *int       `json:"away_score"`
			Side      footy.Side `json:"side"`
		} `json:"events"`
	} `json:"matches"`
	Posts []struct {
		Title    string    `json:"title"`
		PostedAt time.Time `json:"posted_at"`
	} `json:"posts"`
}

// DayAnswer is which goals the posts of a day name. Its JSON is an agreed shape.
type DayAnswer struct {
	Posts []DayPost `json:"posts"`
}

// DayPost is which goal a post names, by its place in the file; null where it names none.
type DayPost struct {
	Title string `json:"title"`
	Match *int   `json:"match"`
	Event *int   `json:"event"`
	Why   string `json:"why"`
}

// Day reads a file and weighs its posts, knowing of teams what the built-in lists know.
func Day(file string) (DayAnswer, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return DayAnswer{}, err
	}
	var d day
	if err := json.Unmarshal(data, &d); err != nil {
		return DayAnswer{}, footy.Errorf(footy.CodeInvalid, "", "%s is no day of matches and posts: %w", file, err)
	}
	lists := static.New()
	called := func(name string) title.TeamName {
		known, _ := lists.Resolve(context.Background(), footy.Team{Name: name}, "", false) // the lists know every name or none
		return title.TeamName{Name: name, Aliases: known.Aliases, Abbr: known.Abbr}
	}
	var matches []title.Match
	for _, m := range d.Matches {
		match := title.Match{Home: called(m.Home), Away: called(m.Away), League: m.League}
		for _, e := range m.Events {
			if e.Side != footy.SideHome && e.Side != footy.SideAway {
				e.Side = ""
			}
			match.Goals = append(match.Goals, title.Goal{Score: footy.Score{Home: e.HomeScore, Away: e.AwayScore}, Side: e.Side, Scorer: e.Scorer,
				Minute: footy.Minute{Elapsed: e.Elapsed, Extra: e.Extra}})
		}
		matches = append(matches, match)
	}
	goals := title.NewDay(matches)
	out := DayAnswer{Posts: []DayPost{}}
	for _, p := range d.Posts {
		t := title.Parse(p.Title)
		post := DayPost{Title: p.Title}
		if found, a := goals.Find(t, p.PostedAt); found != nil {
			post.Match, post.Event, post.Why = &found.Match, &found.Goal, "names "+explain.TitleNames(*a.Evidence(""))
		} else {
			post.Why = map[title.Mismatch]string{title.NoGoal: cmp.Or(t.Because, "what it says behind the teams is about no goal"), title.OtherMatch: "it names no match of the day",
				title.OtherGoal: "it names another goal of a match of the day", title.Alike: "two goals of the day fit alike"}[a.Mismatch]
		}
		out.Posts = append(out.Posts, post)
	}
	return out, nil
}
