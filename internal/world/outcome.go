package world

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
)

// Outcome is what the product made of a day, as plain data.
type Outcome struct {
	Fixtures   []FixtureOutcome
	Goals      []GoalOutcome
	Duplicates int
	// Redirects counts links that lead from a replaced clip or a former event id to what stands now.
	Redirects int
	Rejected  map[string]int
	// Asked counts the posts whose frames the model read, Looked those of which it was asked only what the picture is, ByClock those
	// that their running clock decided alone, Known those that went by what was read of their footage before.
	Asked, Looked, ByClock, Known int
	// ModelSeconds is how long the model took for its answers.
	ModelSeconds float64
	// While is what was seen while a mode of the script held, by its name, End when the day was over.
	While map[string]Seen
	End   Seen
}

// FixtureOutcome is where a fixture ended. Stage is staging, active or completed.
type FixtureOutcome struct {
	ID         int
	Stage      string
	Home, Away int
}

// GoalOutcome is one goal the product knows, or another event it follows, removed ones included.
type GoalOutcome struct {
	Fixture        int
	Kind           string // goal (own goals and penalties too), red_card, yellow_card, var, missed_penalty or shootout
	EventID        string
	FormerIDs      []string
	Player         string
	Minute, Extra  int
	Clips          int
	Verified       int
	BestPopularity int
	Removed        bool
	RemovedReason  string
	Complete       bool
	Outcome        string
	Posts          map[string]PostOutcome // by post id; posts without a clip are absent
	FirstClip      time.Time              // zero = none yet
	LastVerdict    time.Time              // when the last of its posts was accepted or refused; zero = none was
	TakenUp        []string               // ids of all posts that the product took up, with a clip or without
}

// PostOutcome is the clip made of a post's file, and the clip that stands for it: its own or a better copy. Verified: the own one is
// shown as proven.
type PostOutcome struct {
	Clip, Stands string
	Verified     bool
}

// Failure is an expectation that was not met.
type Failure struct {
	Where    string `json:"where"`
	Expected string `json:"expected"`
	Observed string `json:"observed"`
}

func (f Failure) String() string {
	return f.Where + ": expected " + f.Expected + ", observed " + f.Observed
}

// Expectations counts what Check looks at, the same number whatever the outcome.
func Expectations(s *script.Script) int {
	c := check{script: s}
	c.run(Outcome{})
	return c.looked
}

// Check compares what the product made of the day with what the script expects.
func Check(s *script.Script, o Outcome) []Failure {
	c := check{script: s}
	c.run(o)
	return c.failed
}

// Met counts the expectations that were met. Those of a goal that is missing are neither met nor failed: the missing goal is the failure.
func Met(s *script.Script, o Outcome) int {
	c := check{script: s}
	c.run(o)
	return c.met
}

// Unseen is what should be seen while a mode holds, and was not. So far: a day that goes on may show it yet.
func Unseen(s *script.Script, m script.Manner, got Seen, o Outcome) []Failure {
	c := check{script: s}
	c.sight("while "+m.Mode.Mode+" holds", *m.While, got, o)
	return c.failed
}

type check struct {
	script *script.Script
	looked int
	met    int
	failed []Failure
	mute   bool // neither met nor failed: what follows from a failure already reported
}

func (c *check) that(ok bool, where, expected string, observed any) {
	c.looked++
	switch {
	case c.mute:
	case ok:
		c.met++
	default:
		c.failed = append(c.failed, Failure{where, expected, fmt.Sprint(observed)})
	}
}

func (c *check) run(o Outcome) {
	fixtures := map[int]FixtureOutcome{}
	for _, f := range o.Fixtures {
		fixtures[f.ID] = f
	}
	for _, f := range c.script.Fixtures {
		got, ok := fixtures[f.ID]
		if !ok {
			got.Stage = "absent"
		}
		c.fixture(f, got, o.Goals)
		for _, e := range f.Events {
			if e.Expect != nil {
				c.goal(f, e, o.Goals)
			}
		}
	}
	c.totals(o)
	for _, m := range c.script.Played() {
		if m.While != nil {
			c.sight("while "+m.Mode.Mode+" holds", *m.While, o.While[m.Mode.Mode], o)
		}
		if m.End != nil {
			c.sight("after a day with "+m.Mode.Mode, *m.End, o.End, o)
		}
	}
}

func (c *check) fixture(f script.Fixture, got FixtureOutcome, goals []GoalOutcome) {
	where := fmt.Sprintf("%s - %s (fixture %d)", c.script.Team(f.Home).Name, c.script.Team(f.Away).Name, f.ID)
	c.that(got.Stage == f.Expect.Stage, where, "stage "+f.Expect.Stage, "stage "+got.Stage)
	if f.Expect.Home != nil && f.Expect.Away != nil {
		c.that(got.Home == *f.Expect.Home && got.Away == *f.Expect.Away, where,
			fmt.Sprintf("final score %d-%d", *f.Expect.Home, *f.Expect.Away), fmt.Sprintf("%d-%d", got.Home, got.Away))
	}
	if f.Expect.Goals != nil {
		var names []string
		for _, g := range goals {
			if g.Fixture == f.ID && !g.Removed && g.Kind == script.Goal {
				names = append(names, fmt.Sprintf("%s %d'", g.Player, g.Minute))
			}
		}
		sort.Strings(names)
		c.that(len(names) == *f.Expect.Goals, where, fmt.Sprintf("%d goals", *f.Expect.Goals), fmt.Sprintf("%d: %s", len(names), strings.Join(names, ", ")))
	}
}

func (c *check) goal(f script.Fixture, e script.Event, goals []GoalOutcome) {
	where := fmt.Sprintf("%s %d' (%s - %s, goal %q)", post.FinalPlayer(e).Name, e.Minute+e.Extra, c.script.Team(f.Home).Name, c.script.Team(f.Away).Name, e.Key)
	got, ok := find(f, e, goals)
	c.that(ok, where, "the goal is known", "it is not")
	c.mute = !ok
	defer func() { c.mute = false }()
	c.that(got.Removed == e.Expect.Removed, where, fmt.Sprintf("removed %t", e.Expect.Removed), fmt.Sprintf("removed %t %s", got.Removed, got.RemovedReason))
	if e.Expect.Removed {
		return
	}
	c.that(got.Complete, where, "search complete", "incomplete")
	if c.script.WithNothing() { // the day as a whole tells how many have a clip
		return
	}
	c.count(where, "clips", e.Expect.Clips, got.Clips)
	verified := e.Expect.Verified
	if !script.Scores(e.Kind) && c.script.WithoutModel() { // a clock proves only goals
		verified = &script.Range{Max: new(int)}
	}
	c.count(where, "verified clips", verified, got.Verified)
	popularity := e.Expect.Popularity
	if popularity != nil && c.script.WithoutModel() { // copies whose clock cannot be read count for nothing there
		popularity = &script.Range{Min: 1}
	}
	c.count(where, "posts behind the best clip", popularity, got.BestPopularity)
	if e.Expect.Redirected {
		c.that(len(got.FormerIDs) > 0, where, "a former id that leads here", "none")
	}
	c.posts(where, f, e, got)
}

func (c *check) count(where, what string, want *script.Range, got int) {
	if want == nil {
		return
	}
	text := fmt.Sprintf("%d or more %s", want.Min, what)
	if want.Max != nil && *want.Max == want.Min {
		text = fmt.Sprintf("%d %s", want.Min, what)
	} else if want.Max != nil {
		text = fmt.Sprintf("%d to %d %s", want.Min, *want.Max, what)
	}
	c.that(want.Holds(got), where, text, got)
}

func (c *check) totals(o Outcome) {
	want := c.script.Expect
	standing, removed, cards, other := 0, 0, 0, 0
	for _, g := range o.Goals {
		switch {
		case g.Removed:
			removed++
		case g.Kind == script.Goal:
			standing++
		case g.Kind == script.RedCard:
			cards++
		default:
			other++
		}
	}
	c.that(len(o.Fixtures) == want.Fixtures, "the day", fmt.Sprintf("%d fixtures followed", want.Fixtures), len(o.Fixtures))
	c.that(standing == want.Goals, "the day", fmt.Sprintf("%d goals", want.Goals), standing)
	if want.RedCards != nil {
		c.that(cards == *want.RedCards, "the day", fmt.Sprintf("%d red cards", *want.RedCards), cards)
	}
	if more := c.script.More(); c.script.WithEveryKind() {
		c.that(other == more, "the day", fmt.Sprintf("%d events that are neither goals nor red cards", more), other)
	} else {
		c.that(other == 0, "the day", "no event of a kind that is not followed", other)
	}
	c.that(removed == want.Removed, "the day", fmt.Sprintf("%d goals removed", want.Removed), removed)
	if c.script.WithNothing() {
		proven, posted := Share(c.script, o)
		c.that(proven*5 >= posted*4, "the day", fmt.Sprintf("a verified clip for four of five of the %d goals that Reddit has", posted), proven)
	}
	wrong := WronglyVerified(c.script, o)
	c.that(len(wrong) == 0, "the day", "no verified clip that shows something else", strings.Join(wrong, "; "))
	if c.script.WithNothing() { // what follows is of posts on X
		return
	}
	c.that(o.Duplicates >= want.Duplicates, "the day", fmt.Sprintf("at least %d duplicates merged", want.Duplicates), o.Duplicates)
	c.that(o.Redirects >= want.Redirects, "the day", fmt.Sprintf("at least %d redirects", want.Redirects), o.Redirects)
	var reasons []string
	refused := c.script.Refused()
	for r := range refused {
		reasons = append(reasons, r)
	}
	sort.Strings(reasons)
	for _, r := range reasons {
		c.that(o.Rejected[r] >= refused[r], "the day", fmt.Sprintf("at least %d candidates rejected as %s", refused[r], r), o.Rejected[r])
	}
}

// Share counts the standing goals of which Reddit has a post that shows them, and those of them with a verified clip.
func Share(s *script.Script, o Outcome) (proven, posted int) {
	shown := s.OnReddit()
	for _, f := range s.Fixtures {
		for _, e := range f.Events {
			if f.Untracked || !shown[fmt.Sprintf("%d/%s", f.ID, e.Key)] || e.Expect != nil && e.Expect.Removed {
				continue
			}
			posted++
			if g, ok := find(f, e, o.Goals); ok && g.Verified > 0 {
				proven++
			}
		}
	}
	return proven, posted
}

// find is the product's goal for a scripted one: same fixture and scorer, the nearest minute, one that stands if there is one.
func find(f script.Fixture, e script.Event, goals []GoalOutcome) (GoalOutcome, bool) {
	best, far := GoalOutcome{}, 1000
	for _, g := range goals {
		if g.Fixture != f.ID || g.Kind != kindOf(e) || fold(g.Player) != fold(post.FinalPlayer(e).Name) {
			continue
		}
		d := 2 * abs(g.Minute+g.Extra-e.Minute-e.Extra)
		if g.Removed != (e.Expect != nil && e.Expect.Removed) {
			d++
		}
		if d < far && d <= 5 {
			best, far = g, d
		}
	}
	return best, far < 1000
}

// kindOf is what the product calls a scripted event's kind.
func kindOf(e script.Event) string {
	switch {
	case script.Scores(e.Kind):
		return script.Goal
	case e.Kind == script.ShootoutScored, e.Kind == script.ShootoutMissed:
		return "shootout"
	}
	return e.Kind
}

func fold(s string) string { return strings.ToLower(norm.NFC.String(strings.TrimSpace(s))) }

func abs(n int) int { return max(n, -n) }
