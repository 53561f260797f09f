package search

import (
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

func queryRow(fixture int64, e *footy.Event, in SearchInput, q source.Query, res source.Result, now time.Time) footy.Entry {
	return footy.Entry{
		Key: fmt.Sprintf("%s/query/r%d/%02d", e.UID, in.Round, in.Try), FixtureID: fixture, EventUID: e.UID, At: now,
		Kind: footy.EntryQuery, Try: in.Try, Reason: res.Reason,
		Data: footy.Evidence{Query: q.Text, State: res.State, Found: len(res.Candidates), Calls: res.CallsUsed,
			Since: q.Since.UTC().Truncate(time.Second), RetryAfter: res.RetryAfter.Seconds(), Detail: res.Detail, Round: in.Round},
	}
}
