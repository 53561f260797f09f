package sqlite

import (
	"context"

	"github.com/found-footy/found-footy/internal/footy"
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
	_, cause := b.read.ExecContext(ctx, "VACUUM INTO ?", path)
	err := fault("copy database", path, cause)
	if footy.CodeOf(err) == footy.CodeCorrupt { // what is copied, not the copy
		err = fault("copy database", b.path, cause)
	}
	return err
}
