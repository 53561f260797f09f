package inspect

import (
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/posting"
)

// PostingAnswer is what each channel and account would do about a goal now.
type PostingAnswer struct {
	OfGoal
	Targets []PostingNow `json:"targets"`
}

// PostingNow is what one channel or account would do.
type PostingNow struct {
	Service  string       `json:"service"`
	Target   string       `json:"target"` // names the channel or account without its secret
	Step     string       `json:"step"`   // create, resolve, edit, delete, watch; "": nothing
	Why      posting.Idle `json:"why,omitempty"`
	Says     string       `json:"says"`
	Standing string       `json:"standing"` // how our post stands there
	URL      string       `json:"url,omitempty"`
	NextTry  time.Time    `json:"next_try,omitzero"`
	Text     string       `json:"text"`
	Clip     string       `json:"clip"`
}

var postingWords = map[string]string{
	"create": "it would be posted now", "resolve": "it would be looked up whether the last try posted it", "edit": "its post would be changed",
	"delete": "its post would be deleted", "watch": "it would be looked up whether people see its video",
}

var idleWords = map[posting.Idle]string{
	posting.IdleNotChosen: "it is not chosen by POST_KINDS, POST_TEAMS or POST_LEAGUES, or was scored before a backup was restored", posting.IdleGoal: "it is not certain yet, or was removed",
	posting.IdleClip: "it has no clip of the kind that POST_WHEN asks for", posting.IdleOld: "it was scored too long ago, or before this was set up",
	posting.IdleRefused: "the service refused this very post", posting.IdleLater: "the next step comes later", posting.IdleDone: "its post stays as it is",
}

// Posting puts the previews of a goal into an answer.
func Posting(g Goal, previews []posting.Preview, now time.Time) PostingAnswer {
	out := PostingAnswer{OfGoal: g.of(now), Targets: []PostingNow{}}
	for _, p := range previews {
		n := PostingNow{Service: p.Service, Target: p.Target, Step: p.Step, Why: p.Why, Says: postingWords[p.Step], Standing: explain.Posting(p.Was), URL: p.Was.URL,
			NextTry: p.Was.NextTry, Text: p.Text, Clip: p.Clip}
		if p.Step == "" {
			n.Says = "nothing: " + idleWords[p.Why]
		}
		out.Targets = append(out.Targets, n)
	}
	return out
}

// String tells people.
func (a PostingAnswer) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", a.Goal)
	for _, t := range a.Targets {
		fmt.Fprintf(&b, "%s (%s): %s\n  so far: %s\n", t.Service, t.Target, t.Says, strings.TrimSpace(t.Standing+" "+t.URL))
		if t.NextTry.After(a.At) {
			fmt.Fprintf(&b, "  not before: %s\n", clockText(t.NextTry))
		}
		fmt.Fprintf(&b, "  text: %s\n", strings.ReplaceAll(t.Text, "\n", "\n        "))
		if t.Clip != "" {
			fmt.Fprintf(&b, "  clip: %s\n", t.Clip)
		}
	}
	return b.String()
}
