package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/footy/filelock"
	"github.com/found-footy/found-footy/internal/keep/durable"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// migrate brings a file up to date while no other process has it open: a program of an older schema would write what it knows. It waits
// a while for those that have, of which one may do the same. It names the copy of the file that it made before.
func migrate(path string, patience time.Duration) (copied string, err error) {
	u, err := waitFor(patience, func() (*filelock.Use, error) {
		if version, err := inspect(path); err != nil || version >= store.SchemaVersion {
			return nil, err
		}
		return alone(path)
	})
	if u == nil {
		return "", refused(path, err, stopIt)
	}
	defer u.Free()
	if copied, err = setAside(context.Background(), path); err == nil {
		err = prepare(path)
	}
	if err != nil && copied != "" {
		_ = os.Remove(copied) // the file is what it was, and tries that fail must not fill the disk
	}
	return copied, fault("open database", path, err)
}

// setAside copies a file of an older schema, under a name with its schema and the time. An older program can open the copy.
func setAside(ctx context.Context, path string) (copied string, err error) {
	b, err := attach(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = b.Close() }() // it only reads
	version, err := versionOf(ctx, b.read)
	if err != nil || version >= store.SchemaVersion { // a journal was ahead of the file
		return "", err
	}
	to, err := durable.FreeName(fmt.Sprintf("%s.schema-%d-%s", path, version, time.Now().UTC().Format(durable.TimeForm)))
	if err != nil {
		return "", err
	}
	half := to + ".part"
	if err := errors.Join(b.BackupTo(ctx, half), durable.Sync(half)); err != nil {
		_ = os.Remove(half) // the reason says more
		return "", fmt.Errorf("copy it to %s before it is migrated: %w", to, err)
	}
	return to, errors.Join(os.Rename(half, to), durable.Sync(filepath.Dir(to)))
}
