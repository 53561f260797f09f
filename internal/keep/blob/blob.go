// Package blob keeps bytes: clips, posters and the staging area that media travels through between workers.
package blob

import (
	"context"
	"io"
	"time"
)

// Store is the port. Keys are slash-separated relative paths (CheckKey); no key may be the directory of another.
type Store interface {
	// Put writes an object whole or not at all, replacing one of the same key. size -1 = unknown.
	Put(ctx context.Context, key string, r io.Reader, size int64, info Info) error
	// Create writes a small object unless there is one of the key; CodeConflict if there is. Of several that create it at once one does,
	// where the service knows conditional writes.
	Create(ctx context.Context, key string, body []byte) error
	// Copy gives an object's bytes another key, too, without moving them through this process; CodeNotFound if there is none.
	Copy(ctx context.Context, from, to string, info Info) error
	// Open returns the object for reading with Seek (byte ranges); CodeNotFound if there is none.
	Open(ctx context.Context, key string) (Object, error)
	// Stat returns what is known about an object; CodeNotFound if there is none.
	Stat(ctx context.Context, key string) (Attributes, error)
	// Delete removes an object; none is no error.
	Delete(ctx context.Context, key string) error
	// List calls fn for each object under prefix in key order until fn returns an error.
	List(ctx context.Context, prefix string, fn func(Attributes) error) error
	// Tidy deletes what writes left behind that began before then and never ended.
	Tidy(ctx context.Context, before time.Time) error
	// Ping answers whether the store can be reached and written.
	Ping(ctx context.Context) error
}

// Info travels with the object. Metadata values may hold any UTF-8, its keys a-z, 0-9, "-" and "_" (CheckPut).
type Info struct {
	ContentType string            `json:"content_type,omitempty"`
	Metadata    map[string]string `json:"metadata,omitempty"`
}

// Attributes describe a stored object.
type Attributes struct {
	Key     string
	Size    int64
	ModTime time.Time
	ETag    string // names this version of the bytes; without quotes
	Info    Info   // List may leave Metadata empty
}

// Object is an open object.
type Object interface {
	io.ReadSeekCloser
	Attributes() Attributes
}

// Writable says whether a store may be changed: package owner guards one that may be another installation's.
func Writable(ctx context.Context, b Store) error {
	if g, ok := b.(interface {
		Writable(ctx context.Context) error
	}); ok {
		return g.Writable(ctx)
	}
	return nil
}

// Where things lie.
const (
	StagingPrefix = "staging/" // swept once no open post refers to it
	ClipPrefix    = "clips/"
	PosterPrefix  = "posters/"
	MarkKey       = "installation.json" // says whose the store is (package owner)
	PingKey       = "write-test.txt"    // what Ping writes to an object store; no list shows it
)
