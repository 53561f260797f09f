package round

import (
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/query"
)

// Mint makes the workflow ids of an event's present round. It is called when the event becomes certain or opens a
// round and by nobody else: afterwards the stored strings are read. The Upload id is minted once for the whole life,
// because everything an event ever accepted is published by one serialised workflow.
func Mint(e *footy.Event) {
	e.TwitterWorkflow = searchID(*e)
	if e.Round > 1 {
		e.TwitterWorkflow += fmt.Sprintf("-r%d", e.Round)
	}
	e.TwitterWorkflow = footy.Generation(e.TwitterWorkflow, e.SearchRestarts)
	if e.UploadWorkflow == "" {
		e.UploadWorkflow = cleanID("upload-" + e.ID)
	}
}

// RestartSearch mints the next generation of a search that died: Monitor starts it as it starts a new one.
func RestartSearch(e *footy.Event) {
	e.SearchRestarts++
	e.SearchTakenUp = false
	e.TwitterWorkflow = footy.Generation(strings.TrimSuffix(e.TwitterWorkflow, fmt.Sprintf("-g%d", e.SearchRestarts)), e.SearchRestarts)
}

// DownloadID names the n-th batch of an event. It is built from stored ids alone, so that a corrected scorer renames
// nothing that was minted.
func DownloadID(e footy.Event, n int) string {
	team, who := oneWord(e.Team.Name), familyName(e.Player.Name)
	if parts := strings.Split(e.TwitterWorkflow, "-"); len(parts) > 3 {
		team, who = parts[1], parts[2]
	}
	first := strings.TrimPrefix(e.UploadWorkflow, "upload-")
	if first == "" {
		first = e.ID
	}
	return cleanID(fmt.Sprintf("download%d-%s-%s-%s", n, team, who, first))
}

// SearchesFor reports whether the present round already searches for the present scorer.
func SearchesFor(e footy.Event) bool {
	id := cleanID(e.ID)
	return e.TwitterWorkflow != "" &&
		strings.Contains(e.TwitterWorkflow, "-"+familyName(e.Player.Name)+"-") &&
		(strings.HasSuffix(e.TwitterWorkflow, "-"+id) || strings.Contains(e.TwitterWorkflow, "-"+id+"-r") || strings.Contains(e.TwitterWorkflow, "-"+id+"-g"))
}

func searchID(e footy.Event) string {
	minute := fmt.Sprintf("%dmin", e.Minute.Elapsed)
	if e.Minute.Extra > 0 {
		minute = fmt.Sprintf("%d+%dmin", e.Minute.Elapsed, e.Minute.Extra)
	}
	return cleanID("twitter-" + oneWord(e.Team.Name) + "-" + familyName(e.Player.Name) + "-" + minute + "-" + e.ID)
}

// oneWord writes a team's name as one word.
func oneWord(name string) string {
	s := strings.Join(strings.FieldsFunc(query.Romanise(name), func(r rune) bool { return !idRune(r) }), "_")
	if s == "" {
		return "Team"
	}
	return s
}

// familyName is the last word of a name that is no generational suffix.
func familyName(name string) string {
	words := strings.FieldsFunc(query.Romanise(name), func(r rune) bool { return !idRune(r) })
	for len(words) > 1 && query.Suffix(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return "Unknown"
	}
	return words[len(words)-1]
}

func idRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// cleanID drops what must not stand in a workflow id: ids are typed on command lines and stand in URLs.
func cleanID(id string) string {
	return strings.Map(func(r rune) rune {
		if idRune(r) || r == '_' || r == '+' || r == '-' {
			return r
		}
		return -1
	}, id)
}

// Begin starts a search round: at first certainty, for a corrected scorer, a restored goal, or because an operator asks.
// What was found stays; what counts searches begins anew. Settled batches stay listed, so that a late signal of an
// earlier round is still known.
func Begin(e *footy.Event, now time.Time) {
	e.Round++
	e.RoundOpenedAt = now
	e.SearchTakenUp = false // SearchedBy stays: a search that still runs is told of the new round, never doubled
	e.DownloadComplete, e.CompletedAt, e.Outcome = false, time.Time{}, footy.RoundOutcome{}
	e.SearchEndedAt, e.SearchEnd = time.Time{}, ""
	e.Tries, e.SearchRestarts, e.RegisteredBatches = 0, 0, nil
	e.SearchedAt, e.BlockedSince, e.BlockedBy, e.Blocked = time.Time{}, time.Time{}, "", 0
	Mint(e)
}
