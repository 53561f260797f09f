package postgres_test

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/postgres"
	"github.com/found-footy/found-footy/internal/keep/store/storetest"
	"github.com/found-footy/found-footy/tools/devtest"
)

// sql runs statements as the server's owner, behind the adapter's back.
func sql(t *testing.T, url string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	for _, s := range statements {
		_, err := conn.Exec(t.Context(), s)
		require.NoError(t, err, s)
	}
}

// ask reads one column.
func ask(t *testing.T, url, query string, args ...any) []string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	rows, err := conn.Query(t.Context(), query, args...)
	require.NoError(t, err)
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return list
}

// as is the address with another login, database or parameters.
func as(t *testing.T, address string, change func(u *url.URL)) string {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	change(u)
	return u.String()
}

func TestOpening(t *testing.T) {
	t.Parallel()
	server := devtest.StartPostgres(t)
	refused := func(t *testing.T, code footy.Code, address, schema string, says ...string) {
		t.Helper()
		_, err := postgres.Open(t.Context(), address, schema)
		require.Equal(t, code, footy.CodeOf(err), "%v", err)
		require.NotContains(t, err.Error(), server.Password)
		require.NotContains(t, err.Error(), "hunter2")
		require.NotContains(t, err.Error(), "\n")
		for _, s := range says {
			require.ErrorContains(t, err, s)
		}
	}

	t.Run("an address that is none, a wrong password, a database that is not there", func(t *testing.T) {
		refused(t, footy.CodeInvalid, server.URL, "")
		for _, address := range []string{
			"postgres://u:p/hunter2@host/db", "postgres://u:hunter2@host:port/db", "postgres://u:hunter2@h%zz/db", "host=x password=hunter2 port=y",
			"postgres://u@host/db?sslmode=loud&password=hunter2", "postgres://u:hunter2`: @host/db?pool_max_conns=many", ":hunter2@", "postgres://u:p@hunter2@host:5432x/",
		} {
			refused(t, footy.CodeInvalid, address, "footy")
		}
		refused(t, footy.CodeInvalid, "postgres://u:p@host/db?sslmode=loud", "footy", "sslmode")
		refused(t, footy.CodeAuthRequired, as(t, server.URL, func(u *url.URL) { u.User = url.UserPassword("footy", "hunter2") }), "footy", "check user and password")
		refused(t, footy.CodeInvalid, as(t, server.URL, func(u *url.URL) { u.Path = "/none" }), "footy", "createdb")
		refused(t, footy.CodeUnavailable, as(t, server.URL, func(u *url.URL) { u.RawQuery = "default_transaction_read_only=on" }), "footy", "takes no writes")
	})
	t.Run("a server that does not answer", func(t *testing.T) {
		at := devtest.FreeAddr(t)
		for _, hosts := range []string{at, at + "," + at} {
			refused(t, footy.CodeUnavailable, "postgres://u:hunter2@"+hosts+"/db", "footy", at)
		}
	})
	t.Run("eight processes at once make one schema", func(t *testing.T) {
		schema := fresh()
		var g errgroup.Group
		for range 8 {
			g.Go(func() error {
				b, err := postgres.Open(t.Context(), server.URL, schema)
				if err != nil {
					return err
				}
				return b.Close()
			})
		}
		require.NoError(t, g.Wait())
		require.Equal(t, []string{strconv.Itoa(store.SchemaVersion)}, ask(t, server.URL, "SELECT version::text FROM "+pgx.Identifier{schema, "footy_schema"}.Sanitize()))
	})
	t.Run("what is not ours stays untouched", func(t *testing.T) {
		sql(t, server.URL, "CREATE SCHEMA theirs", "CREATE TABLE theirs.posts (a int)")
		refused(t, footy.CodeInvalid, server.URL, "theirs", "choose another schema")
		require.Equal(t, []string{"posts"}, ask(t, server.URL, "SELECT relname::text FROM pg_class WHERE relnamespace = 'theirs'::regnamespace"))
	})
	t.Run("what an older version wrote is migrated", func(t *testing.T) {
		storetest.Opens(t, storetest.Database{
			Open: func() (store.Backend, error) { return postgres.Open(t.Context(), server.URL, "older") },
			Stamp: func(version int) {
				sql(t, server.URL, fmt.Sprintf("UPDATE older.footy_schema SET version = %d", version))
			},
			Stamped: func() int {
				n, err := strconv.Atoi(ask(t, server.URL, "SELECT version::text FROM older.footy_schema")[0])
				require.NoError(t, err)
				return n
			},
		})
	})
	t.Run("what a newer version wrote is refused", func(t *testing.T) {
		require.NoError(t, open(t, server.URL, "newer").Close())
		sql(t, server.URL, "UPDATE newer.footy_schema SET version = 99")
		refused(t, footy.CodeInvalid, server.URL, "newer", "schema newer", "upgrade footy")
	})
	t.Run("a user needs no more than a schema", func(t *testing.T) {
		sql(t, server.URL, "CREATE ROLE small LOGIN PASSWORD 'small'", "CREATE SCHEMA small AUTHORIZATION small")
		small := as(t, server.URL, func(u *url.URL) { u.User = url.UserPassword("small", "small") })
		require.NoError(t, open(t, small, "small").Close())
		require.NoError(t, open(t, small, "small").Close())
		refused(t, footy.CodeInvalid, small, "another", "GRANT CREATE ON DATABASE")
	})
	t.Run("a database of another encoding is refused", func(t *testing.T) {
		sql(t, server.URL, "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'")
		refused(t, footy.CodeInvalid, as(t, server.URL, func(u *url.URL) { u.Path = "/latin" }), "footy", "LATIN1", "--encoding=UTF8")
	})
	t.Run("each commit waits for the disk, and no lock outlives its owner for long, whatever the database says", func(t *testing.T) {
		sql(t, server.URL, "CREATE DATABASE quick", "ALTER DATABASE quick SET synchronous_commit = off", "ALTER DATABASE quick SET default_transaction_isolation = serializable")
		quick := as(t, server.URL, func(u *url.URL) { u.Path = "/quick" })
		commits(t, quick, quick)
	})
}

// commits checks what holds for a write through address. direct is the server.
func commits(t *testing.T, address, direct string) {
	t.Helper()
	b := open(t, address, "commits")
	defer func() { require.NoError(t, b.Close()) }()
	sql(t, direct, `CREATE FUNCTION commits.told() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		NEW.words := concat_ws(' ', current_setting('synchronous_commit'), current_setting('idle_in_transaction_session_timeout'), current_setting('transaction_isolation'));
		RETURN NEW; END $$`, `CREATE TRIGGER told BEFORE INSERT ON commits.posts FOR EACH ROW EXECUTE FUNCTION commits.told()`)
	require.NoError(t, b.Insert(t.Context(), store.PostsColl, store.Doc{ID: "1", Body: []byte(`{}`)}))
	require.Equal(t, []string{"on 30s read committed"}, ask(t, direct, "SELECT words FROM commits.posts"))
}

func TestTheStagesAreViewsAndBodiesCanBeQueried(t *testing.T) {
	t.Parallel()
	server := devtest.StartPostgres(t)
	s := store.New(open(t, server.URL, "found_footy"))
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageStaging, Teams: footy.Teams{Home: footy.Team{Name: "Łódź"}}}))
	for _, stage := range []footy.Stage{footy.StageActive, footy.StageCompleted, footy.StageStaging} {
		_, err := s.Update(t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) {
			f.Stage = stage
			return nil, nil
		})
		require.NoError(t, err)
		for _, v := range store.Views {
			found := ask(t, server.URL, "SELECT body->'teams'->'home'->>'name' FROM found_footy."+v.Name)
			require.Equal(t, v.Stage == string(stage), strings.Join(found, " ") == "Łódź", "%s in %s", stage, v.Name)
		}
	}
}

// TestNamesOfAnyBytes: they come from address lines.
func TestNamesOfAnyBytes(t *testing.T) {
	t.Parallel()
	b := open(t, devtest.StartPostgres(t).URL, fresh())
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	for _, name := range []string{"", "\x00", "\x00\x00", "\x00\x01", "\x00a", "\x01", "\x02", "a", "a\x00", "a\x00b", "Ł", "⚽", "\x80", "\xff", "\xff\xfe"} {
		_, err := b.Find(t.Context(), store.PostsColl, name)
		require.Equal(t, footy.CodeNotFound, footy.CodeOf(err), "%q: %v", name, err)
		found, err := b.Select(t.Context(), store.PostsColl, store.Filter{IDs: []string{name}, Group: name + "g", Subs: []string{name + "s"}, Key: name + "k", Words: []string{name + "t"}})
		require.NoError(t, err, "%q", name)
		require.Empty(t, found)
		require.NoError(t, b.Upsert(t.Context(), store.PostsColl, []store.Doc{{ID: name, Text: name, Body: []byte(`{}`)}}), "%q", name)
		_, err = b.Find(t.Context(), store.PostsColl, name)
		require.NoError(t, err, "%q", name)
		require.NoError(t, b.Delete(t.Context(), store.PostsColl, store.Filter{IDs: []string{name}}))
	}
}
