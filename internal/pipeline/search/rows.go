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
	return footy.Entry{
		Key: fmt.Sprintf("%s/query/r%d/%02d", e.UID, e.Round, in.Try), FixtureID: fixture, EventUID: e.UID, At: now,
		Kind: footy.EntryQuery, Try: in.Try,
		Data: footy.Evidence{Query: q.Text, State: res.State, Found: len(res.Candidates), Calls: res.CallsUsed,
			Since: q.Since.UTC().Truncate(time.Second), RetryAfter: res.RetryAfter.Seconds(), Detail: res.Detail, Round: e.Round},
	}
}

// takeRows tell what became of the posts of a search.
func takeRows(fixture int64, e *footy.Event, in SearchInput, chosen, passed []footy.Candidate, now time.Time) []footy.Entry {
	rows := make([]footy.Entry, 0, len(chosen)+len(passed))
	for _, c := range chosen {
		rows = append(rows, candidateRow(fixture, e, in, c, footy.ReasonNone, now))
	}
	for _, c := range passed {
		rows = append(rows, candidateRow(fixture, e, in, c, footy.ReasonNotChosen, now))
	}
	return rows
}

func candidateRow(fixture int64, e *footy.Event, in SearchInput, c footy.Candidate, why footy.Reason, now time.Time) footy.Entry {
	key := fmt.Sprintf("%s/candidate/%s", e.UID, c.PostID)
	if why != "" {
		key += "/" + string(why)
	}
	return footy.Entry{
		Key: key, FixtureID: fixture, EventUID: e.UID, At: now, Kind: footy.EntryCandidate, Reason: why,
		PostID: c.PostID, Try: in.Try,
		Data: footy.PostEvidence(c),
	}
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
