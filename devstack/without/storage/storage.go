// Package storage stands in for Google's client of that name: the embedded engine archives nothing there.
package storage

import (
	"context"
	"errors"

	"google.golang.org/api/option"
)

// ErrLeftOut is the answer to everything.
var ErrLeftOut = errors.New("this engine is built without a client of Google Cloud Storage")

// ScopeFullControl is asked for with credentials.
const ScopeFullControl = "https://www.googleapis.com/auth/devstorage.full_control"

type (
	// Client has no connection.
	Client struct{}
	// BucketHandle names no bucket.
	BucketHandle struct{}
	// ObjectHandle names no object.
	ObjectHandle struct{}
	// Writer writes nowhere.
	Writer struct{}
	// Reader reads nothing.
	Reader struct{}
	// ObjectIterator lists nothing.
	ObjectIterator struct{}
	// BucketAttrs are never had.
	BucketAttrs struct{}
	// ObjectAttrs are never had.
	ObjectAttrs struct{ Name string }
	// Query finds nothing.
	Query struct{ Prefix string }
)

// NewClient refuses.
func NewClient(context.Context, ...option.ClientOption) (*Client, error) { return nil, ErrLeftOut }

// Bucket is never reached: there is no client.
func (*Client) Bucket(string) *BucketHandle { return &BucketHandle{} }

// Object is that of no bucket.
func (*BucketHandle) Object(string) *ObjectHandle { return &ObjectHandle{} }

// Objects refuses at the first one.
func (*BucketHandle) Objects(context.Context, *Query) *ObjectIterator { return &ObjectIterator{} }

// Attrs refuses.
func (*BucketHandle) Attrs(context.Context) (*BucketAttrs, error) { return nil, ErrLeftOut }

// NewWriter refuses at the first byte.
func (*ObjectHandle) NewWriter(context.Context) *Writer { return &Writer{} }

// NewReader refuses.
func (*ObjectHandle) NewReader(context.Context) (*Reader, error) { return nil, ErrLeftOut }

// Attrs refuses.
func (*ObjectHandle) Attrs(context.Context) (*ObjectAttrs, error) { return nil, ErrLeftOut }

// Next refuses.
func (*ObjectIterator) Next() (*ObjectAttrs, error) { return nil, ErrLeftOut }

func (*Writer) Write([]byte) (int, error) { return 0, ErrLeftOut }

// Close refuses.
func (*Writer) Close() error { return ErrLeftOut }

// CloseWithError refuses.
func (*Writer) CloseWithError(error) error { return ErrLeftOut }

func (*Reader) Read([]byte) (int, error) { return 0, ErrLeftOut }

// Close closes nothing.
func (*Reader) Close() error { return nil }
