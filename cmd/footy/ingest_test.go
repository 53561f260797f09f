package main

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port/command"
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
	err := printNamed(&out, []ingest.Named{{ID: 2, Match: "Lyon - Nice", Stage: footy.StageActive}, {ID: 98, Absent: true}, {ID: 99, Absent: true},
		{ID: 7, Failed: "no events list"}, {ID: 8, Failed: "HTTP 503"}, {ID: 9, Failed: "HTTP 503"}}, 14)
	require.EqualError(t, err, "not_found: the feed has no fixture 98, 99; could not be had: 7 (no events list); name them again later; could not be had: 8, 9 (HTTP 503); name them again later")
}

func TestIngestSaysWhatAnIDLooksLike(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"abc", "0", "-5", "12x", "1208021.5", "99999999999999999999"} {
		_, err := fixtureIDs([]string{"1208021", word})
		require.EqualError(t, err, fmt.Sprintf("invalid: %q is no fixture id: that is a whole number like 1208021, with which the address of a match at api-football.com ends; nothing was fetched", word))
	}
	ids, err := fixtureIDs([]string{"7,5", "9", "5, 6"})
	require.NoError(t, err)
	require.Equal(t, []int64{5, 6, 7, 9}, ids)
}

func TestIngestTellsWhichDaysCouldNotBeListed(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, printLists(&out, ingest.Output{Days: 2, Fixtures: 13, Known: 12, Beyond: []string{"2026-11-23"}}))
	require.Equal(t, "2 days listed: 13 matches are followed, 1 of them is new\nnot listed by your plan: 2026-11-23; each is listed when its day comes near\n", out.String())
	out.Reset()
	require.Equal(t, command.Exit(1), printLists(&out, ingest.Output{Days: 1, Failed: []string{"2026-11-22: HTTP 500", "2026-11-23: HTTP 403"}}))
	require.Equal(t, "1 day listed: 0 matches are followed, 0 of them are new\nnot listed: 2026-11-22: HTTP 500\nnot listed: 2026-11-23: HTTP 403\n"+
		"→ footy doctor says what is wrong with the feed and what to do; footy ingest asks again, and today's list is asked for every hour\n", out.String())
	require.ErrorContains(t, orDoctor(footy.Errorf(footy.CodeUnavailable, "ingest", "it took too long"), config.Feed{Key: "k"}), "ingest: it took too long; footy doctor says")
	require.ErrorContains(t, orDoctor(footy.Errorf(footy.CodeAuthRequired, "ingest", "no"), config.Feed{Key: "k"}), "check API_FOOTBALL_KEY")
}
