package ledger

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

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
			b = &Backlog{Cause: p.Reason, Oldest: p.WaitingSince, NextTry: p.NextTry}
			byCause[p.Reason] = b
		}
		b.Posts = append(b.Posts, p)
		if p.WaitingSince.Before(b.Oldest) {
			b.Oldest = p.WaitingSince
		}
		if p.NextTry.Before(b.NextTry) {
			b.NextTry = p.NextTry
		}
	}
	out := make([]Backlog, 0, len(byCause))
	for _, b := range byCause {
		slices.SortFunc(b.Posts, func(x, y footy.Post) int {
			return cmp.Or(x.WaitingSince.Compare(y.WaitingSince), cmp.Compare(x.EventUID, y.EventUID), cmp.Compare(x.PostID, y.PostID))
		})
		out = append(out, *b)
	}
	slices.SortFunc(out, func(x, y Backlog) int {
		return cmp.Or(len(y.Posts)-len(x.Posts), cmp.Compare(x.Cause, y.Cause))
	})
	return out
}
