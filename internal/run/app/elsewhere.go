package app

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob/s3"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/web/media"
)

// signedFor is longer than a viewer leaves a page open and goes on with a clip, which the browser then asks for by the address it has.
const signedFor = 6 * time.Hour

// elsewhere is where viewers get clips without the page; nil if it passes all bytes on itself.
func elsewhere(c config.S3) (*media.Elsewhere, error) {
	if c.PublicURL == "" {
		return nil, nil //nolint:nilnil // most have none
	}
	const op = "read settings"
	base, err := url.Parse(c.PublicURL)
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, op, "S3_PUBLIC_URL: %w", err)
	}
	out := &media.Elsewhere{Origin: base.Scheme + "://" + base.Host}
	if !c.Signed {
		out.Address = func(_ context.Context, key, as string) (string, error) {
			if as != "" {
				return "", nil // a CDN does not let us name the file
			}
			return base.JoinPath(strings.Split(key, "/")...).String(), nil
		}
		return out, nil
	}
	public, err := s3.New(s3.Options{Endpoint: out.Origin, AccessKey: c.AccessKey, SecretKey: c.SecretKey, Bucket: c.Bucket, Region: c.Region})
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, op, "S3_PUBLIC_URL: %w", err)
	}
	out.Address = func(ctx context.Context, key, as string) (string, error) { return public.Sign(ctx, key, as, signedFor) }
	return out, nil
}
