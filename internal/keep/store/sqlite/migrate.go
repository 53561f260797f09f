package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/keep/durable"
	"github.com/found-footy/found-footy/internal/keep/private"
)

// setsAside copies a file before it is migrated, and names the copy.
type setsAside func(ctx context.Context, path string, version int) (copied string, err error)

// setAside names the copy by its schema and the time. An older program can open it.
func setAside(ctx context.Context, path string, version int) (copied string, err error) {
	to, err := durable.FreeName(fmt.Sprintf("%s.schema-%d-%s", path, version, time.Now().UTC().Format(durable.TimeForm)))
	if err != nil {
		return "", err
	}
	half := to + ".part"
	if err := copyTo(ctx, path, half); err != nil {
		_ = os.Remove(half) // the reason says more
		return "", fmt.Errorf("copy it to %s before it is migrated: %w", to, err)
	}
	return to, errors.Join(os.Rename(half, to), durable.SyncDir(filepath.Dir(to)))
}

// copyTo copies what is committed, over a connection of its own: this process has a transaction open.
func copyTo(ctx context.Context, path, to string) error {
	db, err := connect(path, 1, "deferred")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // it only reads
	if err := private.File(to); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", to); err != nil {
		return err
	}
	return syncFile(to)
}

func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
