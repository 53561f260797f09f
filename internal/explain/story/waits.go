package story

import (
	"time"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/ledger"
)

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
	case p.Outcome == Waiting && doing[r.State] != "":
		p.Outcome, p.Label, p.Tone, p.Sentence, p.Reason = Checking, "being checked", ToneNeutral, doing[r.State], ""
	}
}

func (p *Post) waits(cause footy.Reason) {
	p.Outcome, p.Label, p.Tone, p.Sentence, p.Reason = Waiting, "waits", ToneWarn, explain.Wait(cause), cause
}
