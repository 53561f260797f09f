package explain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source/x/xapi/bill"
	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/identity"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
)

// Names says what people call a clip now: "clip 2"; "" for one that nobody can see.
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
	return cmp.Or(match(r), event(r), search(r, names))
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

// match says what happened to a fixture.
func match(r footy.Entry) string {
	d := r.Data
	switch r.Kind {
	case footy.EntryActivated:
		switch {
		case r.Reason == lifecycle.ReasonPreActivation:
			return "Kickoff is near: polled every cycle from now on."
		case r.Reason == lifecycle.ReasonNamed:
			return "Named by an operator after its end: its goals are looked for."
		case d.Again:
			return "The match is reported live again."
		}
		return "The match is reported live."
	case footy.EntryRescheduled:
		switch r.Reason {
		case lifecycle.ReasonPostponed:
			return "Postponed without a new date: asked rarely from now on."
		case lifecycle.ReasonNeverBegan:
			return "It never began and nobody says why: asked rarely from now on."
		}
		return "The match has a new date: " + d.Kickoff.UTC().Format("2 January 2006 15:04 UTC")
	case footy.EntryCompleted:
		switch {
		case r.EventUID != "":
			return completed(d)
		case r.Reason == lifecycle.ReasonGraceOver:
			return fmt.Sprintf("The match is over (%s); the grace ended with open searches: %d, goals the feed never listed: %d.", d.Status, d.Open, d.Unlisted)
		case d.Complete:
			return "The match is over (" + d.Status + ") and every event is complete."
		}
		return "The match is over (" + d.Status + ")."
	case footy.EntryPollFailed:
		return "The feed gave no answer to trust; nothing is decided until it does"
	case footy.EntryDistrusted:
		return "The feed contradicts itself; until it stops, nothing is removed or corrected: " + d.Why
	case footy.EntryCut:
		return fmt.Sprintf("The feed lists more events than any match ever had: %d are kept, those beyond (%d) are left out", d.Of, d.Unlisted)
	case footy.EntryTrusted:
		return "The feed's answers can be believed again, after " + Span(time.Duration(d.Lasted*float64(time.Second)))
	}
	return ""
}

// event says what was decided about an event.
func event(r footy.Entry) string {
	d := r.Data
	switch r.Kind {
	case footy.EntryNew:
		return fmt.Sprintf("%s reported: %s (%s), %s.", UpperFirst(d.What.Info().One), who(d.Player), d.Team, minute(d.Time))
	case footy.EntrySighting:
		return sighting(r)
	case footy.EntryCertain:
		if d.Time == nil {
			return "Certain."
		}
		return fmt.Sprintf("Certain: %s, %s. The search starts.", who(d.Player), minute(d.Time))
	case footy.EntryRenamed, footy.EntryChanged:
		return changed(r)
	case footy.EntryAbsence:
		s := fmt.Sprintf("Missing from the answer (%d of %d)", d.Absences, d.Of)
		if d.What.Scores() {
			s += ", and the score " + tally(d.Score) + " does not need it"
		}
		return s + "."
	case footy.EntryWithheld:
		return withheld(r)
	case footy.EntryRemoved:
		switch {
		case r.Reason == footy.ReasonPlaceholder:
			return "A goal without a scorer that was never confirmed is gone."
		case d.What == "":
			return "It no longer stands: hidden."
		case !d.What.Scores():
			return fmt.Sprintf("%s of %s no longer stands: hidden.", UpperFirst(d.What.Info().One), who(d.Player))
		}
		return fmt.Sprintf("Goal by %s no longer stands (score %s): hidden.", who(d.Player), tally(d.Score))
	case footy.EntryRestored:
		return "Listed again after it had been removed: it stands, with everything found before."
	}
	return ""
}

func sighting(r footy.Entry) string {
	d := r.Data
	switch {
	case r.Reason == debounce.ReasonNotCounted:
		return fmt.Sprintf("Seen in %d polls, but the score %s does not count it yet: the search waits until it does.", d.Votes, tally(d.Score))
	case d.Votes == 0:
		return "Listed again with " + who(d.Player) + "."
	case d.Votes >= d.Of && d.Player == "":
		return fmt.Sprintf("Seen %d times; the scorer is not named yet.", d.Votes)
	case d.Votes >= d.Of && d.Named < 2:
		return fmt.Sprintf("Seen %d times; the scorer must be named twice in a row.", d.Votes)
	case d.Votes > d.Of:
		return fmt.Sprintf("Seen in %d polls, %d are needed.", d.Votes, d.Of)
	}
	return fmt.Sprintf("Seen in %d of %d polls.", d.Votes, d.Of)
}

func changed(r footy.Entry) string {
	d := r.Data
	switch r.Reason {
	case debounce.ReasonNewRound:
		return fmt.Sprintf("The scorer is confirmed as %s: the search starts anew (round %d).", who(d.Player), d.Round)
	case debounce.ReasonClockAhead:
		if d.Round == 0 {
			return "It was seen while a clock was ahead: its time is put right."
		}
		return fmt.Sprintf("It was seen or searched for while a clock was ahead: that is put right, and the search starts anew (round %d).", d.Round)
	case debounce.ReasonIdentified:
		return "The scorer is known: " + person(d.To) + "."
	case debounce.ReasonNumbered:
		return "The feed gave " + person(d.To) + " a number."
	case debounce.ReasonSpelling:
		return "The feed writes " + person(d.To) + " now."
	case debounce.ReasonCorrected:
		return fmt.Sprintf("The scorer is %s, not %s.", person(d.To), person(d.From))
	case debounce.ReasonMinute:
		return "The minute is " + minute(d.Time) + " now, it was " + minute(d.Before) + "."
	case debounce.ReasonDetail:
		return "It is listed as " + d.Listed + " now, it was " + d.Was + "."
	case debounce.ReasonAssist:
		return "Assist: " + person(d.To) + "."
	}
	return ""
}

func withheld(r footy.Entry) string {
	score := r.Data.Score
	switch {
	case r.Reason == footy.ReasonAnomaly:
		return "Missing from the answer, but the whole answer contradicts what is known: not believed."
	case r.Reason == footy.ReasonKept:
		return "Missing from the answer, but an operator says that it stands: not believed."
	case r.Reason == debounce.ReasonEmptyList:
		return "Missing from an answer that lists nothing at all, although its score is " + tally(score) + ": not believed."
	case r.Reason == debounce.ReasonNotBegun:
		return "Missing from an answer that says the match has not begun: not believed."
	case score == nil || !score.Known():
		return "Missing from an answer that gives no score: not believed."
	}
	return "Missing from the answer, but its score " + tally(score) + " still counts it: not believed."
}

// search says what happened on the way from the search to the clip.
func search(r footy.Entry, names Names) string {
	d := r.Data
	switch r.Kind {
	case footy.EntrySearching:
		s := "Searching for clips of " + footy.Label(footy.Event{Player: footy.Person{Name: d.Player}, Minute: value(d.Time)})
		if d.Round > 1 {
			s += fmt.Sprintf(" (round %d)", d.Round)
		}
		return s
	case footy.EntryAhead:
		return ahead(d)
	case footy.EntryQuery:
		switch {
		case r.Reason == "":
			return query(r)
		case r.Data.Looked():
			return query(r) + ". " + Reason(r.Reason)
		}
		return Reason(r.Reason)
	case footy.EntryCandidate:
		switch {
		case r.Reason == footy.ReasonNotChosen:
			return "Passed over this time: longer ones came first"
		case r.Reason != "":
			return Reason(r.Reason)
		case d.OfferedBy != "":
			return "Found for another moment of this match, whose minute it does not show"
		case d.TitleSays != nil:
			return titleSays(*d.TitleSays)
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
	case footy.EntryClip:
		if d.Returned {
			return "A clip of its own again: no better copy is known"
		}
		return fmt.Sprintf("New clip, %.1f s, %dx%d", d.Duration, d.Width, d.Height)
	case footy.EntryFirstClip:
		return FirstClip(d.Stages)
	case footy.EntryMerged, footy.EntryReplaced:
		return merged(d, names)
	case footy.EntryOperator:
		return Operator(r)
	case footy.EntryExtra:
		return extra(d)
	}
	return Reason(r.Reason)
}

// extra lists what an extra tells, under its name.
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

func query(r footy.Entry) string {
	switch r.Data.State {
	case footy.SearchResults:
		if r.Data.Found > 0 {
			return fmt.Sprintf("Search %d found %s", r.Try, Plural(r.Data.Found, "post", "posts"))
		}
		fallthrough
	case footy.SearchEmpty:
		return fmt.Sprintf("Search %d found nothing", r.Try)
	case footy.SearchRateLimited:
		return "X allows no search now; waiting"
	case footy.SearchLoginRequired:
		return "X wants a login; waiting for one"
	case footy.SearchUnreachable:
		return "The search service cannot be reached; waiting for it"
	case footy.SearchBusy:
		return "Every account is busy with other goals; waiting"
	case footy.SearchUpstreamError:
		if r.Try == 0 { // none was made
			return "Whether X accepts the login could not be checked; waiting"
		}
		return fmt.Sprintf("Search %d failed: X answered with an error", r.Try)
	case footy.SearchTimeout:
		return fmt.Sprintf("Search %d failed: X did not answer in time", r.Try)
	case footy.SearchNoCredits, footy.SearchMonthlyCap, footy.SearchDayCap:
		fault, remedy := bill.Words(r.Data.State, bill.SearchCap)
		return UpperFirst(fault) + "; waiting. " + remedy
	}
	return fmt.Sprintf("Search %d: %s", r.Try, plain(footy.Reason(r.Data.State)))
}

// ahead says what a search found that was made before its event is certain.
func ahead(d footy.Evidence) string {
	s := "Searched before it is certain"
	switch {
	case d.Found > 0:
		return s + ": " + Plural(d.Found, "post", "posts") + " found"
	case d.Looked():
		return s + ": nothing found"
	case d.State == footy.SearchNotNow:
		return s + "; nothing found yet, and X was not asked, to save its calls"
	}
	return s + ", and nobody could look: " + plain(footy.Reason(d.State))
}

func completed(d footy.Evidence) string {
	s := fmt.Sprintf("Complete: %d clips kept", d.Clips)
	switch d.Clips {
	case 1:
		s = "Complete: one clip kept"
	case 0:
		s = "Complete without a clip"
	}
	if lost := footy.ParseRoundOutcome(d.Outcome).Lost; lost != "" {
		s += ": " + lowerFirst(Reason(lost))
	}
	return s
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
func Tally(s footy.Score) string { return side(s.Home) + "-" + side(s.Away) }

func side(n *int) string {
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
