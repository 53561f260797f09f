package sqlite_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/keep/store/storetest"
)

func copies(t *testing.T, path string) []string {
	t.Helper()
	list, err := filepath.Glob(path + ".schema-*")
	require.NoError(t, err)
	return list
}

func TestAnOlderFileIsCopiedAndMigrated(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	storetest.Opens(t, storetest.Database{
		Open:  func() (store.Backend, error) { return sqlite.Open(path) },
		Stamp: func(version int) { execute(t, path, fmt.Sprintf("PRAGMA user_version = %d", version)) },
		Stamped: func() int {
			n, err := strconv.Atoi(texts(t, path, "SELECT user_version FROM pragma_user_version")[0])
			require.NoError(t, err)
			return n
		},
	})
	list := copies(t, path)
	require.Len(t, list, 1, "of four processes one made a copy")
	require.Equal(t, []string{"1"}, texts(t, list[0], "SELECT user_version FROM pragma_user_version"))
	require.Equal(t, []string{`{"_schema":1,"value":{"2026-11-26":10}}`}, texts(t, list[0], "SELECT body FROM service_state WHERE id = 'x_spending'"), "it is what it was")
	info, err := os.Stat(list[0])
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm())
}

// older makes a file of schema 1 in which a migration has something to do.
func older(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "footy.db")
	b := open(t, path)
	require.NoError(t, b.Upsert(t.Context(), store.ServiceState, []store.Doc{{ID: "x_spending", Body: json.RawMessage(`{"value":{"2026-11-26":10}}`)}}))
	require.NoError(t, b.Close())
	execute(t, path, "PRAGMA user_version = 1")
	return path
}

func TestTheCopyIsNamedByTheOneWhoMadeIt(t *testing.T) {
	t.Parallel()
	path := older(t)
	for _, want := range []int{1, 0} {
		b, err := sqlite.Open(path)
		require.NoError(t, err)
		require.NoError(t, b.Close())
		if want == 1 {
			require.Equal(t, []string{b.Migrated()}, copies(t, path))
		} else {
			require.Empty(t, b.Migrated())
		}
	}
	require.Equal(t, []string{"2"}, texts(t, path, "SELECT user_version FROM pragma_user_version"))
}

func TestAMigrationThatFailsLeavesTheFileAndNoCopy(t *testing.T) {
	t.Parallel()
	path := older(t)
	execute(t, path, "CREATE TRIGGER stuck BEFORE DELETE ON service_state BEGIN SELECT RAISE(ABORT, 'stuck'); END")
	_, err := sqlite.Open(path)
	require.ErrorContains(t, err, "migrate it from schema 1 to 2")
	require.Equal(t, []string{"1"}, texts(t, path, "SELECT user_version FROM pragma_user_version"))
	require.Equal(t, []string{"x_spending"}, texts(t, path, "SELECT id FROM service_state"), "the half that was done is undone")
	require.Empty(t, copies(t, path), "tries that fail do not fill the disk")

	execute(t, path, "DROP TRIGGER stuck")
	require.NoError(t, open(t, path).Close())
	require.Equal(t, []string{"x_spent_on_searches"}, texts(t, path, "SELECT id FROM service_state"))
}

func TestAFileOfWhichNoCopyCanBeMadeIsNotMigrated(t *testing.T) {
	t.Parallel()
	path := older(t)
	page := texts(t, path, "SELECT rootpage FROM sqlite_schema WHERE name = 'tombstones'")[0]
	n, err := strconv.ParseInt(page, 10, 64)
	require.NoError(t, err)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = f.WriteAt(bytes.Repeat([]byte{0xff}, 4096), (n-1)*4096)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, err = sqlite.Open(path)
	require.ErrorContains(t, err, path+" is damaged", "what is copied, not the copy")
	require.ErrorContains(t, err, "footy restore DIR --force")
	require.Equal(t, []string{"1"}, texts(t, path, "SELECT user_version FROM pragma_user_version"))
	require.Empty(t, copies(t, path))
}

func TestACopyIsMigratedWithoutAnother(t *testing.T) {
	t.Parallel()
	path := older(t)
	b, err := sqlite.OpenUnshared(path)
	require.NoError(t, err)
	require.NoError(t, b.Close())
	require.Equal(t, []string{"x_spent_on_searches"}, texts(t, path, "SELECT id FROM service_state"))
	require.Empty(t, copies(t, path))
}
