package round

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

// Begin opens a search round: at first certainty, for a corrected scorer, a restored goal, or because an operator asks. It mints the
// round's workflow id; afterwards the stored string is read. The Upload id is minted once for the event's whole life, because
// everything an event ever accepted is published by one serialised workflow.
func Begin(e *footy.Event, now time.Time) {
	was := e.Round
	e.Round = footy.Round{Number: was.Number + 1, OpenedAt: now, Scorer: e.Player.Name, EventID: e.ID, Before: was.TakenUpBy}
	e.Round.Before = cmp.Or(e.Round.Before, was.Before)
	e.Round.Workflow = searchID(*e)
	e.DownloadComplete, e.CompletedAt = false, time.Time{}
	e.UploadWorkflow = cmp.Or(e.UploadWorkflow, cleanID("upload-"+e.ID))
}

// RestartSearch mints the next generation of a search that is gone: Monitor starts it as it starts a new one.
func RestartSearch(e *footy.Event) {
	r := &e.Round
	r.Generation, r.TakenUpBy = r.Generation+1, "" // Before stays: only a round that was taken up has none
	r.Workflow = searchID(*e)
}

// DownloadID names the Download of a search of the present round.
func DownloadID(e footy.Event, try int) string {
	id := cleanID(fmt.Sprintf("download%d-%s-%s-%s", try, names.OneWord(e.Team.Name), names.Family(e.Round.Scorer), e.Round.EventID) + roundSuffix(e.Round))
	return footy.Generation(id, e.Round.Generation)
}

// RetryID gives out the id of a Download of posts that are tried again, or that a sibling goal offers an event that is not certain yet.
func RetryID(e *footy.Event) string {
	e.Retries++
	return cleanID(fmt.Sprintf("download-again%d-%s", e.Retries, strings.TrimPrefix(cmp.Or(e.UploadWorkflow, e.ID), "upload-")))
}

// SearchesFor reports whether the present round searches for the present scorer.
func SearchesFor(e footy.Event) bool {
	return e.Round.EventID == e.ID && names.Family(e.Round.Scorer) == names.Family(e.Player.Name)
}

func searchID(e footy.Event) string {
	minute := fmt.Sprintf("%dmin", e.Minute.Elapsed)
	if e.Minute.Extra > 0 {
		minute = fmt.Sprintf("%d+%dmin", e.Minute.Elapsed, e.Minute.Extra)
	}
	id := cleanID("twitter-" + names.OneWord(e.Team.Name) + "-" + names.Family(e.Round.Scorer) + "-" + minute + "-" + e.Round.EventID)
	return footy.Generation(id+roundSuffix(e.Round), e.Round.Generation)
}

func roundSuffix(r footy.Round) string {
	if r.Number > 1 {
		return fmt.Sprintf("-r%d", r.Number)
	}
	return ""
}

// cleanID drops what must not stand in a workflow id: ids are typed on command lines and stand in URLs.
func cleanID(id string) string {
	return strings.Map(func(r rune) rune {
		if names.Plain(r) || r == '_' || r == '+' || r == '-' {
			return r
		}
		return -1
	}, id)
}

// MostAhead bounds the searches for an event whose scorer nobody names for an hour: the first of its round finds what came later.
const MostAhead = 10

// Ahead reports whether posts of an event are searched for because a poll saw it that did not make it certain; n is which sighting that is.
// Of an event that is caught up nobody waits for a clip.
func Ahead(e *footy.Event, poll string) (n int, ok bool) {
	n = len(e.Votes)
	return n, n > 0 && n <= MostAhead && e.Votes[n-1] == poll && !e.Certain() && e.Standing() && !e.CaughtUp
}

// AheadID names the workflow of the search at an event's n-th sighting.
func AheadID(e footy.Event, n int) string { return cleanID(fmt.Sprintf("ahead%d-%s", n, e.ID)) }
