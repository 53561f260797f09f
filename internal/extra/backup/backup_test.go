package backup_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/backup"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

func TestOnlyWhatIsNewIsCopied(t *testing.T) {
	t.Parallel()
	s, to := newState(t).fill(), t.TempDir()
	objects := &counting{Store: s.blob}
	s.blob = objects
	first := s.backUp(options(to))
	require.Equal(t, 6, first.Objects)
	require.Equal(t, 4, first.CopiedObjects, "equal bytes lie there once")
	require.Equal(t, 6, objects.opened, "the second look reads nothing again")

	s.put("clips/5009/new.mp4", "a new clip")
	s.put("clips/5001/clip.mp4", "replaced")
	second := s.backUp(options(to))
	require.NotEqual(t, first.Path, second.Path, "of the same second")
	require.Equal(t, 7, second.Objects)
	require.Equal(t, 2, second.CopiedObjects)
	require.Equal(t, 8, objects.opened, "what did not change is not even read")
	for _, m := range []backup.Manifest{first, second} {
		_, err := backup.Verify(t.Context(), m.Path)
		require.NoError(t, err)
	}
}

func TestOldBackupsGoWithTheirBytes(t *testing.T) {
	t.Parallel()
	s, to := newState(t).fill(), t.TempDir()
	o := options(to)
	o.Keep = 2
	for day := range 4 {
		s.put("clips/5001/clip.mp4", "of day "+strconv.Itoa(day))
		o.Now = noon.AddDate(0, 0, day)
		s.backUp(o)
	}
	all, err := backup.List(to)
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Equal(t, noon.AddDate(0, 0, 3), all[0].Made, "the newest first")
	require.Len(t, files(t, filepath.Join(to, "objects")), 2+1+2, "two clips and a picture that stayed, and two days of the third clip")
	for _, m := range all {
		_, err := backup.Verify(t.Context(), m.Path)
		require.NoError(t, err)
	}
}

func TestAStateInUseIsCopied(t *testing.T) {
	t.Parallel()
	s, to := newState(t).fill(), t.TempDir()
	writer := at(t, s.dir) // as another process: its own connections to the same file
	started, stop, stopped := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		docs := store.New(writer.docs)
		for n := 0; ; n++ {
			_, err := docs.Update(context.Background(), 5001, func(f *footy.Fixture) ([]footy.Entry, error) { f.Match.Referee = strconv.Itoa(n); return nil, nil })
			if n == 0 {
				close(started)
			}
			select {
			case <-stop:
				stopped <- err
				return
			default:
			}
			if err != nil {
				stopped <- err
				return
			}
		}
	}()
	<-started
	s.backUp(options(to))
	close(stop)
	require.NoError(t, <-stopped, "the writer is not held up")
	into := t.TempDir()
	_, err := backup.Restore(t.Context(), to, target(t, into))
	require.NoError(t, err)
	_, err = store.New(at(t, into).docs).Fixture(t.Context(), 5001)
	require.NoError(t, err)
}

func TestOneProcessBacksUpAtATime(t *testing.T) {
	t.Parallel()
	s, to := newState(t).fill(), t.TempDir()
	s.blob = &counting{Store: s.blob, before: func(int) error {
		_, err := backup.Make(t.Context(), s.docs, s.blob, options(to))
		require.Equal(t, footy.CodeConflict, footy.CodeOf(err), "%v", err)
		return nil
	}}
	s.backUp(options(to))
}

func TestABackupThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	s, to := newState(t).fill(), t.TempDir()
	s.blob = &counting{Store: s.blob, before: func(n int) error {
		if n == 3 {
			return errors.New("the object store went away")
		}
		return nil
	}}
	_, err := backup.Make(t.Context(), s.docs, s.blob, options(to))
	require.ErrorContains(t, err, "the object store went away")
	require.Equal(t, []string{filepath.Join(to, "backup.lock")}, files(t, to))
}

const interrupted = "FOOTY_TEST_BACKUP_TO"

// TestHalfABackup is no test: run by one in a process of its own, it stops in the middle of a backup until it is killed.
func TestHalfABackup(t *testing.T) {
	to := os.Getenv(interrupted)
	if to == "" {
		t.Skip("a helper of another test")
	}
	s := newState(t).fill()
	s.blob = &counting{Store: s.blob, before: func(n int) error {
		if n == 3 {
			_, _ = fmt.Fprintln(os.Stdout, "half")
			_, _ = bufio.NewReader(os.Stdin).ReadByte() // which never comes
		}
		return nil
	}}
	s.backUp(options(to))
}

func TestAnInterruptedBackupIsNotTakenForOne(t *testing.T) {
	t.Parallel()
	s, to := newState(t).fill(), t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "-test.run=^TestHalfABackup$", "-test.v")
	cmd.Env = append(os.Environ(), interrupted+"="+to)
	_, err = cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	half := false
	for lines := bufio.NewScanner(out); !half && lines.Scan(); {
		half = strings.HasPrefix(lines.Text(), "half")
	}
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	require.True(t, half)

	all, err := backup.List(to)
	require.NoError(t, err)
	require.Empty(t, all)
	_, err = backup.Restore(t.Context(), to, target(t, t.TempDir()))
	require.True(t, footy.IsNotFound(err), "%v", err)

	s.backUp(options(to)) // the lock went with the process
	all, err = backup.List(to)
	require.NoError(t, err)
	require.Len(t, all, 1)
	left, err := os.ReadDir(to)
	require.NoError(t, err)
	require.Len(t, left, 3, "the backup, the bytes and the lock: nothing of the half one")
}

func TestReelsAreLeftOut(t *testing.T) {
	t.Parallel()
	s := newState(t).fill()
	s.put("reels/made/0123/reel.mp4", "a film that can be made again")
	o := options(t.TempDir())
	o.Remade = []string{"reels/"}
	require.Equal(t, 6, s.backUp(o).Objects)
}

// TestABackupDatedAheadDoesNotEndTheDailyOnes: it was made while the clock was ahead.
func TestABackupDatedAheadDoesNotEndTheDailyOnes(t *testing.T) {
	t.Parallel()
	ctx, dir := t.Context(), t.TempDir()
	s := newState(t)
	o := backup.Options{Dir: dir, Daily: true, Keep: 1, Version: "test", Now: time.Now().Add(15 * 24 * time.Hour)}
	_, err := backup.Make(ctx, s.docs, s.blob, o)
	require.NoError(t, err)
	o.Now = time.Now()
	_, err = backup.Make(ctx, s.docs, s.blob, o)
	require.NoError(t, err)
	_, err = backup.Make(ctx, s.docs, s.blob, o)
	require.Equal(t, footy.CodeConflict, footy.CodeOf(err))
	all, err := backup.List(dir)
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.False(t, all[0].Made.After(time.Now()), "the newest by its date is not the one to keep")
}

// TestABackupDatedAheadIsNotTheNewest: made while the clock was ahead it may be the oldest of all.
func TestABackupDatedAheadIsNotTheNewest(t *testing.T) {
	t.Parallel()
	s, dir := newState(t).fill(), t.TempDir()
	made := func(now time.Time) string {
		o := options(dir)
		o.Now = now
		return s.backUp(o).Path
	}
	ahead := made(time.Now().Add(15 * 24 * time.Hour))
	m, err := backup.Verify(t.Context(), dir)
	require.NoError(t, err)
	require.Equal(t, ahead, m.Path, "there is no other")
	require.Empty(t, m.PassedOver)
	now := made(time.Now())
	m, err = backup.Restore(t.Context(), dir, target(t, t.TempDir()))
	require.NoError(t, err)
	require.Equal(t, now, m.Path)
	require.Equal(t, []string{ahead}, m.PassedOver)
}

// TestABackupDatedAWhileAheadIsTheNewest: clocks differ by seconds, and step back by as much.
func TestABackupDatedAWhileAheadIsTheNewest(t *testing.T) {
	t.Parallel()
	s, dir := newState(t).fill(), t.TempDir()
	made := func(ahead time.Duration) string {
		o := options(dir)
		o.Now = time.Now().Add(ahead)
		return s.backUp(o).Path
	}
	made(-time.Hour)
	newest := made(5 * time.Minute)
	m, err := backup.Verify(t.Context(), dir)
	require.NoError(t, err)
	require.Equal(t, newest, m.Path)
	require.Empty(t, m.PassedOver)

	ahead := made(time.Hour)
	to := target(t, t.TempDir())
	var noted []string
	to.Chosen = func(m backup.Manifest) {
		require.NoFileExists(t, to.File, "that is told before the target is touched")
		noted = m.PassedOver
	}
	m, err = backup.Restore(t.Context(), dir, to)
	require.NoError(t, err)
	require.Equal(t, newest, m.Path)
	require.Equal(t, []string{ahead}, noted)

	damaged := made(8 * time.Minute)
	require.NoError(t, os.WriteFile(filepath.Join(damaged, "manifest.json"), []byte("{"), 0o600))
	_, err = backup.Verify(t.Context(), dir)
	require.ErrorContains(t, err, damaged)
}
