// Package s3 keeps objects in a bucket of any S3 server: SeaweedFS, Garage, RustFS, AWS.
package s3

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/s3utils"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

// Options name the bucket and how to reach it.
type Options struct {
	Endpoint  string // host:port; a leading http:// or https:// decides Secure
	AccessKey string
	SecretKey string
	Bucket    string
	Region    string
	Secure    bool
	Transport http.RoundTripper // nil: the client's own
}

// partSize bounds the memory of an upload whose size is unknown.
const partSize = 16 << 20

// Store is a bucket.
type Store struct {
	client *minio.Client
	bucket string
	region string
	where  string // for errors: bucket at endpoint
	clock  *clock
	found  atomic.Bool // the bucket was there, or was made
}

var _ blob.Store = (*Store)(nil)

// ErrBucketName is in the error over a name that no bucket can have.
var ErrBucketName = errors.New("a bucket cannot have this name")

// New asks nothing of the server yet: the bucket is looked for, and made if it is missing, by Connect or at the first Put.
func New(o Options) (*Store, error) {
	const op = "open object store"
	if host, ok := strings.CutPrefix(o.Endpoint, "https://"); ok {
		o.Endpoint, o.Secure = host, true
	} else if host, ok := strings.CutPrefix(o.Endpoint, "http://"); ok {
		o.Endpoint, o.Secure = host, false
	}
	o.Endpoint = strings.TrimRight(o.Endpoint, "/")
	if o.Endpoint == "" || o.Bucket == "" {
		return nil, footy.Errorf(footy.CodeInvalid, op, "it needs an endpoint and a bucket")
	}
	if err := s3utils.CheckValidBucketName(o.Bucket); err != nil { // else it looks like a server that does not answer
		return nil, footy.Errorf(footy.CodeInvalid, op, "%w: %w", ErrBucketName, err)
	}
	if strings.HasPrefix(o.Endpoint, o.Bucket+".s3") { // which would be put before it once more
		return nil, footy.Errorf(footy.CodeInvalid, op, "it begins with the name of the bucket: leave %s. out", o.Bucket)
	}
	watch := &clock{next: o.Transport}
	if o.Transport == nil {
		own, err := minio.DefaultTransport(o.Secure)
		if err != nil {
			return nil, footy.Wrap(footy.CodeInvalid, op, err)
		}
		watch.next = own
	}
	client, err := minio.New(o.Endpoint, &minio.Options{
		Creds:     credentials.NewStaticV4(o.AccessKey, o.SecretKey, ""),
		Region:    o.Region,
		Secure:    o.Secure,
		Transport: watch,
	})
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, op, "%s: %w", o.Endpoint, err)
	}
	return &Store{client: client, bucket: o.Bucket, region: o.Region, clock: watch, where: fmt.Sprintf("bucket %s at %s", o.Bucket, o.Endpoint)}, nil
}

// Connect looks for the bucket and makes it if it is missing. After a success it asks nothing more.
func (s *Store) Connect(ctx context.Context) error {
	const op = "open object store"
	if s.found.Load() {
		return nil
	}
	exists, err := s.client.BucketExists(ctx, s.bucket)
	if err == nil && !exists || minio.ToErrorResponse(err).StatusCode == http.StatusBadRequest {
		if err := s3utils.CheckValidBucketNameStrict(s.bucket); err != nil { // such a bucket may be there, and is never made
			return footy.Errorf(footy.CodeInvalid, op, "%w: %w", ErrBucketName, err)
		}
	}
	right := ""
	if err == nil && !exists {
		right = mayMake
		err = s.client.MakeBucket(ctx, s.bucket, minio.MakeBucketOptions{Region: s.region})
		if minio.ToErrorResponse(err).Code == minio.BucketAlreadyOwnedByYou {
			err = nil // another process started at the same time
		}
	}
	if _, untrusted := errors.AsType[*tls.CertificateVerificationError](err); untrusted || errors.Is(err, http.ErrSchemeMismatch) { // it answers, and will never be understood
		return footy.Errorf(footy.CodeInvalid, op, "%s: %w", s.where, err)
	}
	if err != nil && right != mayMake {
		right, err = s.explain(ctx, "", err)
	}
	if err != nil {
		return s.fault(op, right, err)
	}
	s.found.Store(true)
	return nil
}

// Put uploads an object; the server shows it only when it is complete.
func (s *Store) Put(ctx context.Context, key string, r io.Reader, size int64, info blob.Info) error {
	op := "put object " + key
	if err := blob.CheckPut(op, key, info); err != nil {
		return err
	}
	if err := s.Connect(ctx); err != nil { // a server that was down at the start may lack the bucket
		code := footy.CodeOf(err)
		if code == footy.CodeInvalid { // the settings are wrong, not what is to be kept: it waits
			code = footy.CodeUnavailable
		}
		return &footy.Error{Code: code, Op: op, Err: err}
	}
	opts := minio.PutObjectOptions{ContentType: info.ContentType, UserMetadata: encoded(info)}
	switch seeker, seeks := r.(io.Seeker); {
	case size < 0:
		opts.PartSize = partSize
	case seeks: // left as it is, so that a try that failed can be repeated from the beginning
		if err := holds(seeker, size); err != nil {
			return s.fault(op, mayWrite, err)
		}
	default:
		r = &exactly{r: r, left: size}
	}
	// An empty body signed in chunks still sends a closing chunk, which some servers leave on the connection: the next
	// request there fails with "400 Bad Request".
	opts.DisableContentSha256 = size == 0
	_, err := s.client.PutObject(ctx, s.bucket, key, r, size, opts)
	return s.fault(op, mayWrite, err)
}

// Create uploads a small object on condition that there is none. A server that does not know the condition is asked before.
func (s *Store) Create(ctx context.Context, key string, body []byte) error {
	op := "create object " + key
	there := footy.Errorf(footy.CodeConflict, op, "it is there")
	if _, err := s.Stat(ctx, key); err == nil {
		return there
	} else if !footy.IsNotFound(err) {
		return err
	}
	opts := minio.PutObjectOptions{}
	opts.SetMatchETagExcept("*")
	_, err := s.client.PutObject(ctx, s.bucket, key, bytes.NewReader(body), int64(len(body)), opts)
	switch answer := minio.ToErrorResponse(err); {
	case answer.Code == minio.PreconditionFailed, answer.Code == "ConditionalRequestConflict":
		return there
	case answer.StatusCode == http.StatusBadRequest, answer.StatusCode == http.StatusNotImplemented: // it refuses the condition
		return s.Put(ctx, key, bytes.NewReader(body), int64(len(body)), blob.Info{})
	}
	return s.fault(op, mayWrite, err)
}

// Copy lets the server copy: no byte comes here.
func (s *Store) Copy(ctx context.Context, from, to string, info blob.Info) error {
	op := "copy object " + from
	if err := blob.CheckCopy(op, from, to, info); err != nil {
		return err
	}
	dst := minio.CopyDestOptions{Bucket: s.bucket, Object: to, ReplaceMetadata: true, ContentType: info.ContentType, UserMetadata: encoded(info)}
	_, err := s.client.CopyObject(ctx, dst, minio.CopySrcOptions{Bucket: s.bucket, Object: from})
	return s.fault(op, mayRead+" and "+mayWrite, err)
}

// Tidy aborts uploads of ours that began before then: a server keeps their parts, and charges for them, until somebody does.
func (s *Store) Tidy(ctx context.Context, before time.Time) error {
	const op = "abort uploads that broke off"
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the listing where an error does
	core := minio.Core{Client: s.client}
	for _, prefix := range []string{blob.StagingPrefix, blob.ClipPrefix, blob.PosterPrefix} {
		for u := range s.client.ListIncompleteUploads(ctx, s.bucket, prefix, true) {
			if u.Err != nil {
				return s.fault(op, mayAbort, u.Err)
			}
			if !u.Initiated.Before(before) {
				continue
			}
			if err := s.fault(op, mayAbort, core.AbortMultipartUpload(ctx, s.bucket, u.Key, u.UploadID)); err != nil && !footy.IsNotFound(err) {
				return err
			}
		}
	}
	return nil
}

// Delete removes an object; none is no error.
func (s *Store) Delete(ctx context.Context, key string) error {
	op := "delete object " + key
	if err := blob.CheckKey(op, key); err != nil {
		return err
	}
	err := s.fault(op, mayDelete, s.client.RemoveObject(ctx, s.bucket, key, minio.RemoveObjectOptions{}))
	if footy.IsNotFound(err) {
		return nil
	}
	return err
}

// List calls fn for each object under prefix in key order. Listings carry no metadata.
func (s *Store) List(ctx context.Context, prefix string, fn func(blob.Attributes) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the listing where fn ends it
	for o := range s.client.ListObjects(ctx, s.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if o.Err != nil {
			return s.fault("list objects under "+prefix, mayList, o.Err)
		}
		if strings.HasSuffix(o.Key, "/") || o.Key == blob.PingKey {
			continue // a folder marker of some console; nobody's object
		}
		if err := fn(attributes(o)); err != nil {
			return err
		}
	}
	return s.fault("list objects under "+prefix, mayList, ctx.Err())
}

// Ping overwrites one small object, whichever process asks.
func (s *Store) Ping(ctx context.Context) error {
	err := s.Put(ctx, blob.PingKey, strings.NewReader("ok"), 2, blob.Info{ContentType: "text/plain"})
	return footy.Wrap(footy.CodeUnavailable, "reach object store", err)
}

func encoded(info blob.Info) map[string]string {
	out := map[string]string{}
	for k, v := range info.Metadata {
		out[k] = blob.EncodeMetadata(v)
	}
	return out
}

// holds reports whether a body has the length that was announced.
func holds(body io.Seeker, size int64) error {
	at, err := body.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	end, err := body.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if end-at != size {
		return footy.Errorf(footy.CodeInvalid, "read body", "%d bytes are there, %d were announced", end-at, size)
	}
	_, err = body.Seek(at, io.SeekStart)
	return err
}

// exactly fails where a reader has fewer or more bytes than announced: an object is written whole or not at all.
type exactly struct {
	r    io.Reader
	left int64
}

func (e *exactly) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	e.left -= int64(n)
	switch {
	case e.left < 0, err == io.EOF && e.left > 0:
		return n, footy.Errorf(footy.CodeInvalid, "read body", "its size is not the one announced")
	}
	return n, err
}
