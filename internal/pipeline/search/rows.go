package search

import (
	"context"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/source"
	"go.temporal.io/sdk/activity"
)

func queryRow(fixture int64, e *footy.Event, in SearchInput, q source.Query, res source.Result, now time.Time) footy.Entry {
	text := map[source.State]string{
		source.StateResults:       fmt.Sprintf("Search %d found %s", in.Number, posts(len(res.Candidates))),
		source.StateEmpty:         fmt.Sprintf("Search %d found nothing", in.Number),
		source.StateRateLimited:   "X allows no search now; waiting",
		source.StateLoginRequired: "X wants a login; waiting for one",
		Unreachable:               "The search service cannot be reached; waiting for it",
		source.StateUpstreamError: fmt.Sprintf("Search %d failed: X answered with an error", in.Number),
		source.StateTimeout:       fmt.Sprintf("Search %d failed: X did not answer in time", in.Number),
	}[res.State]
	return footy.Entry{
		Key: fmt.Sprintf("%s/query/r%d/%02d", e.UID, e.Round, in.Number), FixtureID: fixture, EventUID: e.UID, At: now,
		Kind: footy.EntryQuery, Attempt: in.Number, Text: text,
		Data: map[string]any{"query": q.Text, "state": string(res.State), "found": len(res.Candidates), "calls": res.CallsUsed,
			"since": q.Since.UTC().Format(time.RFC3339), "retry_after_s": res.RetryAfter.Seconds(), "detail": res.Detail, "round": e.Round},
	}
}

func posts(n int) string {
	if n == 1 {
		return "1 post"
	}
	return fmt.Sprintf("%d posts", n)
}

// takeRows tell what became of the posts of a search.
func takeRows(fixture int64, e *footy.Event, in SearchInput, chosen, passed []footy.Candidate, now time.Time) []footy.Entry {
	rows := make([]footy.Entry, 0, len(chosen)+len(passed))
	for _, c := range chosen {
		rows = append(rows, candidateRow(fixture, e, in, c, footy.ReasonNone, "Taken for a closer look", now))
	}
	for _, c := range passed {
		rows = append(rows, candidateRow(fixture, e, in, c, footy.ReasonNotChosen, "Passed over this time: longer ones came first", now))
	}
	return rows
}

func candidateRow(fixture int64, e *footy.Event, in SearchInput, c footy.Candidate, why footy.Reason, text string, now time.Time) footy.Entry {
	key := fmt.Sprintf("%s/candidate/%s", e.UID, c.PostID)
	if why != "" {
		key += "/" + string(why)
	}
	return footy.Entry{
		Key: key, FixtureID: fixture, EventUID: e.UID, At: now, Kind: footy.EntryCandidate, Reason: why, Text: text,
		PostID: c.PostID, Attempt: in.Number,
		Data: map[string]any{"url": c.URL, "author": c.Author, "text": c.Text, "posted_at": c.PostedAt.UTC().Format(time.RFC3339),
			"duration_ms": c.DurationMS, "offered_by": c.OfferedBy},
	}
}

// national tells whether a competition is played by countries.
func national(l footy.League) bool { return l.Country == "World" && footy.NationalCompetition(l.Name) }

func label(f *footy.Fixture, e *footy.Event) string {
	return fmt.Sprintf("%s - %s: %s", f.Teams.Home.Name, f.Teams.Away.Name, footy.Label(*e))
}

// heartbeat beats while a search runs; the returned func stops it.
func heartbeat(ctx context.Context) (stop func()) {
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(5 * time.Second)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				activity.RecordHeartbeat(ctx)
			}
		}
	}()
	return func() { close(done) }
}
