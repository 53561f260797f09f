// Package rule decides what a compilation of goals is made of: which clips in which order, how much of each, and what is written over
// them; and whether one that was made may still be shown.
package rule

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// Recipe is the version of how reels are made. A higher one makes each reel anew.
const Recipe = 1

// The frames of every reel, whatever its clips are.
const (
	Width  = 1280
	Height = 720
	Rate   = 30 // a second
)

const (
	cardFrames = 3 * Rate  // the title
	least      = 5 * Rate  // of a clip, if it has as many: less shows no goal
	most       = 20 * Rate // of a clip where no length was asked for
)

// longest is how long a reel may be.
const longest = 20 * time.Minute

// Piece is one clip of a reel, with all that is drawn into it.
type Piece struct {
	FixtureID int64     `json:"fixture_id"`
	EventUID  string    `json:"event_uid"`
	ClipID    string    `json:"clip_id"`
	Digest    string    `json:"digest"`
	Source    string    `json:"source"` // key of the clip's bytes
	Frames    int       `json:"frames"`
	Lines     [2]string `json:"lines"` // lower third: who and when, the score then
}

// Title is the piece's chapter.
func (p Piece) Title() string { return p.Lines[0] + ", " + p.Lines[1] }

// Why a goal is not in a reel.
type Why string

// The reasons.
const (
	WhyNoClip Why = "no_verified_clip"
	WhyLength Why = "did_not_fit"
	WhyBroken Why = "cannot_be_shown" // its file is broken, or black
)

// LeftOut is a goal that is not in the reel.
type LeftOut struct {
	EventUID string `json:"event_uid"`
	Goal     string `json:"goal"` // in words
	Why      Why    `json:"why"`
}

// Plan is a whole reel.
type Plan struct {
	Key     string        `json:"key"` // names all that is shown: equal keys are equal films
	Scope   Scope         `json:"scope"`
	Asked   time.Duration `json:"asked"` // its length; 0: as its clips are long
	Title   [2]string     `json:"title"` // what it is of, and when
	Card    int           `json:"card"`  // frames of the title
	Pieces  []Piece       `json:"pieces"`
	LeftOut []LeftOut     `json:"left_out,omitempty"`
}

// Frames of the whole reel.
func (p Plan) Frames() int {
	n := p.Card
	for _, piece := range p.Pieces {
		n += piece.Frames
	}
	return n
}

// Length of a number of frames.
func Length(frames int) time.Duration { return time.Duration(frames) * time.Second / Rate }

// goal is one that stands, with the clip that shows it.
type goal struct {
	fixture *footy.Fixture
	event   *footy.Event
	clip    *footy.Clip // nil: none is verified
}

// Make plans the reel of a scope. fixtures may hold others, too.
func Make(s Scope, asked time.Duration, fixtures []footy.Fixture) Plan {
	p := Plan{Scope: s, Asked: asked, Card: cardFrames, Title: s.title(fixtures)}
	var with []goal
	for _, g := range goals(s, fixtures) {
		if g.clip == nil {
			p.LeftOut = append(p.LeftOut, g.leftOut(WhyNoClip))
		} else {
			with = append(with, g)
		}
	}
	fit := fitting(with, budget(asked))
	frames := share(fit, budget(asked), asked > 0)
	for _, g := range with {
		i := slices.Index(fit, g)
		if i < 0 {
			p.LeftOut = append(p.LeftOut, g.leftOut(WhyLength))
			continue
		}
		p.Pieces = append(p.Pieces, g.piece(frames[i]))
	}
	made := []any{Recipe, p.Title, p.Card}
	for _, piece := range p.Pieces {
		made = append(made, piece.EventUID, hash(Recipe, piece.Digest, piece.Frames, piece.Lines))
	}
	p.Key = hash(made...)
	return p
}

// goals of the scope that stand, match by match as they kick off, in the order in which they fell.
func goals(s Scope, fixtures []footy.Fixture) []goal {
	list := slices.Clone(fixtures)
	slices.SortStableFunc(list, func(a, b footy.Fixture) int {
		return cmp.Or(a.Match.Kickoff.Compare(b.Match.Kickoff), cmp.Compare(a.ID, b.ID))
	})
	var out []goal
	for i := range list {
		f := &list[i]
		if !s.Has(f) {
			continue
		}
		from := len(out)
		for j := range f.Events {
			if e := &f.Events[j]; e.Standing() && e.Kind.Scores() && s.scoredFor(f, e) {
				out = append(out, goal{f, e, best(e)})
			}
		}
		slices.SortStableFunc(out[from:], func(a, b goal) int {
			x, y := a.event, b.event
			return cmp.Or(cmp.Compare(x.Minute.Elapsed, y.Minute.Elapsed), cmp.Compare(x.Minute.Extra, y.Minute.Extra),
				cmp.Compare(x.ScoreAfter.Total(), y.ScoreAfter.Total()), cmp.Compare(x.UID, y.UID))
		})
	}
	return out
}

// best is the verified clip that people are shown first; nil if there is none.
func best(e *footy.Event) *footy.Clip {
	var out *footy.Clip
	for i := range e.Clips {
		if c := &e.Clips[i]; c.Visible() && c.Verified && wholeFrames(c) >= Rate && (out == nil || place(c) < place(out)) {
			out = c
		}
	}
	return out
}

// place is the rank of a clip. One that was not ranked yet comes behind all others, and a compilation, which shows other moments, too,
// behind those.
func place(c *footy.Clip) int {
	const last = 1 << 24
	at := cmp.Or(c.Rank, last)
	if c.Compiled {
		at += 2 * last
	}
	return at
}

// wholeFrames are those that a clip surely has: its last may be shorter than ours.
func wholeFrames(c *footy.Clip) int { return max(0, int(c.Duration*Rate)-1) }

func budget(asked time.Duration) int {
	asked = cmp.Or(max(asked, 0), longest)
	return int(min(asked, longest)*Rate/time.Second) - cardFrames
}

// fitting chooses the goals that fit with the least of each: those whose clips were posted most, as they stand in the list.
func fitting(all []goal, frames int) []goal {
	byFame := slices.Clone(all)
	slices.SortStableFunc(byFame, func(a, b goal) int { return cmp.Compare(b.clip.Popularity, a.clip.Popularity) })
	chosen := map[*footy.Event]bool{}
	for _, g := range byFame {
		if need := min(least, wholeFrames(g.clip)); need <= frames {
			frames -= need
			chosen[g.event] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(g goal) bool { return !chosen[g.event] })
}

// share gives each clip as many frames as the others, and what short ones leave to those that have more.
func share(fit []goal, frames int, asked bool) []int {
	out := make([]int, len(fit))
	order := make([]int, len(fit))
	have := func(i int) int {
		n := wholeFrames(fit[i].clip)
		if !asked {
			n = min(n, most)
		}
		return n
	}
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(have(a), have(b)) })
	for done, i := range order {
		out[i] = min(have(i), frames/(len(fit)-done))
		frames -= out[i]
	}
	return out
}

func (g goal) piece(frames int) Piece {
	e, f := g.event, g.fixture
	who := cut(footy.Label(*e), 48)
	switch {
	case e.Kind == footy.KindGoal && isOwn(e):
		who += " (own goal)"
	case e.Kind == footy.KindGoal && isPenalty(e):
		who += " (penalty)"
	}
	return Piece{FixtureID: f.ID, EventUID: e.UID, ClipID: g.clip.ID, Digest: g.clip.Digest, Source: g.clip.Key, Frames: frames, Lines: [2]string{who, g.score()}}
}

func (g goal) score() string {
	t, s := g.fixture.Teams, g.event.ScoreAfter
	if !s.Known() {
		return cut(t.Home.Name, 32) + " v " + cut(t.Away.Name, 32)
	}
	return fmt.Sprintf("%s %d–%d %s", cut(t.Home.Name, 32), *s.Home, *s.Away, cut(t.Away.Name, 32))
}

func (g goal) leftOut(why Why) LeftOut {
	return LeftOut{EventUID: g.event.UID, Goal: footy.Label(*g.event) + ", " + g.score(), Why: why}
}

// Shows reports whether everything in the reel may still be seen: each goal stands and the footage is not hidden or taken down. A
// reel that is merely outdated by a better clip may be watched to its end.
func (p Plan) Shows(fixtures []footy.Fixture) bool {
	hidden := func(p Piece) bool {
		i := slices.IndexFunc(fixtures, func(f footy.Fixture) bool { return f.ID == p.FixtureID })
		if i < 0 {
			return true
		}
		e := fixtures[i].Event(p.EventUID)
		return e == nil || !e.Standing() || explain.CurrentClip(e, p.ClipID) == nil
	}
	return len(p.Pieces) > 0 && !slices.ContainsFunc(p.Pieces, hidden)
}

// cut shortens a name of unknown length.
func cut(s string, letters int) string {
	r := []rune(s)
	if len(r) <= letters {
		return s
	}
	return string(r[:letters-1]) + "…"
}

func hash(of ...any) string {
	text, _ := json.Marshal(of) // strings, numbers and arrays of them
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:10])
}

// Record is what is kept beside a reel that was made.
type Record struct {
	Plan   Plan      `json:"plan"` // with the frames that its clips turned out to have
	Size   int64     `json:"size"` // bytes
	MadeAt time.Time `json:"made_at"`
}

// Chapter of a reel.
type Chapter struct {
	Start time.Duration
	End   time.Duration
	Title string
	Piece int // of the plan; -1: the title card
}

// Chapters are the title and one for each piece, end to end.
func (p Plan) Chapters() []Chapter {
	at := p.Card
	out := []Chapter{{End: Length(at), Title: p.Title[0], Piece: -1}}
	for i, piece := range p.Pieces {
		out = append(out, Chapter{Start: Length(at), End: Length(at + piece.Frames), Title: piece.Title(), Piece: i})
		at += piece.Frames
	}
	return out
}

// Budget is how many bytes reels may take in the clip store: nearly two hours of film at the most that a second may take.
const Budget = 4 << 30

// Stored is a reel that lies in the clip store.
type Stored struct {
	Key  string
	Size int64
	Used time.Time // when it was made, or last watched
}

// Surplus are the reels that make as much room: those that were used longest ago.
func Surplus(all []Stored, room int64) []Stored {
	all = slices.SortedStableFunc(slices.Values(all), func(a, b Stored) int { return a.Used.Compare(b.Used) })
	n := 0
	for ; n < len(all) && room > 0; n++ {
		room -= all[n].Size
	}
	return all[:n]
}

// State of the making of a reel.
type State string

// The states; "" = it was not asked for, or it was long ago.
const (
	StateMaking State = "making"
	StateFailed State = "failed"
	StateDone   State = "done"
)

// Making is how far the making of a reel is.
type Making struct {
	State State  `json:"state"`
	Done  int    `json:"done"` // pieces
	Of    int    `json:"of"`
	Waits string `json:"waits,omitempty"` // what it waits for, or why its last try failed
	Why   string `json:"why,omitempty"`   // it failed
}

// Job names the making of a reel of that length; a request for the same while it is made is for that one.
func Job(s Scope, asked time.Duration) string {
	if asked <= 0 {
		return "reel-" + s.Name()
	}
	return "reel-" + s.Name() + "-" + asked.String()
}
