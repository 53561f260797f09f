package engine

import (
	"context"
	"os"
	"path/filepath"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/filelock"
	"github.com/found-footy/found-footy/internal/keep/private"
)

// LockName is the file that marks a state directory whose engine a process supervises. Two supervisors would stop each other's engine.
const LockName = "footy.lock"

// StateLock is the right to look after a state directory. The kernel drops it with the process, however that ends.
type StateLock struct{ file *os.File }

// Release gives the directory back; nil holds none.
func (l *StateLock) Release() {
	if l != nil {
		filelock.Free(l.file)
	}
}

// LockState locks dir, or says who has it and how to share.
func LockState(ctx context.Context, dir string) (*StateLock, error) {
	const op = "open the state directory"
	if err := private.Dir(dir); err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, op, "%w; choose another with STATE_DIR", err)
	}
	f, err := filelock.Open(filepath.Join(dir, LockName))
	if err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, op, "%w; give this user write permission or choose another with STATE_DIR", err)
	}
	ours, err := filelock.Try(f)
	if err != nil {
		_ = f.Close()
		return nil, footy.Errorf(footy.CodeUnavailable, op, "%w; choose another with STATE_DIR", err)
	}
	if !ours {
		defer f.Close()
		share := "set TEMPORAL_ADDRESS to share its engine"
		if run := adopt(ctx, filepath.Join(dir, "engine")); run != nil {
			share = "set TEMPORAL_ADDRESS=" + run.Address
			if run.TokenFile != "" {
				share += " and TEMPORAL_TOKEN_FILE=" + run.TokenFile
			}
			share += " to share its engine"
		}
		return nil, footy.Errorf(footy.CodeConflict, op, "%s is in use by another footy (process %d); stop that one, choose another STATE_DIR, or %s",
			dir, filelock.ReadNote(f).PID, share)
	}
	_ = filelock.WriteNote(f) // people read it; nothing depends on it
	return &StateLock{f}, nil
}

// lockHolder reports whether a lock file is locked and by whom.
func lockHolder(path string) (pid int, held bool) {
	f, err := os.Open(path)
	if err != nil {
		return 0, false
	}
	defer filelock.Free(f)
	if free, err := filelock.TryShared(f); err == nil && free {
		return 0, false
	}
	return filelock.ReadNote(f).PID, true
}
