// Package dir keeps objects as plain files under one directory: the embedded default.
package dir

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/footy"
)

// Store keeps each object as a file, with what travels with it in a hidden file beside it.
type Store struct{ root string }

var _ blob.Store = (*Store)(nil)

const (
	sidecar = ".meta-" // prefix of the file that holds Info
	partial = ".part-" // prefix of a file that is being written
)

// Open makes the directory if it is missing.
func Open(root string) (*Store, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, "open clip directory "+root, err)
	}
	if err := os.MkdirAll(abs, 0o755); err != nil {
		return nil, trouble("open clip directory "+abs, err)
	}
	return &Store{root: abs}, nil
}

type meta struct {
	ContentType string            `json:"content_type,omitempty"`
	Metadata    map[string]string `json:"metadata,omitempty"`
	ETag        string            `json:"etag,omitempty"`
}

// Put writes beside the object and renames: readers see the old bytes or the new ones, never a part.
func (s *Store) Put(ctx context.Context, key string, r io.Reader, size int64, info blob.Info) error {
	op := "put " + key
	path, err := s.path(op, key)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return trouble(op, err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), partial+"*")
	if err != nil {
		return trouble(op, err)
	}
	defer os.Remove(tmp.Name())
	n, err := io.Copy(tmp, reader{ctx, r})
	if err == nil {
		err = tmp.Sync()
	}
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return trouble(op, err)
	}
	if size >= 0 && n != size {
		return footy.Errorf(footy.CodeInvalid, op, "%d bytes announced, %d came", size, n)
	}
	if err := s.describe(path, info); err != nil {
		return trouble(op, err)
	}
	return trouble(op, os.Rename(tmp.Name(), path))
}

func (s *Store) describe(path string, info blob.Info) error {
	b, err := json.Marshal(meta{ContentType: info.ContentType, Metadata: info.Metadata})
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), partial+"*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(b)
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), side(path))
}

// Open opens the file; ranges are seeks.
func (s *Store) Open(ctx context.Context, key string) (blob.Object, error) {
	at, err := s.Stat(ctx, key)
	if err != nil {
		return nil, err
	}
	path, err := s.path("open "+key, key)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, trouble("open "+key, err)
	}
	return object{f, at}, nil
}

// Stat reads the file's size and what travels with it.
func (s *Store) Stat(_ context.Context, key string) (blob.Attributes, error) {
	op := "stat " + key
	path, err := s.path(op, key)
	if err != nil {
		return blob.Attributes{}, err
	}
	fi, err := os.Stat(path)
	if err == nil && fi.IsDir() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return blob.Attributes{}, trouble(op, err)
	}
	at := attributes(key, fi)
	b, err := os.ReadFile(side(path))
	if errors.Is(err, fs.ErrNotExist) {
		return at, nil
	}
	var m meta
	if err == nil {
		err = json.Unmarshal(b, &m)
	}
	at.Info = blob.Info{ContentType: m.ContentType, Metadata: m.Metadata}
	return at, trouble(op, err)
}

// Delete removes the object and what travels with it.
func (s *Store) Delete(_ context.Context, key string) error {
	path, err := s.path("delete "+key, key)
	if err != nil {
		return err
	}
	for _, p := range []string{path, side(path)} {
		if err := os.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return trouble("delete "+key, err)
		}
	}
	return nil
}

// List walks the files under prefix in key order.
func (s *Store) List(ctx context.Context, prefix string, fn func(blob.Attributes) error) error {
	var found []blob.Attributes
	start := filepath.Join(s.root, filepath.FromSlash(prefix[:strings.LastIndex(prefix, "/")+1]))
	err := filepath.WalkDir(start, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || hidden(d.Name()) {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // deleted while we walked, or no such prefix: nothing found
			}
			return err
		}
		rel, err := filepath.Rel(s.root, path)
		if key := filepath.ToSlash(rel); err == nil && strings.HasPrefix(key, prefix) {
			fi, err := d.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			} else if err != nil {
				return err
			}
			found = append(found, attributes(key, fi))
		}
		return err
	})
	if err != nil {
		return trouble("list "+prefix, err)
	}
	sort.Slice(found, func(i, j int) bool { return found[i].Key < found[j].Key })
	for _, at := range found {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := fn(at); err != nil {
			return err
		}
	}
	return nil
}

// Ping writes and removes a small file.
func (s *Store) Ping(context.Context) error {
	f, err := os.CreateTemp(s.root, partial+"ping-*")
	if err != nil {
		return trouble("write to clip directory "+s.root, err)
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString("ping")
	if closed := f.Close(); err == nil {
		err = closed
	}
	return trouble("write to clip directory "+s.root, err)
}

// path turns a key into a file below the root; a key that would leave it is refused.
func (s *Store) path(op, key string) (string, error) {
	if !fs.ValidPath(key) || key == "." || hidden(filepath.Base(key)) {
		return "", footy.Errorf(footy.CodeInvalid, op, "key %q is not a plain relative path", key)
	}
	return filepath.Join(s.root, filepath.FromSlash(key)), nil
}

func side(path string) string { return filepath.Join(filepath.Dir(path), sidecar+filepath.Base(path)) }

func hidden(name string) bool { return strings.HasPrefix(name, sidecar) || strings.HasPrefix(name, partial) }

func attributes(key string, fi fs.FileInfo) blob.Attributes {
	return blob.Attributes{Key: key, Size: fi.Size(), ModTime: fi.ModTime().Truncate(time.Millisecond)}
}

// trouble translates errors of the file system and names the remedy where there is one.
func trouble(op string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return footy.Errorf(footy.CodeNotFound, op, "%w", err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return footy.Errorf(footy.CodeUnavailable, op, "the disk is full: %w; make room or choose another STATE_DIR", err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return footy.Errorf(footy.CodeUnavailable, op, "%w; make it writable or choose another STATE_DIR", err)
	}
	return footy.Wrap(footy.CodeUnavailable, op, err)
}

type object struct {
	*os.File
	at blob.Attributes
}

func (o object) Attributes() blob.Attributes { return o.at }

// reader stops copying when the caller gives up.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
