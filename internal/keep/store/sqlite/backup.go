package sqlite

import (
	"context"

	"github.com/found-footy/found-footy/internal/keep/private"
)

// Size is about how many bytes BackupTo writes.
func (b *Backend) Size(ctx context.Context) (bytes int64, err error) {
	err = b.read.QueryRowContext(ctx, "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size").Scan(&bytes)
	return bytes, fault("measure database", b.path, err)
}

// BackupTo writes a whole, consistent copy of the database to path while others read and write it. path must not exist;
// what is left there after an error is no database.
func (b *Backend) BackupTo(ctx context.Context, path string) error {
	if err := private.File(path); err != nil {
		return fault("copy database", path, err)
	}
	_, err := b.read.ExecContext(ctx, "VACUUM INTO ?", path)
	return fault("copy database", path, err)
}
