package engine

import (
	"context"
	"errors"
	"github.com/found-footy/found-footy/internal/connect/network"
	"io"
	"os"
	"time"
)

// logMost is how many bytes engine.log has at most, but for what the engine says within a minute; engine.log.1 has what it had before.
const logMost = 10 << 20

// cutLog copies the end of a log that is too large and empties it: the engine has the file open and may outlive us. A line written just then may be
// lost.
func cutLog(dir string) error {
	path := logOf(dir)
	is, err := os.Stat(path)
	if err != nil || is.Size() <= logMost {
		return nil // there is none yet, or it is small
	}
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(path+".1", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err == nil {
		_, _ = in.Seek(-logMost, io.SeekEnd)
		_, err = io.Copy(out, in)
		err = errors.Join(err, out.Close())
	}
	return errors.Join(err, os.Truncate(path, 0)) // the disk may be full: emptying it helps
}

// cutLogs looks at the log every minute until ctx ends.
func (e *Engine) cutLogs(ctx context.Context) {
	for ok := true; ok; ok = network.Pause(ctx, time.Minute) == nil {
		if err := cutLog(e.opts.StateDir); err != nil {
			e.opts.Log.Warn("engine's log not cut", "module", "engine", "action", "log", "error", err)
		}
	}
}
