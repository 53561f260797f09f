package engine

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// LogMost is how many bytes engine.log has at most, but for what the engine says within a minute, and so has the copy of what it had before.
const LogMost = 10 << 20

// CutLog moves the end of a log that is too large to engine.log.1. The engine has the file open and may outlive us, so that it is emptied
// and not renamed; a line written just then may be lost.
func CutLog(dir string) error {
	const op = "cut the engine's log"
	path := filepath.Join(dir, "engine.log")
	is, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && is.Size() <= LogMost {
		return nil
	}
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, op, err)
	}
	if err := copyEnd(path, path+".1"); err != nil { // the disk may be full: emptying it helps
		return footy.Wrap(footy.CodeUnavailable, op, errors.Join(err, os.Truncate(path, 0)))
	}
	return footy.Wrap(footy.CodeUnavailable, op, os.Truncate(path, 0))
}

func copyEnd(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if _, err := in.Seek(-LogMost, io.SeekEnd); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.CopyN(out, in, LogMost)
	return errors.Join(err, out.Close())
}

// cutLogs looks at the log every minute until ctx ends.
func (e *Engine) cutLogs(ctx context.Context) {
	for {
		if err := CutLog(e.opts.StateDir); err != nil {
			e.opts.Log.Warn("engine's log not cut: "+footy.UserMessage(err), "module", "engine", "action", "log")
		}
		if wait(ctx, time.Minute) != nil {
			return
		}
	}
}
