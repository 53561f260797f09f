package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Call does something with a connection, again where the connection is lost.
func (b *Backend) Call(ctx context.Context, fn func(context.Context, *pgx.Conn) error) error {
	return b.call(ctx, "call", fn)
}
