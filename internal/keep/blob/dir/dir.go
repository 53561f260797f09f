// Package dir keeps objects as plain files in a directory, where a person can watch and copy them. It is the default: it
// needs no server and no settings.
package dir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

const (
	metaDir = ".meta" // what travels with the objects
	tempDir = ".tmp"  // what is being written
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
	for _, name := range []string{metaDir, tempDir} {
		if err := os.MkdirAll(filepath.Join(root, name), 0o755); err != nil {
			return nil, s.fault(op, err)
		}
	}
	return s, s.fault(op, s.clearTemp(time.Now().Add(-tempAge)))
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

// file is the path of something below the root.
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
	for {
		if err := ctx.Err(); err != nil {
			return nil, s.fault(op, err)
		}
		o, again, err := s.openVersion(key)
		if err != nil {
			return nil, s.fault(op, err)
		}
		if !again {
			return o, nil
		}
	}
}

// openVersion opens the file and the words of that version. It asks to be called again if a writer replaced the object in
// between and took the words away.
func (s *Store) openVersion(key string) (_ *object, again bool, err error) {
	f, err := os.Open(s.file(key))
	if gone(err) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, false, err
	}
	defer func() {
		if err != nil || again {
			err = errors.Join(err, f.Close())
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	if !info.Mode().IsRegular() {
		return nil, false, fs.ErrNotExist // a directory is the beginning of other keys
	}
	o := &object{File: f, attrs: attributes(key, info)}
	words, err := s.readInfo(key, etag(info))
	if errors.Is(err, fs.ErrNotExist) {
		// Replaced just now, or a file that was copied here by hand: known by its name alone.
		now, err := os.Stat(s.file(key))
		if err != nil {
			return nil, false, err
		}
		return o, etag(now) != etag(info), nil
	}
	if err != nil {
		return nil, false, err
	}
	o.attrs.Info = words
	return o, false, nil
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
