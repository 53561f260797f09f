// Package explain writes every sentence that people read about a goal: what a row of its log says, what a reason means, why
// there is no clip. The log holds values; words are here alone.
package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// Answer is what became of everything that was tried for one goal.
type Answer struct {
	Question   string  `json:"question"` // "" when the goal has a clip
	Sentence   string  `json:"sentence"`
	Searches   int     `json:"searches"`   // searches that looked
	Failed     int     `json:"blind"`      // searches that could not look
	Posts      int     `json:"posts"`      // distinct posts considered
	Rejected   int     `json:"rejected"`   // distinct posts refused or passed over
	Pending    int     `json:"pending"`    // posts without an end yet
	Waiting    int     `json:"waiting"`    // of the pending ones: posts that are blocked by an outage
	Withdrawn  int     `json:"withdrawn"`  // posts whose clip an operator hid or took down
	Clips      int     `json:"clips"`      // posts that became or support a clip people can see
	Reasons    []Count `json:"reasons"`    // most frequent first
	Unfinished bool    `json:"unfinished"` // more may still come
}

// Count is a reason with how often it decided.
type Count struct {
	Reason footy.Reason `json:"reason"`
	Words  string       `json:"words"`
	N      int          `json:"n"`
}

// Why says what became of everything that was tried for one event: of its posts by the ledger, all of them. Rows tell of what the
// ledger does not hold: each search, and what operators did.
func Why(e *footy.Event, posts []footy.Post, rows []footy.Entry) Answer {
	a := Answer{Reasons: []Count{}, Posts: len(posts), Unfinished: !e.DownloadComplete && !e.Removed}
	unanswered := searches(&a, rows)
	count, gone, names := map[footy.Reason]int{}, map[string]bool{}, ClipNames(e)
	for _, p := range posts {
		switch {
		case p.State == footy.PostPublished || p.State == footy.PostMerged:
			if names(p.ClipID) != "" {
				a.Clips++
				continue
			}
			a.Withdrawn++
			gone[HiddenAs(e, p.ClipID)] = true
		case p.Ended():
			a.Rejected++
			count[p.Reason]++
		default:
			a.Pending++
		}
	}
	a.Waiting = InTrouble(posts)
	for r, n := range count {
		a.Reasons = append(a.Reasons, Count{Reason: r, Words: Ending(r), N: n})
	}
	slices.SortFunc(a.Reasons, func(x, y Count) int { return cmp.Or(y.N-x.N, cmp.Compare(x.Reason, y.Reason)) })
	if a.Clips == 0 {
		a.Question = "Why no clip?"
		if a.Unfinished && a.Withdrawn == 0 {
			a.Question = "Why no clip yet?"
		}
	}
	var acts []Act
	for id, act := range Acts(e, rows) {
		if gone[id] {
			acts = append(acts, act)
		}
	}
	a.Sentence = a.sentence(e, unanswered, acts)
	if last := lastSearch(rows); last != nil && last.Reason != "" && a.Clips == 0 && !e.Removed { // which a person can end
		a.Sentence += " " + Reason(last.Reason) + "."
	}
	if below := comments(e.CommentsRead); below != "" && a.Clips == 0 && !e.Removed {
		a.Sentence += " " + UpperFirst(below) + "."
	}
	return a
}

// lastSearch is the row of the last search; nil if there was none.
func lastSearch(rows []footy.Entry) *footy.Entry {
	for i := range slices.Backward(rows) {
		if rows[i].Kind == footy.EntryQuery {
			return &rows[i]
		}
	}
	return nil
}

// searches counts the searches, and returns the states of those that were not answered.
func searches(a *Answer, rows []footy.Entry) map[footy.SearchState]bool {
	unanswered := map[footy.SearchState]bool{}
	for _, r := range rows {
		switch {
		case r.Kind != footy.EntryQuery:
		case r.Data.Looked():
			a.Searches++
		default:
			a.Failed++
			if r.Reason == "" { // else the reason says more
				unanswered[r.Data.State] = true
			}
		}
	}
	return unanswered
}

func (a Answer) sentence(e *footy.Event, unanswered map[footy.SearchState]bool, acts []Act) string {
	what := e.Kind.Info().One
	switch {
	case e.Removed:
		return Removed(what, e.RemovedReason)
	case a.Clips > 0:
		s := fmt.Sprintf("%d of %s found %s this %s", a.Clips, Plural(a.Posts, "post", "posts"), verb(a.Clips, "shows", "show"), what)
		if others := because(a); others != "" {
			s += "; of the others" + strings.TrimPrefix(others, ":")
		}
		return s + "."
	case a.Withdrawn > 0:
		s := withdrawn(acts)
		if others := because(Answer{Reasons: a.Reasons, Pending: a.Pending, Waiting: a.Waiting, Unfinished: a.Unfinished}); others != "" {
			s += ". Of the other posts" + strings.TrimPrefix(others, ":")
		}
		return s + "."
	case !e.Certain():
		s := "The " + what + " was reported but is not certain yet. Its clips are checked and shown when it is."
		if a.Pending > 0 {
			s += fmt.Sprintf(" %s %s found already and %s checked then.", Plural(a.Pending, "post", "posts"), verb(a.Pending, "was", "were"), verb(a.Pending, "is", "are"))
		}
		return s
	case a.Searches == 0 && a.Failed == 0:
		if e.DownloadComplete {
			return "No search was made" + lostFor(e.Outcome().Lost) + "."
		}
		return "The " + what + " is certain; the first search is about to start."
	case a.Searches == 0:
		return fmt.Sprintf("We could not look: %s without an answer%s.", Plural(a.Failed, "search", "searches"), states(unanswered))
	case a.Posts == 0:
		return fmt.Sprintf("%s found no post with a video%s%s.", Plural(a.Searches, "search", "searches"), alsoFailed(a), yet(a))
	default:
		return fmt.Sprintf("%s found %s, none of which shows this %s for certain%s%s%s.",
			Plural(a.Searches, "search", "searches"), Plural(a.Posts, "post", "posts"), what, because(a), alsoFailed(a), yet(a))
	}
}

// because says what became of every post that shows nothing: its parts add up.
func because(a Answer) string {
	var parts []string
	for i, c := range a.Reasons {
		if i == 4 && len(a.Reasons) > 5 {
			rest := 0
			for _, c := range a.Reasons[i:] {
				rest += c.N
			}
			parts = append(parts, fmt.Sprintf("%d %s refused for other reasons", rest, verb(rest, "was", "were")))
			break
		}
		parts = append(parts, fmt.Sprintf("%d %s %s", c.N, verb(c.N, "was", "were"), c.Words))
	}
	switch n := a.Pending - a.Waiting; {
	case n > 0 && a.Unfinished:
		parts = append(parts, fmt.Sprintf("%d %s still being checked", n, verb(n, "is", "are")))
	case n > 0:
		parts = append(parts, fmt.Sprintf("%d %s left without an answer", n, verb(n, "was", "were")))
	}
	if a.Waiting > 0 {
		parts = append(parts, fmt.Sprintf("%d %s and %s tried again", a.Waiting, verb(a.Waiting, "waits", "wait"), verb(a.Waiting, "is", "are")))
	}
	if a.Withdrawn > 0 {
		parts = append(parts, fmt.Sprintf("%d %s hidden by an operator", a.Withdrawn, verb(a.Withdrawn, "is", "are")))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + join(parts)
}

func states(unanswered map[footy.SearchState]bool) string {
	var names []string
	for s := range unanswered {
		if s != "" {
			names = append(names, plain(footy.Reason(s)))
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return ""
	}
	return " (" + strings.Join(names, ", ") + ")"
}

// Removed says that an event no longer stands, and why. what is its kind in words: "goal".
func Removed(what string, why footy.Reason) string {
	return "This " + what + " no longer stands: it was " + RemovedFor(why) + "."
}

// RemovedFor says why an event no longer stands, as the end of "it was ...".
func RemovedFor(why footy.Reason) string { return Ending(cmp.Or(why, footy.ReasonVAR)) }

func lostFor(r footy.Reason) string {
	if r == "" {
		return ""
	}
	return ": " + Ending(r)
}

func alsoFailed(a Answer) string {
	if a.Failed == 0 {
		return ""
	}
	return fmt.Sprintf("; %s could not look", Plural(a.Failed, "more search", "more searches"))
}

func yet(a Answer) string {
	if a.Unfinished && a.Pending == 0 {
		return " so far"
	}
	return ""
}

func join(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}
