package inspect

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/title"
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
