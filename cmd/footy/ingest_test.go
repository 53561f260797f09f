package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
)

func TestIngestNamesWhatDoesNotExist(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	kickoff := time.Date(2026, 11, 22, 15, 0, 0, 0, time.UTC)
	require.NoError(t, printNamed(&out, []ingest.Named{
		{ID: 1, Match: "Arsenal - Chelsea", Stage: footy.StageStaging, Kickoff: kickoff},
		{ID: 2, Match: "Lyon - Nice", Stage: footy.StageActive},
		{ID: 3, Match: "Roma - Lazio", Stage: footy.StageCompleted, Known: true, Expired: true},
	}, 14))
	require.Equal(t, `1  Arsenal - Chelsea: waits for its kickoff, 22 November 15:00 UTC
2  Lyon - Nice: is followed now
3  Roma - Lazio: is over, and nothing of it is left to find; it is older than RETENTION_DAYS=14 and is deleted with the next daily ingest
`, out.String())
	err := printNamed(&out, []ingest.Named{{ID: 2, Match: "Lyon - Nice", Stage: footy.StageActive}, {ID: 98, Absent: true}, {ID: 99, Absent: true}, {ID: 7, Failed: "no events list"}}, 14)
	require.EqualError(t, err, "ingest: not_found: the feed has no fixture 98, 99; the feed's answer cannot be used for fixture 7 (no events list): try again in a minute")
	require.ErrorContains(t, ingestCmd{IDs: []int64{0}}.Run(t.Context()), "fixture 0: ids are 1 or more")
}

func TestIngestTellsWhichDaysCouldNotBeListed(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, printLists(&out, ingest.Output{Days: 2, Fixtures: 13, Known: 12, Beyond: []string{"2026-11-23"}}))
	require.Equal(t, "2 days listed: 13 matches are followed, 1 of them is new\nnot listed by your plan: 2026-11-23; each is listed when its day comes near\n", out.String())
	require.Equal(t, exit(1), printLists(&out, ingest.Output{Days: 1, Failed: []string{"2026-11-22: HTTP 500"}}))
	require.Contains(t, out.String(), "not listed: 2026-11-22: HTTP 500")
}
