package check_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// TestACorruptDatabaseIsDownUntilAnOperatorActs: its schema could be read, so the part was ok.
func TestACorruptDatabaseIsDownUntilAnOperatorActs(t *testing.T) {
	t.Parallel()
	c := kept(t, "", nil, func(a *app.App) {
		for id := range int64(100) {
			require.NoError(t, a.Store.Add(t.Context(), footy.Fixture{ID: id + 1, Stage: footy.StageCompleted,
				Match: footy.Match{Kickoff: time.Unix(3600*id, 0), Venue: fmt.Sprintf("venue-%d-", id+1) + strings.Repeat("v", 500)}}))
		}
	})
	path := filepath.Join(c.State.Dir, "footy.db")
	body, err := os.ReadFile(path)
	require.NoError(t, err)
	at := bytes.Index(body, []byte(`"venue-50-`)) / 4096 * 4096
	require.Positive(t, at)
	copy(body[at:at+4096], bytes.Repeat([]byte{0xa5}, 4096))
	require.NoError(t, os.WriteFile(path, body, 0o600))

	f := examined(t, c, "state")
	require.Equal(t, health.StateDown, f.State, "doctor has the database check itself")
	require.True(t, f.Required)
	a := opened(t, c)
	look := func() health.Part {
		return part(check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source}).Look(t.Context()), health.Database)
	}
	_, err = a.Store.List(t.Context(), store.FixtureQuery{}) // a reader meets it
	require.ErrorContains(t, err, path, "the log has the path")
	for range 2 {
		p := look()
		require.Equal(t, health.StateDown, p.State)
		require.Contains(t, p.Reason, "the database is corrupt: database disk image is malformed")
		require.NotContains(t, p.Reason, path)
		require.Contains(t, p.Remedy, "footy restore DIR --force")
	}
}
