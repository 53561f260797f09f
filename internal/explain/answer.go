// Package explain writes every sentence that people read about a goal: what a row of its log says, what a reason means, why
// there is no clip. The log holds values; words are here alone.
package explain

import (
	"cmp"
	"fmt"
	"sort"
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
	Waiting    int     `json:"waiting"`    // of the pending ones: posts that wait for the end of a trouble
	Withdrawn  int     `json:"withdrawn"`  // posts whose clip an operator took out of sight
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

// facts is what one pass over the rows collects.
type facts struct {
	what                                   string // of what kind the event is: "goal", "red card"
	certain, searching, completed, removed bool
	removedFor                             footy.Reason
	lost                                   footy.Reason
	searches, failed                       int
	failedState                            map[footy.SearchState]int
	posts                                  map[string]outcome
	published                              map[string]bool
	withdrawn                              map[string]bool // published clips that nobody can see now
	acts                                   map[string]Act
}

type outcome struct {
	reason footy.Reason
	ended  bool
	waits  bool
	clip   string // accepted as this clip
}

// Why reads the rows of one event, in time order, and says what became of it. visible tells whether a published clip, or
// the one that stands for it, can be seen now; nil: whether no operator's row says otherwise.
func Why(rows []footy.Entry, visible func(clipID string) bool) Answer {
	f := facts{what: footy.KindGoal.Info().One, posts: map[string]outcome{}, failedState: map[footy.SearchState]int{}, published: map[string]bool{}, withdrawn: map[string]bool{}, acts: Acts(rows)}
	if visible == nil {
		visible = func(id string) bool { _, gone := f.acts[id]; return !gone }
	}
	for _, r := range rows {
		f.read(r)
	}
	a := Answer{Reasons: []Count{}, Searches: f.searches, Failed: f.failed, Posts: len(f.posts)}
	count := map[footy.Reason]int{}
	for _, p := range f.posts {
		switch {
		case p.clip != "" && f.published[p.clip] && visible(p.clip):
			a.Clips++
		case p.clip != "" && f.published[p.clip]:
			a.Withdrawn++
			f.withdrawn[p.clip] = true
		case p.ended:
			a.Rejected++
			count[p.reason]++
		default:
			a.Pending++
			if p.waits {
				a.Waiting++
			}
		}
	}
	for r, n := range count {
		a.Reasons = append(a.Reasons, Count{Reason: r, Words: Ending(r), N: n})
	}
	sort.Slice(a.Reasons, func(i, j int) bool {
		if a.Reasons[i].N != a.Reasons[j].N {
			return a.Reasons[i].N > a.Reasons[j].N
		}
		return a.Reasons[i].Reason < a.Reasons[j].Reason
	})
	a.Unfinished = !f.completed && !f.removed
	if a.Clips == 0 {
		a.Question = "Why no clip?"
		if a.Unfinished && a.Withdrawn == 0 {
			a.Question = "Why no clip yet?"
		}
	}
	a.Sentence = f.sentence(a)
	return a
}

func (f *facts) read(r footy.Entry) {
	if r.Data.What != "" { // on the rows of how it was seen, but for those of the first releases
		f.what = r.Data.What.Info().One
	}
	if r.BringsBack() {
		f.removed = false
	}
	switch r.Kind {
	case footy.EntryCertain:
		f.certain = true
	case footy.EntrySearching:
		f.searching, f.completed = true, false
	case footy.EntryCompleted:
		f.completed, f.lost = true, cmp.Or(r.Reason, footy.ParseRoundOutcome(r.Data.Outcome).Lost)
	case footy.EntryRemoved:
		f.removed, f.removedFor = true, r.Reason
	case footy.EntryQuery:
		if r.Data.Looked() {
			f.searches++
		} else {
			f.failed++
			f.failedState[r.Data.State]++
		}
	}
	switch r.Kind {
	case footy.EntryClip, footy.EntryMerged, footy.EntryReplaced:
		f.published[r.ClipID] = true
	}
	if r.PostID != "" {
		f.posts[r.PostID] = f.posts[r.PostID].after(r)
	}
}

// after is what a further row says about a post. Published clips are looked up at the end: their rows name no post.
func (p outcome) after(r footy.Entry) outcome {
	p.waits = r.Kind == footy.EntryWaiting
	refuse := func() outcome {
		p.ended, p.reason, p.clip = true, r.Reason, ""
		return p
	}
	switch r.Kind {
	case footy.EntryRejected:
		if r.Reason == footy.ReasonDuplicate && r.ClipID != "" {
			p.ended, p.reason, p.clip = false, "", r.ClipID // the same file as a clip: it supports it
			return p
		}
		return refuse()
	case footy.EntryCandidate:
		if r.Reason != "" && p.clip == "" && !p.ended {
			return refuse()
		}
		if r.Reason == "" && p.reason == footy.ReasonNotChosen {
			p.ended, p.reason = false, "" // taken after it had been passed over
		}
	case footy.EntryVerdict:
		switch footy.Outcome(r.Data.Outcome) {
		case footy.OutcomeVerified, footy.OutcomeUnverified:
			p.ended, p.reason, p.clip = false, "", r.ClipID
		default:
			return refuse()
		}
	case footy.EntryClip, footy.EntryMerged, footy.EntryReplaced:
		p.ended, p.reason, p.clip = false, "", r.ClipID
	case footy.EntryWaiting: // for the end of a trouble: refused for nothing
		p.ended, p.reason = false, ""
	}
	return p
}

func (f *facts) sentence(a Answer) string {
	switch {
	case f.removed:
		return Removed(f.what, f.removedFor)
	case a.Clips > 0:
		s := fmt.Sprintf("%s of %d looked at %s this %s", Plural(a.Clips, "post", "posts"), a.Posts, verb(a.Clips, "shows", "show"), f.what)
		if others := because(a); others != "" {
			s += "; of the others" + strings.TrimPrefix(others, ":")
		}
		return s + "."
	case a.Withdrawn > 0:
		s := withdrawn(f.gone())
		if others := because(Answer{Reasons: a.Reasons, Pending: a.Pending, Waiting: a.Waiting, Unfinished: a.Unfinished}); others != "" {
			s += ". Of the other posts" + strings.TrimPrefix(others, ":")
		}
		return s + "."
	case !f.certain && !f.searching:
		return "The " + f.what + " was reported but is not certain yet; the search starts when it is."
	case a.Searches == 0 && a.Failed == 0:
		if f.completed {
			return "No search was made" + lostFor(f.lost) + "."
		}
		return "The " + f.what + " is certain; the first search is about to start."
	case a.Searches == 0:
		return fmt.Sprintf("We could not look: %s without an answer%s.", Plural(a.Failed, "search", "searches"), f.states())
	case a.Posts == 0:
		return fmt.Sprintf("%s found no post with a video%s%s.", Plural(a.Searches, "search", "searches"), alsoFailed(a), yet(a))
	default:
		return fmt.Sprintf("%s found %s, none of which shows this %s for certain%s%s%s.",
			Plural(a.Searches, "search", "searches"), Plural(a.Posts, "post", "posts"), f.what, because(a), alsoFailed(a), yet(a))
	}
}

// gone lists what operators did to the clips that are out of sight.
func (f *facts) gone() []Act {
	var out []Act
	for id := range f.withdrawn {
		if act, ok := f.acts[id]; ok {
			out = append(out, act)
		}
	}
	return out
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
		parts = append(parts, fmt.Sprintf("%d %s out of sight by an operator's word", a.Withdrawn, verb(a.Withdrawn, "is", "are")))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + join(parts)
}

func (f *facts) states() string {
	var names []string
	for s := range f.failedState {
		if s != "" {
			names = append(names, plain(footy.Reason(s)))
		}
	}
	sort.Strings(names)
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
