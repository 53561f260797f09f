package sqlite

import (
	"context"

	"github.com/found-footy/found-footy/internal/keep/private"
)

// BackupTo writes a whole, consistent copy of the database to path while others read and write it. path must not exist;
// what is left there after an error is no database.
func (b *Backend) BackupTo(ctx context.Context, path string) error {
	if err := private.File(path); err != nil {
		return fault("copy database", path, err)
	}
	_, err := b.read.ExecContext(ctx, "VACUUM INTO ?", path)
	return fault("copy database", path, err)
}
