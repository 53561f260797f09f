package round

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// readings is how often the comments of one post are read, mostLinks how many posts a goal gets from comments at most.
const (
	readings  = 2
	mostLinks = 10
)

// Comments is whose comments are to be read now for links to other copies of a goal's clip.
type Comments struct {
	Of   []footy.Post
	Done []string // posts whose comments were read, and are not due again
	Late bool     // the goal has been certain for long
	Max  int      // links that the goal may still get
}

// CommentsDue is that, of an event's posts at a place with comments; false if none are due: there is a clip, or there was one. A post that is
// gone or blocked here is due at once, others when the goal has waited.
func (l Limits) CommentsDue(e *footy.Event, posts []footy.Post, now time.Time) (Comments, bool) {
	out := Comments{Late: now.Sub(e.CertainAt) >= l.CommentsAfter, Max: mostLinks}
	if l.CommentsAfter <= 0 || !e.Certain() || e.Removed || len(e.Clips) > 0 {
		return out, false
	}
	again := map[string]bool{}
	for _, r := range e.CommentsRead {
		if r.Times == 0 {
			continue
		}
		if again[r.Post] = r.Times < readings && now.Sub(r.At) >= l.CommentsAgain; !again[r.Post] {
			out.Done = append(out.Done, r.Post)
		}
	}
	for _, p := range posts {
		switch due, was := again[p.PostID]; {
		case p.Candidate.Link != "":
			out.Max--
		case was && due, !was && (out.Late || Gone(p)):
			out.Of = append(out.Of, p)
		}
	}
	return out, out.Max > 0
}

// Gone reports whether a post's clip was removed, or is kept from this machine, as far as is known.
func Gone(p footy.Post) bool {
	return p.Reason == footy.ReasonDeleted || p.Reason == footy.ReasonGeoBlocked
}

// NoteComments writes down how comments were read.
func NoteComments(e *footy.Event, read []footy.CommentsRead) {
	for _, r := range read {
		i := slices.IndexFunc(e.CommentsRead, func(o footy.CommentsRead) bool { return o.Post == r.Post })
		if i < 0 {
			e.CommentsRead = append(e.CommentsRead, r)
			continue
		}
		if r.Failed != "" { // what an earlier answer had stays
			r.Links = e.CommentsRead[i].Links
		}
		r.Times += e.CommentsRead[i].Times
		e.CommentsRead[i] = r
	}
}
