package store_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/mongo"
	"github.com/found-footy/found-footy/internal/keep/store/postgres"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/keep/store/storetest"
	"github.com/found-footy/found-footy/tools/devtest"
)

var states = filepath.Join("testdata", "states")

// recorded is a state that the program of a release wrote (bench/record/states).
type recorded struct{ release, name string }

func (r recorded) path(suffix string) string { return filepath.Join(states, r.release, r.name+suffix) }

func (r recorded) String() string { return r.release + " " + r.name }

func allRecorded(t *testing.T) (out []recorded) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(states, "*", "*.db.gz"))
	require.NoError(t, err)
	for _, f := range files {
		out = append(out, recorded{filepath.Base(filepath.Dir(f)), strings.TrimSuffix(filepath.Base(f), ".db.gz")})
	}
	for _, release := range []string{"1.0.0", "1.1.0"} {
		require.Contains(t, out, recorded{release, "idle"})
		require.Contains(t, out, recorded{release, "mid-day"})
	}
	return out
}

// file unpacks the database as its program left it.
func (r recorded) file(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "footy.db")
	require.NoError(t, os.WriteFile(path, storetest.Unpacked(t, r.path(".db.gz")), 0o600))
	return path
}

// raw reads its schema and its documents without the adapter, which would migrate it.
func (r recorded) raw(t *testing.T) (schema int, docs map[store.Collection][]store.Doc) {
	t.Helper()
	db, err := sql.Open("sqlite", r.file(t))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	require.NoError(t, db.QueryRowContext(t.Context(), "PRAGMA user_version").Scan(&schema))
	docs = map[store.Collection][]store.Doc{}
	for _, c := range store.Collections {
		docs[c] = rawDocs(t, db, c)
	}
	return schema, docs
}

func rawDocs(t *testing.T, db *sql.DB, c store.Collection) (docs []store.Doc) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "SELECT id, revision, at, grp, sub, body FROM "+string(c))
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var d store.Doc
		var at int64
		var body string
		require.NoError(t, rows.Scan(&d.ID, &d.Revision, &at, &d.Group, &d.Sub, &body))
		if at != (time.Time{}).UnixMilli() {
			d.At = time.UnixMilli(at).UTC()
		}
		d.Body = []byte(body)
		require.NoError(t, store.Index(c, &d))
		docs = append(docs, d)
	}
	require.NoError(t, rows.Err())
	return docs
}

// requireWhole checks that a migrated database holds everything, and says of goals, clips and posts what a person read in it when it was recorded.
func (r recorded) requireWhole(t *testing.T, b store.Backend) {
	t.Helper()
	ctx, s := t.Context(), store.New(b)
	fixtures, err := s.List(ctx, store.FixtureQuery{})
	require.NoError(t, err)
	var said []string
	for _, f := range fixtures {
		for _, e := range f.Events {
			state := "open"
			if e.DownloadComplete {
				state = "complete"
			}
			said = append(said, fmt.Sprintf("goal %s %s %d %s", e.ID, e.Player.Name, e.Minute.Elapsed, state))
			for _, c := range e.Clips {
				said = append(said, strings.TrimSpace(fmt.Sprintf("clip %s %s %s rank %d popularity %d for %s", e.ID, c.ID, c.Status, c.Rank, c.Popularity, c.ReplacedBy)))
			}
		}
	}
	posts, err := s.Posts(ctx, store.PostQuery{All: true})
	require.NoError(t, err)
	for _, p := range posts {
		said = append(said, strings.TrimSpace(fmt.Sprintf("post %s/%s %s %s", p.EventUID, p.PostID, p.State, p.Reason)))
	}
	slices.Sort(said)
	golden, err := os.ReadFile(r.path(".txt"))
	require.NoError(t, err)
	require.Equal(t, string(golden), strings.Join(said, "\n")+"\n")

	require.Empty(t, s.Damaged())
}

func TestStatesOfFormerReleasesAreOpened(t *testing.T) {
	t.Parallel()
	all := allRecorded(t)
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		for _, r := range all {
			t.Run(r.String(), func(t *testing.T) {
				t.Parallel()
				b, err := sqlite.Open(r.file(t))
				require.NoError(t, err)
				defer func() { require.NoError(t, b.Close()) }()
				r.requireWhole(t, b)
			})
		}
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		server := devtest.StartPostgres(t)
		for _, r := range all {
			t.Run(r.String(), func(t *testing.T) {
				r.moved(t, func() (store.Backend, error) { return postgres.Open(t.Context(), server.URL, r.String()) }, func(schema int) {
					conn, err := pgx.Connect(t.Context(), server.URL)
					require.NoError(t, err)
					defer func() { require.NoError(t, conn.Close(t.Context())) }()
					_, err = conn.Exec(t.Context(), "UPDATE "+pgx.Identifier{r.String(), "footy_schema"}.Sanitize()+" SET version = $1", schema)
					require.NoError(t, err)
				})
			})
		}
	})
	t.Run("MongoDB's stand-in", func(t *testing.T) {
		t.Parallel()
		uri := devtest.Start(t, "mongo", "--dir", t.TempDir(), "--port", "0").URI
		client, err := driver.Connect(options.Client().ApplyURI(uri))
		require.NoError(t, err)
		defer func() { require.NoError(t, client.Disconnect(context.WithoutCancel(t.Context()))) }()
		for i, r := range all {
			name := fmt.Sprintf("footy%d", i)
			t.Run(r.String(), func(t *testing.T) {
				r.moved(t, func() (store.Backend, error) { return mongo.Open(t.Context(), uri, name) }, func(schema int) {
					_, err := client.Database(name).Collection("schema").ReplaceOne(t.Context(), bson.D{{Key: "_id", Value: "footy"}}, bson.D{{Key: "value", Value: schema}})
					require.NoError(t, err)
				})
			})
		}
	})
}

// moved puts the documents as they were into another database, says that it has their schema, and opens it.
func (r recorded) moved(t *testing.T, open func() (store.Backend, error), stamp func(schema int)) {
	t.Helper()
	schema, docs := r.raw(t)
	b, err := open()
	require.NoError(t, err)
	for _, c := range store.Collections {
		require.NoError(t, b.Upsert(t.Context(), c, docs[c]))
	}
	require.NoError(t, b.Close())
	stamp(schema)
	b, err = open()
	require.NoError(t, err)
	defer func() { require.NoError(t, b.Close()) }()
	r.requireWhole(t, b)
}

// TestStatesAreAppendOnly refuses a recorded state that was changed: it would no longer be what its program wrote.
func TestStatesAreAppendOnly(t *testing.T) {
	t.Parallel()
	list, err := os.Open(filepath.Join(states, "SHA256SUMS"))
	require.NoError(t, err)
	defer func() { require.NoError(t, list.Close()) }()
	listed := map[string]bool{}
	for lines := bufio.NewScanner(list); lines.Scan(); {
		sum, name, _ := strings.Cut(lines.Text(), "  ")
		body, err := os.ReadFile(filepath.Join(states, name))
		require.NoError(t, err, "a recorded state is gone")
		is := sha256.Sum256(body)
		require.Equal(t, sum, hex.EncodeToString(is[:]), "%s was changed: states are append-only, record a new release instead", name)
		listed[filepath.Clean(name)] = true
	}
	files, err := filepath.Glob(filepath.Join(states, "*", "*"))
	require.NoError(t, err)
	size := map[string]int64{}
	for _, path := range files {
		rel, err := filepath.Rel(states, path)
		require.NoError(t, err)
		require.True(t, listed[rel], "%s is not in SHA256SUMS", rel)
		info, err := os.Stat(path)
		require.NoError(t, err)
		size[filepath.Dir(rel)] += info.Size()
	}
	for _, release := range slices.Sorted(maps.Keys(size)) {
		require.Less(t, size[release], int64(300<<10), release)
	}
}
