package explain

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/decide/match/identity"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
)

// Names says what people call a clip now: "clip 2"; "" for one that is not visible.
type Names func(clipID string) string

func (n Names) of(clipID string) string {
	if n != nil && clipID != "" {
		if name := n(clipID); name != "" {
			return name
		}
	}
	return "a clip"
}

// Row says a row of the log in one sentence.
func Row(r footy.Entry, names Names) string {
	return cmp.Or(sentence(r), search(r, names))
}

// doing says what is being done with a post that met no trouble.
var doing = map[footy.PostState]string{
	footy.PostOffered: "Will be fetched now", footy.PostFetching: "Is being fetched", footy.PostFetched: "Fetched; it is being checked",
	footy.PostJudged: "Accepted; it is being stored",
}

// Post says in one sentence what became of a post.
func Post(p footy.Post, names Names) string {
	switch {
	case ledger.InTrouble(p), p.State == footy.PostWaiting:
		return Wait(p.Reason)
	case p.State == footy.PostPassed:
		return Row(footy.Entry{Kind: footy.EntryCandidate, Reason: p.Reason}, names)
	case p.State == footy.PostRefused:
		return Row(ledger.RefusedRow(p), names)
	case p.Verdict == nil:
		return doing[p.State]
	}
	r := footy.Entry{Kind: footy.EntryVerdict, ClipID: OwnClip(p)}
	r.Data.Judged(*p.Verdict)
	return Row(r, names)
}

// OwnClip is the id of the clip that a post's own file is or was; the clip it counts for where its file was not kept.
func OwnClip(p footy.Post) string {
	if p.Verdict != nil && p.Media != nil {
		return footy.ClipID(p.Media.Digest)
	}
	return p.ClipID
}

// search says what happened on the way from the search to the clip.
func search(r footy.Entry, names Names) string {
	d := r.Data
	switch r.Kind {
	case footy.EntryQuery:
		words, numbered := searched(r)
		if numbered {
			return fmt.Sprintf("Search %d %s", r.Try, words)
		}
		return words
	case footy.EntryCandidate:
		switch {
		case r.Reason != "":
			return Reason(r.Reason)
		case d.OfferedBy != "":
			return "Found for another moment of this match, whose minute it does not show"
		case d.CommentOf != "":
			return linkedIn(d)
		case d.TitleSays != nil:
			return "Taken for a closer look: on " + d.TitleSays.Source + " its title names " + TitleNames(*d.TitleSays)
		}
		return "Taken for a closer look"
	case footy.EntryRejected:
		if r.Reason == footy.ReasonDuplicate && r.ClipID != "" {
			return "The very same file as a clip we have; counts for its popularity"
		}
		if d.Old != nil {
			return oldFootage(*d.Old)
		}
		return detailed(Reason(r.Reason), r) + byClock(d) + readIn(r, names)
	case footy.EntryWaiting:
		return Wait(r.Reason)
	case footy.EntryVerdict:
		verdict := "Verified"
		if d.Outcome == string(footy.OutcomeUnverified) {
			verdict = "Accepted, moment not proven"
		}
		return detailed(verdict, r) + byClock(d) + readIn(r, names)
	case footy.EntryMerged, footy.EntryReplaced:
		return merged(d, names)
	case footy.EntryOperator:
		return Operator(r)
	case footy.EntryExtra:
		return extra(d)
	}
	return Reason(r.Reason)
}

// extra lists the values of an extra, under its name.
func extra(d footy.Evidence) string {
	said := make([]string, 0, len(d.Values))
	for _, name := range slices.Sorted(maps.Keys(d.Values)) {
		if v := d.Values[name]; v != "" {
			said = append(said, name+" "+v)
		}
	}
	return UpperFirst(d.By) + ": " + strings.Join(said, ", ")
}

// detailed adds the detail of a decision to its sentence, if people may read it. Details hold colons of their own.
func detailed(sentence string, r footy.Entry) string {
	if d := Public(r).Data.Detail; d != "" {
		return sentence + " (" + d + ")"
	}
	return sentence
}

// byClock says that a verdict rests on the running clock, and what a model had to do with it.
func byClock(d footy.Evidence) string {
	if d.Proof != footy.ProofClock || d.Running == nil || len(d.Running.Readings) == 0 {
		return ""
	}
	model := "no model was asked"
	if len(d.Readings) > 0 {
		model = "a model looked at the picture alone"
	}
	return fmt.Sprintf("; the running clock was read in %s%s; %s", d.Running.ReadIn(), besideClock(d), model)
}

// besideClock says which score stands beside the clock, and how it stands to the goal.
func besideClock(d footy.Evidence) string {
	if d.Running.Score == nil {
		return ""
	}
	return fmt.Sprintf(", score %d-%d beside it", d.Running.Score.Left, d.Running.Score.Right) + map[footy.ScoreFit]string{
		footy.ScoreFitsBefore: ", as before the goal",
		footy.ScoreFitsAfter:  ", as after the goal",
		footy.ScoreFitsThen:   ", as it was then",
		footy.ScoreFitsNot:    ", which was not the score then",
	}[d.ScoreFit]
}

// readIn says in which clip the model read what a verdict rests on, where it was not asked about this one.
func readIn(r footy.Entry, names Names) string {
	switch same := r.Data.SameAs; same {
	case "":
		return ""
	case r.ClipID:
		return "; the same file as a post that was looked at before"
	default:
		if names != nil && names(same) != "" && names(same) != names(r.ClipID) { // what was read stands behind this clip now
			return "; same footage as " + names(same)
		}
		return "; same footage as a post that was looked at before"
	}
}

// Searched says what came of a search, without its number.
func Searched(r footy.Entry) string {
	words, _ := searched(r)
	return words
}

// searched says what came of a search; numbered: its number stands before the words.
func searched(r footy.Entry) (words string, numbered bool) {
	if r.Reason != "" && !r.Data.Looked() {
		return Reason(r.Reason), false
	}
	words, numbered = outcome(r)
	if below := comments(r.Data.Comments); below != "" {
		words += "; " + below
	}
	if r.Reason != "" {
		words += ". " + Reason(r.Reason)
	}
	return words, numbered
}

func outcome(r footy.Entry) (words string, numbered bool) {
	state := r.Data.State
	if state == footy.SearchResults && r.Data.Found > 0 {
		return "found " + Plural(r.Data.Found, "post", "posts"), true
	}
	if words := made[state]; words != "" && (state != footy.SearchUpstreamError || r.Try > 0) { // else none was made
		return words, true
	}
	if why, remedy := blockedBy(string(state)); why != "" {
		return strings.TrimSuffix(UpperFirst(why)+"; waiting. "+remedy, ". "), false
	}
	return "ended: " + plain(footy.Reason(state)), true
}

// made says what came of a search that was made.
var made = map[footy.SearchState]string{
	footy.SearchResults: "found nothing", footy.SearchEmpty: "found nothing", footy.SearchUpstreamError: "failed: X answered with an error",
	footy.SearchTimeout: "failed: X did not answer in time",
}

func merged(d footy.Evidence, names Names) string {
	into := names.of(d.Into)
	how := into + " stands for it"
	if d.Better != "" {
		how = into + " is " + Merit(d.Better)
	}
	switch {
	case d.Compiled:
		return "Holds several moments; the part that belongs here is " + into
	case d.Match == nil:
		return "The same as another clip"
	case !d.Match.Same:
		return "Same footage as " + into + " through a third copy; " + how
	}
	return UpperFirst(Comparison(*d.Match)) + "; " + how
}

func who(name string) string { return person(&footy.Person{Name: name}) }

func person(p *footy.Person) string {
	if p == nil || !identity.Named(*p) {
		return "an unknown player"
	}
	return p.Name
}

func value(m *footy.Minute) footy.Minute {
	if m == nil {
		return footy.Minute{}
	}
	return *m
}

func minute(m *footy.Minute) string { return footy.MinuteLabel(value(m)) }

func tally(s *footy.Score) string {
	if s == nil {
		s = &footy.Score{}
	}
	return Tally(*s)
}

// Tally writes a score; a side that is not known is "?".
func Tally(s footy.Score) string { return Goals(s.Home) + "-" + Goals(s.Away) }

// Goals writes one side of a score.
func Goals(n *int) string {
	if n == nil {
		return "?"
	}
	return fmt.Sprint(*n)
}

// Public is a row as strangers see it, without the words of programs that failed: they name addresses and paths.
func Public(r footy.Entry) footy.Entry {
	if r.Kind == footy.EntryPollFailed {
		r.Data.Why = ""
	}
	if r.Data.Outcome == "" && !reasons[r.Reason].own {
		r.Data.Detail = ""
	}
	return r
}

// oldFootage says which match a post shows that shows none of this one.
func oldFootage(s footy.Seen) string {
	mirrored := ""
	if s.Match != nil && s.Match.Mirrored {
		mirrored = ", mirrored"
	}
	return fmt.Sprintf("Old footage: this is %s%s. We had it before this match began", Shown(s), mirrored)
}

// Shown names a match by its date, and the moment of it that a kept clip shows: "Arsenal - Chelsea of 3 May 2026 (Saka 67')".
func Shown(s footy.Seen) string {
	return fmt.Sprintf("%s - %s of %s (%s)", s.Home, s.Away, s.Kickoff.UTC().Format("2 January 2006"),
		footy.Label(footy.Event{Player: footy.Person{Name: s.Player}, Minute: s.Minute}))
}

// linkedIn says where a candidate comes from that no post showed, but a link in its comments.
func linkedIn(d footy.Evidence) string {
	post, link := "a post on Reddit", "a clip"
	if u, err := url.Parse(d.CommentOf); err == nil && strings.HasPrefix(u.Path, "/r/") {
		post = "r/" + strings.Split(u.Path, "/")[2] + "'s post"
	}
	if u, err := url.Parse(d.Link); err == nil {
		link = u.Host
	}
	return "From a comment of " + post + ", which links to " + link
}

// comments says how the comments of posts were read; "" if none were asked for.
func comments(all []footy.CommentsRead) string {
	read, links := 0, 0
	var why []string
	for _, r := range all {
		if r.Times > 0 {
			read, links = read+1, links+r.Links
		} else {
			why = append(why, plain(footy.Reason(r.Failed)))
		}
	}
	var parts []string
	if read > 0 {
		parts = append(parts, fmt.Sprintf("the comments of %s had %s", Plural(read, "post", "posts"), Plural(links, "link to a clip", "links to clips")))
	}
	if len(why) > 0 {
		parts = append(parts, fmt.Sprintf("the comments of %s could not be read (%s)", Plural(len(why), "post", "posts"), strings.Join(slices.Compact(why), ", ")))
	}
	return strings.Join(parts, "; ")
}

// TitleNames is what of a goal a title names: "Inter, who are Internazionale: the other team, score, scorer and minute agree".
func TitleNames(t footy.TitleEvidence) string {
	s := "this goal's " + join(t.Agrees)
	if t.Strange != "" {
		s = t.Strange + ", who are " + t.Team + ": the " + join(t.Agrees) + " agree"
	}
	if len(t.Differs) > 0 {
		s += ", and another " + join(t.Differs)
	}
	return s
}
