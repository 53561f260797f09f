package sqlite_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/store/sqlite"
)

// ours marks a file as a database of Found Footy with a schema number.
func ours(version int) string {
	return fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", 0x466f6f74, version)
}

// v1 makes a database file as the programs of schema 1 wrote it.
func v1(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "footy.db")
	script, err := os.ReadFile(filepath.Join("testdata", "v1.sql"))
	require.NoError(t, err)
	execute(t, path, ours(1)+string(script))
	return path
}

// texts reads one text column.
func texts(t *testing.T, path, query string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	out := []string{}
	for rows.Next() {
		var v string
		require.NoError(t, rows.Scan(&v))
		out = append(out, v)
	}
	require.NoError(t, rows.Err())
	return out
}

func TestMigratingADatabaseOfSchema1(t *testing.T) {
	t.Parallel()
	path := v1(t)
	before := time.Now().Add(-time.Second)
	s := store.New(open(t, path), store.Options{})
	requireMigrated(t, s, path, before)
	require.NoError(t, s.Close())
	require.Equal(t, []string{"1"}, texts(t, path+".v1.bak", "SELECT user_version FROM pragma_user_version"))
	require.Equal(t, []string{"1001", "1002"}, texts(t, path+".v1.bak", "SELECT id FROM fixtures_staging ORDER BY id"))
	require.NoFileExists(t, path+".v1.bak.1")

	s = store.New(open(t, path), store.Options{}) // a second start changes nothing
	requireMigrated(t, s, path, before)
	require.NoError(t, s.Close())
	require.NoFileExists(t, path+".v1.bak.1")
	left, err := filepath.Glob(path + ".*.part")
	require.NoError(t, err)
	require.Empty(t, left)
}

// requireMigrated checks everything that testdata/v1.sql holds.
func requireMigrated(t *testing.T, s store.Store, path string, before time.Time) {
	t.Helper()
	ctx := t.Context()
	list, err := s.List(ctx, store.FixtureQuery{})
	require.NoError(t, err)
	got := ""
	for _, f := range list {
		got += fmt.Sprintf("%d %s %d, ", f.ID, f.Stage, f.Revision)
	}
	require.Equal(t, "1001 staging 1, 1002 active 4, 1003 completed 1, 1004 completed 2, ", got, "each once, the newest copy, begun moves made")
	for stage, ids := range map[string][]string{"staging": {"1001"}, "active": {"1002"}, "completed": {"1003", "1004"}} {
		require.Equal(t, ids, texts(t, path, "SELECT id FROM fixtures_"+stage+" ORDER BY id"), "the view")
		require.Equal(t, []string{"view"}, texts(t, path, "SELECT type FROM sqlite_schema WHERE name = 'fixtures_"+stage+"'"))
	}

	f, err := s.FixtureOfEvent(ctx, "1002_33_0_Goal_1")
	require.NoError(t, err, "by an old id")
	require.EqualValues(t, 1002, f.ID)
	e := f.Event("u-open")
	require.Equal(t, "download-1002_33_9_Goal_1-2 download-1002_33_9_Goal_1-3", e.Batches[0].Key+" "+e.Batches[1].Key, "not the one that was settled without verdicts")
	require.Equal(t, 2, e.Batches[0].Try)
	require.Equal(t, map[string]string{"deadbeefdeadbeef": "d1d1d1d1d1d1d1d1"}, e.Redirects)
	require.True(t, f.Event("u-gone").Removed)
	with, err := s.FixturesWithClip(ctx, "d1d1d1d1d1d1d1d1d1d1")
	require.NoError(t, err)
	require.Len(t, with, 2)
	found, err := s.List(ctx, store.FixtureQuery{Text: "hojlund"})
	require.NoError(t, err)
	require.Len(t, found, 1)

	posts, err := s.Posts(ctx, store.PostQuery{Due: time.Now()})
	require.NoError(t, err)
	got = ""
	for _, p := range posts {
		got += fmt.Sprintf("%s %s %s%s try %d of %s\n", p.EventUID, p.PostID, p.State, p.Reason, p.Try, p.Batch)
		require.Equal(t, p.PostID, p.Candidate.PostID)
		require.NotEmpty(t, p.Candidate.Text)
		require.EqualValues(t, 1002, p.FixtureID)
		require.Equal(t, p.State != footy.PostOffered, p.Media != nil && p.Media.StageKey != "")
		require.True(t, p.NextTry.After(before) && !p.FirstSeen.IsZero())
	}
	require.Equal(t, `u-gone 201 offered try 1 of download-1002_40_11_Goal_1-1
u-open 101 offered try 2 of download-1002_33_9_Goal_1-2
u-open 102 offered try 2 of download-1002_33_9_Goal_1-2
u-open 103 waitingno_model try 0 of download-1002_33_9_Goal_1-1
u-open 104 fetched try 0 of download-1002_33_9_Goal_1-3
`, got)

	rows, err := s.Entries(ctx, store.LogQuery{})
	require.NoError(t, err)
	require.Len(t, rows, 3)
	tombstones, err := s.Tombstones(ctx)
	require.NoError(t, err)
	require.Len(t, tombstones, 1)
	require.Equal(t, "ffffffff u-open asked for", tombstones[0].Digest+" "+tombstones[0].EventUID+" "+tombstones[0].Reason)
	require.NotEmpty(t, tombstones[0].Fingerprint.Frames)
	require.NoError(t, s.PutTombstone(ctx, tombstones[0]), "under its new key")
	require.Equal(t, []string{"ffffffff/u-open"}, texts(t, path, "SELECT id FROM tombstones"))
	prints, err := s.Fingerprints(ctx, "u-open")
	require.NoError(t, err)
	require.Len(t, prints, 1)
	var quota struct{ Used int }
	require.NoError(t, s.State(ctx, "quota", &quota))
	require.Equal(t, 41, quota.Used)
	aliases, err := s.Aliases(ctx, 40)
	require.NoError(t, err)
	require.Equal(t, []string{"lfc"}, aliases.Aliases)
	latest, err := s.LatestSnapshots(ctx, []int64{1002})
	require.NoError(t, err)
	require.Len(t, latest, 1)

	var body map[string]any
	require.NoError(t, json.Unmarshal([]byte(texts(t, path, "SELECT body FROM fixtures WHERE id = '1002'")[0]), &body))
	event := body["events"].([]any)[0].(map[string]any)
	require.Equal(t, "fixture", body["x_later"], "unknown fields stay")
	require.Equal(t, []any{1., 2.}, event["x_later"])
	require.InDelta(t, 1.5, event["_s3_videos"].([]any)[0].(map[string]any)["x_later"], 0)
	require.NotContains(t, event, "_attempts")
	require.EqualValues(t, store.SchemaVersion, body["_schema"])
	require.Empty(t, texts(t, path, "SELECT id FROM fixtures WHERE body LIKE '%_moving_to%'"))
	require.Empty(t, texts(t, path, "SELECT id FROM service_state WHERE id = 'stage_returns'"))
}

// TestKilledDuringAMigration ends a process at each step of it; the next start ends where an undisturbed one does.
func TestKilledDuringAMigration(t *testing.T) {
	t.Parallel()
	if path := os.Getenv("FOOTY_TEST_KILLED_MIGRATION"); path != "" {
		sqlite.AfterStep(func(step string) {
			if step == os.Getenv("FOOTY_TEST_KILLED_STEP") {
				p, err := os.FindProcess(os.Getpid())
				require.NoError(t, err)
				require.NoError(t, p.Kill())
				select {}
			}
		})
		open(t, path)
		t.Fatal("it was to be killed")
	}
	path := v1(t)
	before := time.Now().Add(-time.Second)
	steps := []string{"fixture 1001", "fixture 1002", "tombstones", "views"}
	for _, step := range steps {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledDuringAMigration$") //nolint:gosec // this very test
		cmd.Env = append(os.Environ(), "FOOTY_TEST_KILLED_MIGRATION="+path, "FOOTY_TEST_KILLED_STEP="+step)
		require.ErrorContains(t, cmd.Run(), "killed", step)
	}
	require.FileExists(t, path+".v1.bak")
	require.FileExists(t, path+".v1.bak.3", "each try has made a copy and none was written over")
	s := store.New(open(t, path), store.Options{})
	requireMigrated(t, s, path, before)
	require.NoError(t, s.Close())
	require.Equal(t, []string{"1001", "1002"}, texts(t, path+".v1.bak", "SELECT id FROM fixtures_staging ORDER BY id"))
}

func TestWithoutABackupThereIsNoMigration(t *testing.T) {
	t.Parallel()
	path := v1(t)
	size, err := os.Stat(path)
	require.NoError(t, err)
	small := smallDisk(t, fmt.Sprint(size.Size()+size.Size()/2))
	body, err := os.ReadFile(path)
	require.NoError(t, err)
	path = filepath.Join(small, "footy.db")
	require.NoError(t, os.WriteFile(path, body, 0o600))
	_, err = sqlite.Open(path, sqlite.Options{})
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "nothing was migrated")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, body, after)
}

func TestADatabaseOfANewerProgramIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	require.NoError(t, open(t, path).Close())
	execute(t, path, fmt.Sprintf("PRAGMA journal_mode = DELETE; PRAGMA user_version = %d", store.SchemaVersion+1))
	requireRefused(t, path, fmt.Sprintf("was written by a newer version (schema %d, this one knows %d): upgrade footy", store.SchemaVersion+1, store.SchemaVersion))
}

func TestSeveralProgramsThatStartOnAnOldDatabaseMigrateItOnce(t *testing.T) {
	t.Parallel()
	path := v1(t)
	before := time.Now().Add(-time.Second)
	done := make(chan error, 4)
	for range cap(done) {
		go func() {
			b, err := sqlite.Open(path, sqlite.Options{})
			if err == nil {
				err = b.Close()
			}
			done <- err
		}()
	}
	for range cap(done) {
		require.NoError(t, <-done)
	}
	s := store.New(open(t, path), store.Options{})
	requireMigrated(t, s, path, before)
	require.NoError(t, s.Close())
	copies, err := filepath.Glob(path + ".v1.bak*")
	require.NoError(t, err)
	require.NotEmpty(t, copies)
	for _, c := range copies {
		require.Equal(t, []string{"1"}, texts(t, c, "SELECT user_version FROM pragma_user_version"), "no copy of what is migrated already")
	}
}

// TestQueriesUseTheirIndexes guards against a partial index that its query does not imply.
func TestQueriesUseTheirIndexes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	require.NoError(t, open(t, path).Close())
	for index, query := range map[string]string{
		"fixtures_sub":  "SELECT * FROM fixtures WHERE sub <> '' AND sub IN ('active', 'staging') ORDER BY at",
		"posts_sub":     "SELECT * FROM posts WHERE at >= 0 AND sub <> '' AND sub IN ('u') ORDER BY at",
		"posts_grp":     "SELECT * FROM posts WHERE at >= 0 AND grp <> '' AND grp = '5000' ORDER BY at",
		"posts_at":      "SELECT * FROM posts WHERE at >= 0 AND at < 1786806000001 ORDER BY at",
		"event_log_sub": "SELECT * FROM event_log WHERE sub <> '' AND sub IN ('u') ORDER BY at",
	} {
		require.Contains(t, fmt.Sprint(plan(t, path, query)), "USING INDEX "+index, query)
	}
}

func plan(t *testing.T, path, query string) (lines []string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var id, parent, unused int
		var detail string
		require.NoError(t, rows.Scan(&id, &parent, &unused, &detail))
		lines = append(lines, detail)
	}
	require.NoError(t, rows.Err())
	return lines
}
