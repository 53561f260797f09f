package s3

import (
	"context"
	"mime"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

// Stat returns what is known about an object.
func (s *Store) Stat(ctx context.Context, key string) (blob.Attributes, error) {
	op := "stat object " + key
	if err := blob.CheckKey(op, key); err != nil {
		return blob.Attributes{}, err
	}
	info, err := s.client.StatObject(ctx, s.bucket, key, minio.StatObjectOptions{})
	if err != nil {
		right, err := s.explain(ctx, key, err)
		return blob.Attributes{}, s.fault(op, right, err)
	}
	return attributes(info), nil
}

// Open returns an object for reading; each seek starts a ranged request.
func (s *Store) Open(ctx context.Context, key string) (blob.Object, error) {
	attrs, err := s.Stat(ctx, key)
	if err != nil {
		return nil, err
	}
	// Later requests carry the ETag, so that an object replaced while it is read fails instead of mixing two files.
	opts := minio.GetObjectOptions{}
	if err := opts.SetMatchETag(attrs.ETag); err != nil {
		return nil, s.fault("open object "+key, mayRead, err)
	}
	o, err := s.client.GetObject(ctx, s.bucket, key, opts)
	if err != nil {
		return nil, s.fault("open object "+key, mayRead, err)
	}
	return &object{Object: o, attrs: attrs}, nil
}

type object struct {
	*minio.Object
	attrs blob.Attributes
}

func (o *object) Attributes() blob.Attributes { return o.attrs }

func attributes(o minio.ObjectInfo) blob.Attributes {
	a := blob.Attributes{
		Key: o.Key, Size: o.Size, ModTime: o.LastModified, ETag: strings.Trim(o.ETag, `"`),
		Info: blob.Info{ContentType: o.ContentType},
	}
	for k, v := range o.UserMetadata {
		if a.Info.Metadata == nil {
			a.Info.Metadata = map[string]string{}
		}
		a.Info.Metadata[strings.ToLower(k)] = blob.DecodeMetadata(v)
	}
	return a
}

// fault translates an answer of the server to what needs a right.
func (s *Store) fault(op, right string, err error) error {
	if err == nil {
		return nil
	}
	if code := footy.CodeOf(err); code == footy.CodeInvalid {
		return footy.Wrap(code, op, err)
	}
	answer := minio.ToErrorResponse(err)
	if code, why := s.refusal(answer, right); why != nil {
		return footy.Wrap(code, op, why)
	}
	switch answer.Code {
	case minio.NoSuchKey, minio.NoSuchUpload, "NotFound":
		return footy.Errorf(footy.CodeNotFound, op, "no such object")
	case "InvalidBucketName":
		return footy.Errorf(footy.CodeInvalid, op, "%w: %s: %w", ErrBucketName, s.where, err)
	case "InvalidArgument", "EntityTooLarge", minio.InvalidRange:
		return footy.Errorf(footy.CodeInvalid, op, "%s: %w", s.where, err)
	}
	return footy.Errorf(footy.CodeUnavailable, op, "%s: %w", s.where, err)
}

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
