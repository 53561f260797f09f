package audit_test

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/audit"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/keep/store/storetest"
)

// objects are those that lay beside the database. Their bytes were not kept.
type objects struct {
	blob.Store
	list []blob.Attributes
}

func (o objects) List(_ context.Context, prefix string, fn func(blob.Attributes) error) error {
	for _, a := range o.list {
		if strings.HasPrefix(a.Key, prefix) {
			if err := fn(a); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestStatesOfFormerReleasesHold audits the databases that programs of releases wrote.
func TestStatesOfFormerReleasesHold(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "keep", "store", "testdata", "states", "*", "*.db.gz"))
	require.NoError(t, err)
	require.Greater(t, len(files), 3)
	for _, path := range files {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "footy.db")
			require.NoError(t, os.WriteFile(file, storetest.Unpacked(t, path), 0o600))
			b, err := sqlite.Open(file)
			require.NoError(t, err)
			defer func() { require.NoError(t, b.Close()) }()
			s := store.New(b)
			var last time.Time
			fixtures, err := s.List(t.Context(), store.FixtureQuery{})
			require.NoError(t, err)
			for _, f := range fixtures {
				last = slices.MaxFunc([]time.Time{last, f.LastMonitor, f.UpdatedAt, f.CompletedAt}, time.Time.Compare)
			}
			posts, err := s.Posts(t.Context(), store.PostQuery{All: true})
			require.NoError(t, err)
			for _, p := range posts {
				last = slices.MaxFunc([]time.Time{last, p.ChangedAt}, time.Time.Compare)
			}
			var o objects
			for line := range strings.Lines(string(storetest.Unpacked(t, strings.TrimSuffix(path, ".db.gz")+".objects.gz"))) {
				size, key, _ := strings.Cut(strings.TrimSpace(line), " ")
				n, err := strconv.ParseInt(size, 10, 64)
				require.NoError(t, err)
				o.list = append(o.list, blob.Attributes{Key: key, Size: n, ModTime: last})
			}
			slices.SortFunc(o.list, func(a, b blob.Attributes) int { return cmp.Compare(a.Key, b.Key) })
			opts := audit.Defaults()
			opts.Now, opts.Again = last, 0
			report, err := audit.Run(t.Context(), s, o, opts)
			require.NoError(t, err)
			require.Empty(t, report.Breaches)
		})
	}
}
