package dir_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/blobtest"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	blobtest.Run(t, func(t *testing.T) blob.Store {
		s, err := dir.Open(t.TempDir())
		require.NoError(t, err)
		return s
	}, blobtest.Traits{ByName: true})
}

func TestObjectsArePlainFilesThatAPersonCanCopy(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s, err := dir.Open(root)
	require.NoError(t, err)
	require.NoError(t, s.Put(t.Context(), "clips/5000/a.mp4", strings.NewReader("film"), 4, blob.Info{}))
	body, err := os.ReadFile(filepath.Join(root, "clips", "5000", "a.mp4"))
	require.NoError(t, err)
	require.Equal(t, "film", string(body))

	require.NoError(t, os.WriteFile(filepath.Join(root, "clips", "by-hand.mp4"), []byte("mine"), 0o600))
	attrs, err := s.Stat(t.Context(), "clips/by-hand.mp4")
	require.NoError(t, err)
	require.Equal(t, "video/mp4", attrs.Info.ContentType)
}

func TestNothingIsLeftBehind(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s, err := dir.Open(root)
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, s.Put(t.Context(), "clips/5000/a.mp4", strings.NewReader("film"), 4, blob.Info{}))
	}
	require.Len(t, files(t, root), 1, "the object alone")
	require.NoError(t, s.Delete(t.Context(), "clips/5000/a.mp4"))
	require.Empty(t, files(t, root))
	require.NoDirExists(t, filepath.Join(root, "clips", "5000"))
}

func TestOpenClearsWhatACrashLeftBehind(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".meta", "clips"), 0o755), "of a release before 1.2")
	_, err := dir.Open(root)
	require.NoError(t, err)
	require.NoDirExists(t, filepath.Join(root, ".meta"))
	stale, fresh := filepath.Join(root, ".tmp", "put-1"), filepath.Join(root, ".tmp", "put-2")
	for _, f := range []string{stale, fresh} {
		require.NoError(t, os.WriteFile(f, []byte("half"), 0o600))
	}
	old := time.Now().Add(-25 * time.Hour)
	require.NoError(t, os.Chtimes(stale, old, old))
	_, err = dir.Open(root)
	require.NoError(t, err)
	require.NoFileExists(t, stale)
	require.FileExists(t, fresh, "another process may be writing it")
}

func TestSymbolicLinksAreNotListed(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s, err := dir.Open(root)
	require.NoError(t, err)
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(root, "link")))
	require.NoError(t, s.List(t.Context(), "", func(a blob.Attributes) error {
		t.Errorf("listed %s", a.Key)
		return nil
	}))
}

func TestAPathThatCannotBeADirectoryIsNamed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("mine"), 0o600))
	_, err := dir.Open(filepath.Join(file, "clips"))
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
	require.ErrorContains(t, err, file)
	require.NotContains(t, err.Error(), "\n")
}

func files(t *testing.T, root string) (found []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			found = append(found, path)
		}
		return err
	}))
	return found
}
