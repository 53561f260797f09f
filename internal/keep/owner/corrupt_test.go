package owner_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

// spoilt is a store whose database met its own damage.
type spoilt struct {
	store.Store
	err error
}

func (s spoilt) Corrupt() error { return s.err }

// A database that has lost documents does not know who needs a clip.
func TestNothingIsDeletedWhileTheDatabaseIsCorrupt(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := store.New(db)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	clips, err := dir.Open(t.TempDir())
	require.NoError(t, err)
	const key = blob.ClipPrefix + "u/a.mp4"
	put := func(g *owner.Guard) error {
		return g.Put(t.Context(), key, strings.NewReader("x"), 1, blob.Info{})
	}
	require.NoError(t, owner.Begin(t.Context(), s, time.Now()))
	require.NoError(t, put(owner.New(clips, s, time.Now)))
	g := owner.New(clips, spoilt{s, footy.Errorf(footy.CodeCorrupt, "read", "malformed")}, time.Now)
	require.NoError(t, put(g), "what is found is kept")
	for _, err := range []error{g.Delete(t.Context(), key), g.Tidy(t.Context(), time.Now())} {
		require.Equal(t, footy.CodeCorrupt, footy.CodeOf(err), "%v", err)
	}
	_, err = clips.Stat(t.Context(), key)
	require.NoError(t, err)
}
