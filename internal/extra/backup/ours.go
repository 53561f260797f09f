package backup

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

// ours refuses a clip store that belongs neither to the backup's installation nor to the database that is replaced: what lies there is
// written over and deleted. It returns the id that both have after the restore: the backup's; else, of one from before ids, the clip
// store's or a new one.
func (t Target) ours(ctx context.Context, m Manifest) (id string, err error) {
	const op = "restore"
	_, err = os.Lstat(t.Marker)
	interrupted := err == nil // it has asked, and may have written another id
	mark, err := owner.MarkOf(ctx, t.Blob)
	if interrupted && footy.CodeOf(err) == footy.CodeInvalid {
		err = nil
	}
	if id = cmp.Or(m.Installation, mark); id == "" && !t.Now.IsZero() {
		id = owner.NewID()
	}
	if err != nil || interrupted || mark == "" || mark == m.Installation {
		return id, err
	}
	if replaced, err := t.replaced(ctx); err != nil || replaced == mark {
		return id, err
	}
	return "", footy.Errorf(footy.CodeConflict, op, "the clip storage belongs to another installation, whose clips would be deleted; choose another with S3_BUCKET or --into, or, if it is yours, run footy clips adopt first")
}

// replaced is the id of the installation whose database is replaced; "" where there is none.
func (t Target) replaced(ctx context.Context) (string, error) {
	docs := t.Store
	if t.File != "" {
		if _, err := os.Lstat(t.File); errors.Is(err, fs.ErrNotExist) {
			return "", nil
		}
		b, err := sqlite.OpenAsIs(t.File)
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
