// Package blob keeps bytes: clips, posters and the staging area that media travels through between workers.
package blob

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/found-footy/found-footy/internal/footy"
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

// Info travels with the object in a bucket; a directory keeps none of it. Metadata values may hold any UTF-8, its keys a-z, 0-9, "-" and "_"
// (CheckPut).
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

// Limits that every adapter keeps, so that what one accepts another can take over.
const (
	maxKey      = 1024 // bytes, S3
	maxSegment  = 200  // bytes, file systems allow 255 and adapters add a little
	maxMetadata = 2048 // bytes once encoded, S3
)

// CheckKey refuses keys that could leave the store or that one of the adapters cannot hold.
func CheckKey(op, key string) error {
	bad := !fs.ValidPath(key) || key == "." || len(key) > maxKey || strings.ContainsAny(key, "\\\x00") || !utf8.ValidString(key)
	for segment := range strings.SplitSeq(key, "/") {
		bad = bad || strings.HasPrefix(segment, ".") || len(segment) > maxSegment
	}
	if bad {
		return footy.Errorf(footy.CodeInvalid, op, "key %q is not a plain relative path without hidden parts", key)
	}
	return nil
}

// CheckPut refuses an object that cannot be stored.
func CheckPut(op, key string, info Info) error {
	return cmp.Or(CheckKey(op, key), checkInfo(op, info))
}

// CheckCopy refuses keys and words of a copy that cannot be stored.
func CheckCopy(op, from, to string, info Info) error {
	return cmp.Or(CheckKey(op, from), CheckPut(op, to, info))
}

// checkInfo refuses what cannot travel with an object: metadata keys become HTTP header names.
func checkInfo(op string, info Info) error {
	size := 0
	for k, v := range info.Metadata {
		if k == "" || strings.Trim(k, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return footy.Errorf(footy.CodeInvalid, op, "metadata key %q may hold only a-z, 0-9, - and _", k)
		}
		if !utf8.ValidString(v) {
			return footy.Errorf(footy.CodeInvalid, op, "metadata %s is not UTF-8", k)
		}
		size += len(k) + len(EncodeMetadata(v))
	}
	if size > maxMetadata {
		return footy.Errorf(footy.CodeInvalid, op, "metadata takes %d bytes encoded, %d are allowed", size, maxMetadata)
	}
	return nil
}

// EncodeMetadata writes UTF-8 as the ASCII that HTTP headers allow: percent-encoded.
func EncodeMetadata(value string) string { return url.PathEscape(value) }

// DecodeMetadata undoes EncodeMetadata; what somebody else wrote plainly stays as it is.
func DecodeMetadata(value string) string {
	if plain, err := url.PathUnescape(value); err == nil {
		return plain
	}
	return value
}

// StillKey is where the small picture of a downloaded post lies: beside the posters of its goal, and gone with them.
func StillKey(eventUID, digest string) string {
	return PosterPrefix + eventUID + "/still-" + digest + ".jpg"
}

// FootageKey is where it lies by what a downloaded post's footage is recognised, beside its still.
func FootageKey(eventUID, digest string) string {
	return PosterPrefix + eventUID + "/footage-" + digest + ".json"
}

// ClockKey is where the picture of a downloaded post's running clock lies, beside its still.
func ClockKey(eventUID, digest string) string {
	return PosterPrefix + eventUID + "/clock-" + digest + ".jpg"
}

// Traces are the objects that are kept of a downloaded post beside the posters of its goal; not each of them need be there.
func Traces(eventUID, digest string) []string {
	return []string{StillKey(eventUID, digest), FootageKey(eventUID, digest), ClockKey(eventUID, digest)}
}

// DigestOf is the digest of the file that an object beside the posters of a goal was made from.
func DigestOf(key string) string {
	name := strings.TrimSuffix(path.Base(key), path.Ext(key))
	for _, kind := range []string{"still-", "footage-", "clock-"} {
		name = strings.TrimPrefix(name, kind)
	}
	return name
}

// IsTrace reports whether an object beside the posters of a goal is what is kept of a downloaded post.
func IsTrace(key string) bool {
	return strings.HasPrefix(key, PosterPrefix) && DigestOf(key)+path.Ext(key) != path.Base(key)
}

// ErrSpoiled is in the error of a staged object that does not hold what was put there.
var ErrSpoiled = errors.New("its bytes are not those that were staged")

// sumLength is how much of a sum is in the name of a part: enough for what went wrong by chance.
const sumLength = 16

// StagedFilm is where the file of a post is staged; kind is its extension.
func StagedFilm(digest, kind string) string { return StagingPrefix + digest + "/clip" + kind }

// StagedMade is where a film that was made of the file is staged; sum is that of its bytes.
func StagedMade(digest, sum, kind string) string {
	return StagingPrefix + digest + "/film-" + sum[:sumLength] + kind
}

// StagedPart is where something lies that was made of the file. Its name ends in the sum of its bytes, as that of the file begins with it:
// so whoever reads it knows that they are still those.
func StagedPart(digest, name string, content []byte) string {
	kind := path.Ext(name)
	sum := sha256.Sum256(content)
	return StagingPrefix + digest + "/" + strings.TrimSuffix(name, kind) + "-" + hex.EncodeToString(sum[:])[:sumLength] + kind
}

// Read writes an object to w; ErrSpoiled where the bytes of a staged one are others than its name says.
func Read(ctx context.Context, b Store, key string, w io.Writer) error {
	o, err := b.Open(ctx, key)
	if err != nil {
		return err
	}
	defer func() { _ = o.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(w, sum), Cancellable(ctx, o)); err != nil {
		return err
	}
	if want := stagedSum(key); !strings.HasPrefix(hex.EncodeToString(sum.Sum(nil)), want) {
		return fmt.Errorf("%s: %w", key, ErrSpoiled)
	}
	return nil
}

// stagedSum is the sum in the name of a staged object; "" in names of 1.0.0 and before, and of what is not staged.
func stagedSum(key string) string {
	staged, ok := strings.CutPrefix(key, StagingPrefix)
	if !ok {
		return ""
	}
	digest, name, _ := strings.Cut(staged, "/")
	if key == StagedFilm(digest, path.Ext(key)) {
		return digest
	}
	name = strings.TrimSuffix(name, path.Ext(name))
	if sum := name[strings.LastIndex(name, "-")+1:]; len(sum) == sumLength {
		return sum
	}
	return ""
}

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
