package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/keep/durable"
	"github.com/found-footy/found-footy/internal/keep/private"
	"github.com/found-footy/found-footy/internal/keep/store"
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

// migrating is the transaction of a migration.
type migrating struct {
	tx   *sql.Tx
	path string
}

var _ store.Documents = migrating{}

func (m migrating) Find(ctx context.Context, c store.Collection, id string) (store.Doc, error) {
	d, err := find(ctx, m.tx, c, id)
	return d, fault(fmt.Sprintf("find %s in %s", id, c), m.path, err)
}

func (m migrating) Select(ctx context.Context, c store.Collection, f store.Filter) ([]store.Doc, error) {
	return list(ctx, m.tx, c, f)
}

func (m migrating) Upsert(ctx context.Context, c store.Collection, docs []store.Doc) error {
	return put(ctx, m.tx, c, queries[c].upsert, docs)
}

func (m migrating) Delete(ctx context.Context, c store.Collection, f store.Filter) error {
	return remove(ctx, m.tx, "delete from "+string(c), c, f)
}
