package inspect

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/alias/static"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/title"
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

	said title.Title
}

// Title reads the title of a post.
func Title(text string) TitleAnswer {
	t := title.Parse(text)
	return TitleAnswer{Title: t.Text, Kind: t.Kind, Home: unless(t.Home, ""), Away: unless(t.Away, ""),
		HomeScore: where(t.Goal(), t.Score.Home), AwayScore: where(t.Goal(), t.Score.Away), ScoringSide: unless(t.ScoringSide, ""),
		Scorer: unless(t.Scorer, ""), Minute: unless(t.Minute, 0), Extra: where(t.Extra > 0, t.Extra), OwnGoal: t.OwnGoal, Penalty: t.Penalty, said: t}
}

func unless[T comparable](v, unknown T) *T { return where(v != unknown, v) }

func where[T any](known bool, v T) *T {
	if !known {
		return nil
	}
	return &v
}

// String explains the answer to people.
func (a TitleAnswer) String() string {
	t := a.said
	if !t.Goal() {
		return fmt.Sprintf("other: %s\n  %s\n", t.Text, t.Because)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "goal: %s\n  %s %d - %d %s", t.Text, orUntold(t.Home), t.Score.Home, t.Score.Away, orUntold(t.Away))
	switch t.ScoringSide {
	case footy.SideHome:
		fmt.Fprintf(&b, ", scored by %s", orUntold(t.Home))
	case footy.SideAway:
		fmt.Fprintf(&b, ", scored by %s", orUntold(t.Away))
	default:
		b.WriteString(", it does not say by which side")
	}
	fmt.Fprintf(&b, "\n  scorer %s, minute ", orUntold(t.Scorer))
	switch {
	case t.Minute == 0:
		b.WriteString("(not told)")
	case t.Extra > 0:
		fmt.Fprintf(&b, "%d+%d", t.Minute, t.Extra)
	default:
		fmt.Fprint(&b, t.Minute)
	}
	if t.OwnGoal {
		b.WriteString(", own goal")
	}
	if t.Penalty {
		b.WriteString(", penalty")
	}
	b.WriteString("\n")
	return b.String()
}

func orUntold(s string) string { return cmp.Or(s, "(not told)") }

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

// String is a line for each post.
func (a DayAnswer) String() string {
	var b strings.Builder
	for _, p := range a.Posts {
		at := "none"
		if p.Match != nil {
			at = fmt.Sprintf("match %d, event %d", *p.Match, *p.Event)
		}
		fmt.Fprintf(&b, "%s\n  %s: %s\n", p.Title, at, p.Why)
	}
	return b.String()
}
