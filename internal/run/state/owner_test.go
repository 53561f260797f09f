package state_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/blobtest"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store/storetest"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/tools/devtest"
)

// full is a state in which a match has clips, staged bytes and a reel.
func full(t *testing.T, c config.Config) state.State {
	t.Helper()
	s := opened(t, c)
	storetest.AddMatchWithClips(t, s.Store, s.Blob)
	return s
}

// clean deletes all that has had its time, days from now; the feed bears the date out.
func clean(t *testing.T, s state.State) {
	t.Helper()
	later := time.Now().Add(3 * 24 * time.Hour)
	require.NoError(t, s.Store.PutState(t.Context(), cleanup.ClockKey, cleanup.Clock{At: later}))
	env := enginetest.Activity()
	a := &cleanup.Activities{Store: s.Store, Blob: s.Blob, Keep: cleanup.Defaults(), Now: func() time.Time { return later }}
	env.RegisterActivity(a.Fixtures)
	env.RegisterActivity(a.Sweep)
	_, err := env.ExecuteActivity(a.Fixtures)
	require.NoError(t, err)
	_, err = env.ExecuteActivity(a.Sweep, policy.Timing{})
	require.NoError(t, err)
}

// inS3 are settings that keep clips in one bucket, whatever else is set.
func inS3(t *testing.T) map[string]string {
	t.Helper()
	at := devtest.Start(t, "s3", "--root", t.TempDir(), "--access-key", "test-access", "--secret-key", "test-secret-of-some-length", "--port", "0")
	return map[string]string{"S3_ENDPOINT": "http://" + at.Address, "S3_ACCESS_KEY": "test-access", "S3_SECRET_KEY": "test-secret-of-some-length"}
}

func TestANewDatabaseBesideAFullStoreDeletesNothing(t *testing.T) {
	t.Parallel()
	// afresh starts with a database that holds nothing beside the clips of the first.
	for name, afresh := range map[string]func(t *testing.T) (was, now config.Config){
		"STATE_DIR is not mounted, or a second installation": func(t *testing.T) (config.Config, config.Config) {
			s3 := inS3(t)
			return parsed(t, s3), parsed(t, s3)
		},
		"the database file is lost": func(t *testing.T) (config.Config, config.Config) {
			c, fresh := parsed(t, nil), parsed(t, nil)
			require.NoError(t, os.Symlink(c.State.Dir+"/clips", fresh.State.Dir+"/clips"))
			return c, fresh
		},
		"another database": func(t *testing.T) (config.Config, config.Config) {
			set := map[string]string{"MONGODB_URI": devtest.Start(t, "mongo", "--dir", t.TempDir(), "--port", "0").URI, "STATE_DIR": t.TempDir()}
			c := parsed(t, set)
			set["MONGODB_DB"] = "typo"
			return c, parsed(t, set)
		},
		"another schema": func(t *testing.T) (config.Config, config.Config) {
			set := map[string]string{"POSTGRES_URL": devtest.StartPostgres(t).URL, "STATE_DIR": t.TempDir()}
			c := parsed(t, set)
			set["POSTGRES_SCHEMA"] = "typo"
			return c, parsed(t, set)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, second := afresh(t)
			was := full(t, first)
			before := blobtest.Keys(t, was.Blob)
			require.Len(t, before, 9)
			now := opened(t, second)
			clean(t, now)
			require.Equal(t, before, blobtest.Keys(t, was.Blob))
			require.NotNil(t, owner.Refused(blob.Writable(t.Context(), now.Blob)))

			blobtest.Lay(t, was.Blob, "clips/900-0/b.mp4") // which goes on
		})
	}
}

func TestOfTwoCopiesOfADatabaseNeitherDeletesWhatTheOtherMade(t *testing.T) {
	t.Parallel()
	c, other := parsed(t, nil), parsed(t, nil)
	first := full(t, c)
	require.NoError(t, first.Store.PutState(t.Context(), cleanup.SweepsKey, cleanup.Sweeps{Seen: time.Now().Add(3 * 24 * time.Hour)})) // no gap
	require.NoError(t, first.Store.Close())
	require.NoError(t, os.Symlink(c.State.Dir+"/clips", other.State.Dir+"/clips"))
	raw, err := os.ReadFile(state.DatabaseFile(c))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(state.DatabaseFile(other), raw, 0o600))
	first, second := opened(t, c), opened(t, other)

	clean(t, second)
	firsts, seconds := "clips/901-1/a.mp4", "clips/902-1/a.mp4"
	for n := range 40 { // of which the one below is little
		blobtest.Lay(t, first.Blob, fmt.Sprintf("clips/900-1/%d.mp4", n))
	}
	for range 2 {
		blobtest.Lay(t, first.Blob, firsts, blob.StagedFilm("first", ".mp4"))
		clean(t, first)
		blobtest.Lay(t, second.Blob, seconds, blob.StagedFilm("second", ".mp4"))
		clean(t, second)
	}
	require.Subset(t, blobtest.Keys(t, first.Blob), []string{firsts, seconds, blob.StagedFilm("first", ".mp4"), blob.StagedFilm("second", ".mp4")})
	require.Subset(t, blobtest.Keys(t, first.Blob), []string{firsts, seconds})
	require.NoError(t, second.Store.Close())
	require.NoError(t, first.Owner.Adopt(t.Context()))
	clean(t, first)
	require.NotContains(t, blobtest.Keys(t, first.Blob), seconds, "it alone is left, and the guard holds no longer")
}

func TestWrongNamesOfBucketsAreWrongSettings(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a", "ab", "-ab", "a..b", strings.Repeat("a", 64)} {
		c := parsed(t, map[string]string{"S3_ENDPOINT": "http://127.0.0.1:1", "S3_ACCESS_KEY": "a", "S3_SECRET_KEY": "b", "S3_BUCKET": name})
		_, err := state.Open(t.Context(), c)
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "S3_BUCKET="+name+": ")
		require.ErrorContains(t, err, "correct S3_BUCKET")
		require.NotContains(t, err.Error(), "S3_ENDPOINT")
	}
	set := inS3(t)
	set["S3_BUCKET"] = "Clips_of_mine" // there may be one by such a name, but none can be made
	_, err := state.Open(t.Context(), parsed(t, set))
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "S3_BUCKET=Clips_of_mine: ")
}
