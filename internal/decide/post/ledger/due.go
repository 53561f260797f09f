package ledger

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Around is what Monitor finds around a post whose time has come.
type Around struct {
	Forgotten bool         // nobody asks about its event any more
	Busy      bool         // its Download, or the event's Upload behind it, is at work
	NoModel   footy.Reason // why no model answers; "" where one does
	Rests     bool         // fetching rests at its place, and it is not the one that is let through
}

// Forgotten reports whether nobody asks about the posts of an event any more: its clips are deleted, or its match ended before it was certain.
func Forgotten(f *footy.Fixture, e *footy.Event) bool {
	return e.Swept && e.Removed || !e.Certain() && f.Stage == footy.StageCompleted
}

// Due is what Monitor does with a post of an event whose time has come; free: nothing but to give it to a new Download.
func Due(p footy.Post, e *footy.Event, a Around) (do Move, free bool) {
	holds, suspended := Suspend(p, e)
	switch {
	case a.Forgotten:
		return LoseEvent(), false
	case a.Busy:
		return Hold(p.Download), false
	case suspended:
		return holds, false
	case AwaitsModel(p) && a.NoModel != "":
		return StillWait(a.NoModel), false
	case a.Rests:
		return StillWait(footy.ReasonFetchResting), false
	}
	return Move{}, true
}

// early reports whether a post waits for its goal: nobody has tried to judge it.
func early(p footy.Post) bool { return p.State == waiting && p.Reason.AwaitsGoal() }

// AwaitsModel reports whether a post waits for a verdict that it may get as soon as a model answers.
func AwaitsModel(p footy.Post) bool {
	return p.State == waiting && !early(p) && NextStep(p) == StepJudge
}

// AwaitsFetch reports whether a post waits to be fetched.
func AwaitsFetch(p footy.Post) bool { return p.State == waiting && NextStep(p) == StepFetch }

// Possible is a move that a post can make now.
type Possible struct {
	Move    MoveKind          `json:"event"`
	By      string            `json:"by"`
	Becomes []footy.PostState `json:"becomes"` // one of these
	Does    string            `json:"does"`
}

// Moves are the moves of the table that a post can make now.
func Moves(p footy.Post, now time.Time, d Delays) []Possible {
	out := []Possible{}
	for _, r := range table {
		if _, err := legal(p, Move{kind: r.move, by: p.Download}, now, d); err != nil || !slices.Contains(r.from, p.State) {
			continue
		}
		is := Possible{r.move, r.who, r.to, r.what}
		if len(r.to) == 0 {
			is.Becomes = states{p.State}
		}
		out = append(out, is)
	}
	return out
}

// Selection names posts that wait: one post of an event, or all that wait for one cause.
type Selection struct {
	EventUID string
	PostID   string
	Cause    footy.Reason
}

// Check refuses a selection that nothing can match.
func (s Selection) Check() error {
	switch {
	case s.Cause != "" && !slices.Contains(footy.WaitCauses(), s.Cause):
		return footy.Errorf(footy.CodeInvalid, "choose posts", "no post waits for %q; causes are %s", s.Cause, causeList())
	case (s.EventUID == "") != (s.PostID == ""):
		return footy.Errorf(footy.CodeInvalid, "choose posts", "an event and a post belong together: name both, or only a cause")
	case s.Cause == "" && s.EventUID == "":
		return footy.Errorf(footy.CodeInvalid, "choose posts", "name an event and a post, or a cause")
	}
	return nil
}

// Matches reports whether a post is selected.
func (s Selection) Matches(p footy.Post) bool {
	return p.State == footy.PostWaiting && (s.EventUID == "" || p.EventUID == s.EventUID) &&
		(s.PostID == "" || p.PostID == s.PostID) && (s.Cause == "" || p.Reason == s.Cause)
}

func causeList() string {
	names := make([]string, len(footy.WaitCauses()))
	for i, c := range footy.WaitCauses() {
		names[i] = string(c)
	}
	return strings.Join(names, ", ")
}

// TroubledStates are the states a post in trouble can have: it waits, or its next try to be fetched or judged is under way.
var TroubledStates = []footy.PostState{footy.PostWaiting, footy.PostFetching, footy.PostFetched}

// InTrouble reports whether a post met trouble that is not over yet. While its next try is under way it does not wait, but the
// trouble goes on. To wait for its goal is no trouble.
func InTrouble(p footy.Post) bool {
	return !p.Ended() && !p.WaitingSince.IsZero() && !p.Reason.AwaitsGoal()
}

// Backlog is what is in trouble for one cause.
type Backlog struct {
	Cause   footy.Reason
	Posts   []footy.Post // oldest trouble first
	Oldest  time.Time    // start of the oldest trouble
	NextTry time.Time    // the soonest
}

// Backlogs groups the posts in trouble by cause, the largest group first.
func Backlogs(posts []footy.Post) []Backlog {
	byCause := map[footy.Reason]*Backlog{}
	for _, p := range posts {
		if !InTrouble(p) {
			continue
		}
		b := byCause[p.Reason]
		if b == nil {
			b = &Backlog{Cause: p.Reason, NextTry: p.NextTry}
			byCause[p.Reason] = b
		}
		b.Posts = append(b.Posts, p)
		if p.NextTry.Before(b.NextTry) {
			b.NextTry = p.NextTry
		}
	}
	out := make([]Backlog, 0, len(byCause))
	for _, b := range byCause {
		slices.SortFunc(b.Posts, func(x, y footy.Post) int {
			return cmp.Or(x.WaitingSince.Compare(y.WaitingSince), cmp.Compare(x.EventUID, y.EventUID), cmp.Compare(x.PostID, y.PostID))
		})
		b.Oldest = b.Posts[0].WaitingSince
		out = append(out, *b)
	}
	slices.SortFunc(out, func(x, y Backlog) int {
		return cmp.Or(len(y.Posts)-len(x.Posts), cmp.Compare(x.Cause, y.Cause))
	})
	return out
}
