package backup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// ours refuses a clip store that belongs neither to the backup's installation nor to the database that is replaced: what lies there is
// written over and deleted.
func (t Target) ours(ctx context.Context, m Manifest) error {
	const op = "restore"
	if _, err := os.Lstat(t.Marker); err == nil {
		return nil // an interrupted restore has asked, and may have written another id
	}
	mark, err := owner.MarkOf(ctx, t.Blob)
	if err != nil || mark == "" || mark == m.Installation {
		return err
	}
	if replaced, err := t.replaced(ctx); err != nil || replaced == mark {
		return err
	}
	if m.Installation == "" { // from before ids: names of clips say whose they are
		if known, err := t.knows(ctx, m); err != nil || known {
			return inDir(op, m.Path, err)
		}
	}
	return footy.Errorf(footy.CodeConflict, op, "the clip storage belongs to another installation, whose clips would be deleted; choose another with S3_BUCKET or --into, or, if it is yours, run footy clips adopt first")
}

// knows reports whether the backup names anything that lies in the clip store.
func (t Target) knows(ctx context.Context, m Manifest) (known bool, err error) {
	named := map[string]bool{}
	if err := readLines(filepath.Join(m.Path, objectsFile), func(o object) error { named[o.Key] = true; return nil }); err != nil {
		return false, err
	}
	err = t.Blob.List(ctx, blob.ClipPrefix, func(a blob.Attributes) error {
		if known = named[a.Key]; known {
			return errFound
		}
		return nil
	})
	if errors.Is(err, errFound) {
		err = nil
	}
	return known, err
}

// replaced is the id of the installation whose database is replaced; "" where there is none.
func (t Target) replaced(ctx context.Context) (string, error) {
	docs := t.Store
	if t.File != "" {
		if _, err := os.Lstat(t.File); errors.Is(err, fs.ErrNotExist) {
			return "", nil
		}
		b, err := t.AsIs(t.File)
		if err != nil {
			return "", nil // one that cannot be opened is why a backup is restored
		}
		defer b.Close() //nolint:errcheck // it was only read
		docs = b
	}
	is, err := owner.InstallationOf(ctx, store.New(docs))
	if footy.CodeOf(err) == footy.CodeUnavailable {
		return "", err
	}
	return is.ID, nil
}
