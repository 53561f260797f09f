package s3

import (
	"context"
	"mime"
	"net/url"
	"time"

	"github.com/found-footy/found-footy/internal/keep/blob"
)

// Sign returns an address under which whoever has it may read an object for a while; the server is not asked. It names the endpoint
// of the options, so that is to be the one that readers reach. as, if not empty, is the file name under which a browser saves it.
func (s *Store) Sign(ctx context.Context, key, as string, lasts time.Duration) (string, error) {
	op := "sign the address of " + key
	if err := blob.CheckKey(op, key); err != nil {
		return "", err
	}
	answer := url.Values{}
	if as != "" {
		answer.Set("response-content-disposition", mime.FormatMediaType("attachment", map[string]string{"filename": as}))
	}
	u, err := s.client.PresignedGetObject(ctx, s.bucket, key, lasts, answer)
	if err != nil {
		return "", s.fault(op, mayRead, err)
	}
	return u.String(), nil
}
