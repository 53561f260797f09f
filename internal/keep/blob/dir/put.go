package dir

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/durable"
)

// Put writes a temporary file and renames it: readers see the whole object or the one before.
func (s *Store) Put(ctx context.Context, key string, r io.Reader, size int64, info blob.Info) error {
	op := "put object " + key
	if err := blob.CheckPut(op, key, info); err != nil {
		return err
	}
	temp, err := s.writeTemp(ctx, r, size)
	if err != nil {
		return s.fault(op, err)
	}
	if err = intoDirectory(temp, s.file(key)); err != nil {
		err = errors.Join(err, os.Remove(temp))
	}
	return s.fault(op, err)
}

// Create writes a temporary file and gives it its name, unless something has that.
func (s *Store) Create(ctx context.Context, key string, body []byte) error {
	op := "create object " + key
	if err := blob.CheckKey(op, key); err != nil {
		return err
	}
	temp, err := s.writeTemp(ctx, bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return s.fault(op, err)
	}
	defer os.Remove(temp)
	target := s.file(key)
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return s.fault(op, err)
	}
	switch err := os.Link(temp, target); {
	case err == nil:
		return s.fault(op, syncDirectory(filepath.Dir(target)))
	case errors.Is(err, fs.ErrExist):
		return footy.Errorf(footy.CodeConflict, op, "it is there")
	}
	if _, err := os.Lstat(target); err == nil { // a file system without second names
		return footy.Errorf(footy.CodeConflict, op, "it is there")
	}
	return s.fault(op, intoDirectory(temp, target))
}

// writeTemp brings the bytes to the disk under a name of their own.
func (s *Store) writeTemp(ctx context.Context, r io.Reader, size int64) (path string, err error) {
	f, err := os.CreateTemp(s.file(tempDir), "put-*")
	if err != nil {
		return "", err
	}
	n, err := io.Copy(f, blob.Cancellable(ctx, r))
	if err == nil && size >= 0 && n != size {
		err = footy.Errorf(footy.CodeInvalid, "read body", "%d bytes came, %d were announced", n, size)
	}
	if err == nil {
		err = errors.Join(f.Chmod(0o644), f.Sync())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	now := nextInstant()
	return f.Name(), os.Chtimes(f.Name(), now, now)
}

// Copy gives the file a second name: no byte moves, and none is ever changed in place. What a file system without such names has, is
// copied. The copy is as old as its original.
func (s *Store) Copy(ctx context.Context, from, to string, info blob.Info) error {
	op := "copy object " + from
	if err := blob.CheckCopy(op, from, to, info); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return s.fault(op, err)
	}
	there, err := os.Stat(s.file(from))
	if gone(err) || err == nil && !there.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return s.fault(op, err)
	}
	temp := s.file(tempDir, "copy-"+rand.Text())
	if err := os.Link(s.file(from), temp); err != nil {
		return s.copyBytes(ctx, from, to, info)
	}
	err = intoDirectory(temp, s.file(to))
	// A rename to a name of the same file does nothing, so the first one may still be there.
	if again := os.Remove(temp); !errors.Is(again, fs.ErrNotExist) {
		err = errors.Join(err, again)
	}
	return s.fault(op, err)
}

func (s *Store) copyBytes(ctx context.Context, from, to string, info blob.Info) error {
	o, err := s.Open(ctx, from)
	if err != nil {
		return err
	}
	defer o.Close()
	return s.Put(ctx, to, o, o.Attributes().Size, info)
}

// intoDirectory renames a file to where its directory may be missing, or be removed just now because it became empty.
func intoDirectory(from, to string) (err error) {
	const tries = 10
	for range tries {
		if err = os.MkdirAll(filepath.Dir(to), 0o755); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		if err = os.Rename(from, to); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		return syncDirectory(filepath.Dir(to))
	}
	return err
}

// syncDirectory makes a rename outlive a power cut.
func syncDirectory(path string) error {
	if err := durable.Sync(path); !errors.Is(err, fs.ErrNotExist) { // else the object was deleted at once
		return err
	}
	return nil
}

// Delete removes an object, and the directories that it leaves empty.
func (s *Store) Delete(_ context.Context, key string) error {
	op := "delete object " + key
	if err := blob.CheckKey(op, key); err != nil {
		return err
	}
	info, err := os.Stat(s.file(key))
	if gone(err) || err == nil && info.IsDir() {
		return nil
	}
	if err != nil {
		return s.fault(op, err)
	}
	if err := os.Remove(s.file(key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s.fault(op, err)
	}
	s.prune(filepath.Dir(s.file(key)))
	return nil
}

// prune removes empty directories upwards; the first one that is in use ends it.
func (s *Store) prune(dir string) {
	for strings.HasPrefix(dir, s.root+string(filepath.Separator)) && filepath.Dir(dir) != s.root && os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
}

var lastInstant atomic.Int64

// nextInstant never gives the same time twice, so that modification times tell versions of a file apart; the clock of
// the file system alone ticks every few milliseconds.
func nextInstant() time.Time {
	for {
		last, now := lastInstant.Load(), time.Now().UnixNano()
		if now <= last {
			now = last + 1
		}
		if lastInstant.CompareAndSwap(last, now) {
			return time.Unix(0, now)
		}
	}
}

// etag names one version of a file. Put gives every version a modification time of its own.
func etag(info fs.FileInfo) string {
	return fmt.Sprintf("%x-%x", info.ModTime().UnixNano(), info.Size())
}

func typeByName(key string) string {
	ext := path.Ext(key)
	if ext == ".mp4" || ext == ".webm" { // not in every machine's table
		return footy.VideoType(key)
	}
	return cmp.Or(mime.TypeByExtension(ext), "application/octet-stream")
}
