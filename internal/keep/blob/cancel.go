package blob

import (
	"context"
	"io"
)

// Cancellable reads from r until ctx ends: a copy stops when the caller gives up.
func Cancellable(ctx context.Context, r io.Reader) io.Reader { return cancellable{ctx, r} }

type cancellable struct {
	ctx context.Context
	r   io.Reader
}

func (c cancellable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
