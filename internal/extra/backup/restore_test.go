package backup_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/backup"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/s3"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestTheDrill loses everything and gets it back.
func TestTheDrill(t *testing.T) {
	t.Parallel()
	s, to := newState(t).fill(), t.TempDir()
	before := s.contents()
	require.Len(t, before, 3+3+9+3+2+6)
	s.backUp(options(to))
	s.destroy()

	path := t.TempDir()
	m, err := backup.Restore(t.Context(), to, target(t, path))
	require.NoError(t, err)
	require.Equal(t, 6, m.Objects)
	after := at(t, path)
	require.Equal(t, before, after.contents())

	docs := store.New(after.docs)
	f, err := docs.FixtureOfEvent(t.Context(), "5002_40_8_Goal_1")
	require.NoError(t, err, "an old id is found")
	require.EqualValues(t, 5002, f.ID)
	require.EqualValues(t, 2, f.Revision)
	posts, err := docs.Posts(t.Context(), store.PostQuery{EventUID: "5002-1", Open: true})
	require.NoError(t, err)
	require.Len(t, posts, 1, "a post is found by its event")
	require.EqualValues(t, 5002, posts[0].FixtureID)
	hits, err := docs.List(t.Context(), store.FixtureQuery{Text: "bodo nunez"})
	require.NoError(t, err)
	require.Len(t, hits, 3, "and words")
}

func TestObjectsOfAnS3Server(t *testing.T) {
	t.Parallel()
	ready := devtest.Start(t, "s3", "--root", t.TempDir(), "--access-key", "test-access", "--secret-key", "test-secret-of-some-length", "--port", "0")
	bucket := func(name string) blob.Store {
		b, err := s3.New(s3.Options{Endpoint: ready.Address, AccessKey: "test-access", SecretKey: "test-secret-of-some-length", Bucket: name})
		require.NoError(t, err)
		require.NoError(t, b.Connect(t.Context()))
		return b
	}
	s, to := newState(t), t.TempDir()
	s.blob = bucket("before")
	s.fill()
	objects := &counting{Store: s.blob}
	s.blob = objects
	require.Equal(t, 6, s.backUp(options(to)).Objects)
	s.backUp(options(to))
	require.Equal(t, 6, objects.opened, "each is read once")

	path := t.TempDir()
	_, err := backup.Restore(t.Context(), to, backup.Target{File: filepath.Join(path, "footy.db"), Blob: bucket("after")})
	require.NoError(t, err)
	after := at(t, path)
	after.blob = bucket("after")
	require.Equal(t, s.contents(), after.contents())
}

func TestAPortableBackupOfAnEarlierVersionIsRefused(t *testing.T) {
	t.Parallel()
	s, to := newState(t).fill(), t.TempDir()
	m := s.backUp(options(to))
	rewrite(t, m, func(m *backup.Manifest) { m.Form, m.Version = "dump", "1.1.0" })
	_, err := backup.Restore(t.Context(), to, target(t, t.TempDir()))
	require.ErrorContains(t, err, "restore it with footy 1.1.0 into an empty database")
}

// rewrite changes what a backup says of itself, and its sums with it.
func rewrite(t *testing.T, m backup.Manifest, change func(*backup.Manifest)) {
	t.Helper()
	path, sums := filepath.Join(m.Path, "manifest.json"), filepath.Join(m.Path, "SHA256SUMS")
	was, err := os.ReadFile(path)
	require.NoError(t, err)
	change(&m)
	is, err := json.Marshal(m)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, is, 0o600))
	text, err := os.ReadFile(sums)
	require.NoError(t, err)
	text = bytes.Replace(text, fmt.Appendf(nil, "%x", sha256.Sum256(was)), fmt.Appendf(nil, "%x", sha256.Sum256(is)), 1)
	require.NoError(t, os.WriteFile(sums, text, 0o600))
}

func TestAFlippedByteIsFoundAndNamed(t *testing.T) {
	t.Parallel()
	s, to := newState(t).fill(), t.TempDir()
	s.backUp(options(to))
	tried := 0
	for _, file := range files(t, to) {
		good, err := os.ReadFile(file)
		require.NoError(t, err)
		if len(good) == 0 {
			continue // the lock, and collections without documents
		}
		tried++
		bad := append([]byte(nil), good...)
		bad[len(bad)/2] ^= 1
		require.NoError(t, os.WriteFile(file, bad, 0o600))
		into := t.TempDir()
		_, err = backup.Restore(t.Context(), to, target(t, into))
		require.Error(t, err, file)
		if !strings.HasSuffix(file, "SHA256SUMS") { // that one accuses another
			require.ErrorContains(t, err, file)
		}
		require.NotContains(t, err.Error(), "\n")
		require.Empty(t, files(t, into), "nothing is restored from a damaged backup")
		require.NoError(t, os.WriteFile(file, good, 0o600))
	}
	require.Greater(t, tried, 5)
	object := files(t, filepath.Join(to, "objects"))[0]
	require.NoError(t, os.Remove(object))
	_, err := backup.Verify(t.Context(), to)
	require.ErrorContains(t, err, object)
	require.ErrorContains(t, err, "is missing")
}

func TestADamagedBackupDoesNotEndTheDailyOnes(t *testing.T) {
	t.Parallel()
	s, to := newState(t).fill(), t.TempDir()
	old := s.backUp(options(to))
	require.NoError(t, os.WriteFile(filepath.Join(old.Path, "manifest.json"), []byte("{"), 0o600))
	s.backUp(options(to))
	_, err := backup.Verify(t.Context(), to)
	require.NoError(t, err)
}

func TestATargetInUseIsNotTouched(t *testing.T) {
	t.Parallel()
	s, to := newState(t).fill(), t.TempDir()
	before := s.contents()
	s.backUp(options(to))

	path := t.TempDir()
	used := at(t, path)
	used.put("clips/1/a.mp4", "mine")
	require.NoError(t, store.New(used.docs).PutState(t.Context(), "mine", 1))
	mine := used.contents()
	_, err := backup.Restore(t.Context(), to, target(t, path))
	require.Equal(t, footy.CodeConflict, footy.CodeOf(err), "%v", err)
	require.Equal(t, mine, used.contents())
	clips := target(t, path)
	clips.File = filepath.Join(t.TempDir(), "footy.db")
	_, err = backup.Restore(t.Context(), to, clips)
	require.ErrorContains(t, err, "clips/1/a.mp4", "clips alone are something, too")

	require.NoError(t, used.docs.Close())
	forced := target(t, path)
	forced.Force = true
	for range 2 { // the second within the same second
		m, err := backup.Restore(t.Context(), to, forced)
		require.NoError(t, err)
		restored := at(t, path)
		require.Equal(t, before, restored.contents())
		require.NoError(t, restored.docs.Close())
		require.FileExists(t, m.Kept)
	}
	kept, err := filepath.Glob(filepath.Join(path, "footy.db.before-restore-*"))
	require.NoError(t, err)
	require.Len(t, kept, 2, "a second restore destroys nothing")
}

// stamped copies a database as if a program of another schema had written it.
type stamped struct {
	backup.Source
	schema uint32
}

func (n stamped) BackupTo(ctx context.Context, path string) error {
	if err := n.Source.BackupTo(ctx, path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteAt(binary.BigEndian.AppendUint32(nil, n.schema), 60) // user_version
	return err
}

func TestABackupOfANewerVersionIsRefused(t *testing.T) {
	t.Parallel()
	s, to := newState(t).fill(), t.TempDir()
	rewrite(t, s.backUp(options(to)), func(m *backup.Manifest) { m.Schema = store.SchemaVersion + 1 })
	refused := func(words string) {
		t.Helper()
		into := t.TempDir()
		_, err := backup.Restore(t.Context(), to, target(t, into))
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, words)
		require.Empty(t, files(t, into))
	}
	refused("newer version (test, schema 3, this one knows 2): upgrade footy")

	to = t.TempDir()
	m := s.backUp(options(to))
	m.Format = 2
	b, err := json.Marshal(m)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(m.Path, "manifest.json"), b, 0o600))
	refused("newer version (test, format 2, this one knows 1): upgrade footy")

	to = t.TempDir()
	_, err = backup.Make(t.Context(), stamped{s.docs, 99}, s.blob, options(to))
	require.NoError(t, err)
	refused("newer version (schema 99")
}

func TestABackupOfAnOlderVersionIsMigrated(t *testing.T) {
	t.Parallel()
	s := newState(t)
	require.NoError(t, store.New(s.docs).PutState(t.Context(), "x_spending", map[string]int{"2026-11-26": 10}))
	path, to := t.TempDir(), t.TempDir()
	_, err := backup.Make(t.Context(), stamped{s.docs, 1}, s.blob, options(to))
	require.NoError(t, err)
	_, err = backup.Restore(t.Context(), to, target(t, path))
	require.NoError(t, err)
	var book struct {
		Days map[string]int `json:"days"`
	}
	require.NoError(t, store.New(at(t, path).docs).State(t.Context(), "x_spent_on_searches", &book))
	require.Equal(t, map[string]int{"2026-11-26": 50}, book.Days)
	require.NotContains(t, strings.Join(files(t, path), " "), ".schema-1", "the backup is the copy")
}

func TestARefusedRestoreMigratesNothing(t *testing.T) {
	t.Parallel()
	to, path := t.TempDir(), t.TempDir()
	newState(t).fill().backUp(options(to))
	used := at(t, path)
	used.put("installation.json", `{"installation":"another"}`)
	require.NoError(t, used.docs.Close())
	file := filepath.Join(path, "footy.db")
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = f.WriteAt(binary.BigEndian.AppendUint32(nil, 1), 60) // user_version
	require.NoError(t, errors.Join(err, f.Close()))
	before, err := os.ReadFile(file)
	require.NoError(t, err)

	forced := target(t, path)
	forced.Force = true
	_, err = backup.Restore(t.Context(), to, forced)
	require.ErrorContains(t, err, "belongs to another installation")
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, before, after)
}
