// Package dir keeps objects as plain files in a directory, where a person can watch and copy them. It is the default: it
// needs no server and no settings. What travels with an object elsewhere is not kept: its name gives its content type.
package dir

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

const (
	tempDir  = ".tmp"  // what is being written
	wordsDir = ".meta" // what releases before 1.2 kept of each object, and nothing read
	// tempAge is when a temporary file was certainly left behind by a crash.
	tempAge = 24 * time.Hour
)

// Store is a directory. Several processes may use it at once.
type Store struct{ root string }

var _ blob.Store = (*Store)(nil)

// Open opens the directory, creates it if it is missing and clears what crashes left behind.
func Open(root string) (*Store, error) {
	const op = "open clip directory"
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, op, "%w", err)
	}
	s := &Store{root: root}
	if err := os.MkdirAll(s.file(tempDir), 0o755); err != nil {
		return nil, s.fault(op, err)
	}
	return s, s.fault(op, errors.Join(os.RemoveAll(s.file(wordsDir)), s.clearTemp(time.Now().Add(-tempAge))))
}

// Tidy deletes what writes left behind that broke off.
func (s *Store) Tidy(_ context.Context, before time.Time) error {
	return s.fault("tidy clip directory", s.clearTemp(before))
}

func (s *Store) clearTemp(before time.Time) error {
	entries, err := os.ReadDir(filepath.Join(s.root, tempDir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.ModTime().Before(before) {
			continue
		}
		if err != nil {
			return err
		}
		if err := os.Remove(s.file(tempDir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (s *Store) file(parts ...string) string {
	return filepath.Join(append([]string{s.root}, parts...)...)
}

// Stat returns what is known about an object.
func (s *Store) Stat(ctx context.Context, key string) (blob.Attributes, error) {
	o, err := s.Open(ctx, key)
	if err != nil {
		return blob.Attributes{}, err
	}
	return o.Attributes(), s.fault("stat object "+key, o.Close())
}

// Open returns an object for reading. Who replaces it meanwhile does not disturb the reader.
func (s *Store) Open(ctx context.Context, key string) (blob.Object, error) {
	op := "open object " + key
	if err := blob.CheckKey(op, key); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, s.fault(op, err)
	}
	f, err := os.Open(s.file(key))
	if gone(err) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, s.fault(op, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist // a directory is the beginning of other keys
	}
	if err != nil {
		return nil, s.fault(op, errors.Join(err, f.Close()))
	}
	return &object{f, attributes(key, info)}, nil
}

type object struct {
	*os.File
	attrs blob.Attributes
}

func (o *object) Attributes() blob.Attributes { return o.attrs }

func attributes(key string, info fs.FileInfo) blob.Attributes {
	return blob.Attributes{
		Key: key, Size: info.Size(), ModTime: info.ModTime(), ETag: etag(info),
		Info: blob.Info{ContentType: typeByName(key)},
	}
}

// Ping writes and removes a small file.
func (s *Store) Ping(context.Context) error {
	const op = "reach clip directory"
	f, err := os.CreateTemp(s.file(tempDir), "write-test-*")
	if err != nil {
		return s.fault(op, err)
	}
	_, err = f.WriteString("ok")
	return s.fault(op, errors.Join(err, f.Close(), os.Remove(f.Name())))
}

// fault translates an error of the file system into one line that names the directory and the remedy.
func (s *Store) fault(op string, err error) error {
	if err == nil {
		return nil
	}
	var own *footy.Error
	switch {
	case errors.As(err, &own):
		return footy.Wrap(own.Code, op, err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &footy.Error{Code: footy.CodeUnavailable, Op: op, Err: err}
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return footy.Errorf(footy.CodeUnavailable, op, "the disk of %s is full: free some space; nothing that was stored before is lost (%w)", s.root, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return footy.Errorf(footy.CodeInvalid, op, "%s cannot be written (%w): give this user write permission or choose another directory", s.root, err)
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.EEXIST):
		return footy.Errorf(footy.CodeInvalid, op, "a file and a directory want the same name (%w)", err)
	case errors.Is(err, fs.ErrNotExist):
		return footy.Errorf(footy.CodeNotFound, op, "no such object")
	}
	return footy.Errorf(footy.CodeUnavailable, op, "%s: %w", s.root, err)
}

// gone reports whether a key names nothing: also where a part of it is a file of its own.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }

// List calls fn for each object under prefix in key order: byte order of whole keys, as S3 has it.
func (s *Store) List(ctx context.Context, prefix string, fn func(blob.Attributes) error) error {
	return s.walk(ctx, "", prefix, fn)
}

// walk lists one directory; dir is "" or ends with a slash.
func (s *Store) walk(ctx context.Context, dir, prefix string, fn func(blob.Attributes) error) error {
	op := "list objects under " + prefix
	if err := ctx.Err(); err != nil {
		return s.fault(op, err)
	}
	entries, err := os.ReadDir(s.file(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // removed while we walked
	}
	if err != nil {
		return s.fault(op, err)
	}
	// A directory sorts as its name with the slash that follows it in keys: "a-b" comes before "a/c".
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return cmp.Compare(keyPart(a), keyPart(b)) })
	for _, e := range entries {
		key := dir + keyPart(e)
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if e.IsDir() {
			if strings.HasPrefix(key, prefix) || strings.HasPrefix(prefix, key) {
				if err := s.walk(ctx, key, prefix, fn); err != nil {
					return err
				}
			}
			continue
		}
		if !strings.HasPrefix(key, prefix) || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return s.fault(op, err)
		}
		if err := fn(attributes(key, info)); err != nil {
			return err
		}
	}
	return nil
}

func keyPart(e os.DirEntry) string {
	if e.IsDir() {
		return e.Name() + "/"
	}
	return e.Name()
}
