package story

import (
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/ledger"
)

// awaited is what a post waits for, as the end of "waits for ..."; several causes can mean the same thing.
var awaited = map[footy.Reason]string{
	footy.ReasonStorage: "the clip storage", footy.ReasonFetchFailed: "another try", footy.ReasonFetchResting: "X",
	footy.ReasonNoModel: "a vision model", footy.ReasonModelUnreachable: "the vision model", footy.ReasonModelBlind: "the vision model",
	footy.ReasonModelContext: "the vision model", footy.ReasonModelJunk: "the vision model", footy.ReasonModelSlow: "the vision model",
	footy.ReasonMachine: "this machine", footy.ReasonDeleted: "a second look", footy.ReasonGeoBlocked: "a second look",
	footy.ReasonTruncated: "a second look", footy.ReasonStalled: "a second look",
}

// WaitsFor says what the posts in trouble wait for: "wait: 2 for the vision model, 1 for the clip storage".
func WaitsFor(posts []footy.Post) string {
	var order []string
	count, n := map[string]int{}, 0
	for _, b := range ledger.Backlogs(posts) {
		what := awaited[b.Cause]
		if what == "" {
			what = "something else"
		}
		if count[what] == 0 {
			order = append(order, what)
		}
		count[what] += len(b.Posts)
		n += len(b.Posts)
	}
	if len(order) == 1 && n == 1 {
		return "waits for " + order[0]
	}
	if len(order) == 1 {
		return "wait for " + order[0]
	}
	for i, what := range order {
		order[i] = fmt.Sprintf("%d for %s", count[what], what)
	}
	return "wait: " + strings.Join(order, ", ")
}

// Wait is what a post waits for at present, as the ledger has it.
type Wait struct {
	Since, NextTry time.Time
	Tries          int
	Trying         bool // the next try is under way
}

// doing says what is being done with a post that met no trouble.
var doing = map[footy.PostState]string{
	footy.PostOffered: "Will be fetched now", footy.PostFetching: "Is being fetched", footy.PostFetched: "Fetched; it is being checked",
	footy.PostJudged: "Accepted; it is being stored",
}

// atPresent corrects what the log tells of a post by the ledger: rows tell when a trouble began, and not that it goes on.
func (p *Post) atPresent(r footy.Post) {
	switch {
	case ledger.InTrouble(r):
		p.waits(r.Reason)
		p.Wait = &Wait{Since: r.WaitingSince, NextTry: r.NextTry, Tries: r.Tries, Trying: r.State != footy.PostWaiting}
	case p.Fate == Waiting && doing[r.State] != "":
		p.Fate, p.Label, p.Tone, p.Sentence, p.Reason = Checking, "being checked", Plain, doing[r.State], ""
	}
}

func (p *Post) waits(cause footy.Reason) {
	p.Fate, p.Label, p.Tone, p.Sentence, p.Reason = Waiting, "waits", Warn, footy.ExplainWait(cause), cause
}
