package backup

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/durable"
)

// object is one line of objects.jsonl. ETag and ModTime name the version that was read, so that the next backup need not
// read it again.
type object struct {
	Key         string            `json:"key"`
	Size        int64             `json:"size"`
	SHA256      string            `json:"sha256"`
	ContentType string            `json:"content_type,omitempty"`
	Metadata    map[string]string `json:"metadata,omitempty"`
	ETag        string            `json:"etag,omitempty"`
	ModTime     time.Time         `json:"modified,omitzero"`
}

func bytesAt(dir, sha string) string {
	return filepath.Join(dir, bytesDir, sha[:min(2, len(sha))], sha) // a damaged list may name no digest
}

// copies collects the objects of one backup.
type copies struct {
	dir         string
	room        Room
	remade      []string
	before      map[string]object // of the backup before
	now         map[string]object
	copied      int
	copiedBytes int64
}

func newCopies(o Options) (*copies, error) {
	c := &copies{dir: o.Dir, room: o.Room, remade: o.Remade, before: map[string]object{}, now: map[string]object{}}
	all, err := List(o.Dir)
	if err != nil || len(all) == 0 {
		return c, err
	}
	err = readLines(filepath.Join(all[0].Path, objectsFile), func(o object) error {
		c.before[o.Key] = o
		return nil
	})
	if err != nil { // a damaged list costs reading everything again, nothing else
		clear(c.before)
	}
	return c, nil
}

// add takes up what the store holds now. An object that went away meanwhile is no fault: nothing names it any more.
func (c *copies) add(ctx context.Context, objects blob.Store) error {
	return objects.List(ctx, "", func(a blob.Attributes) error {
		if slices.ContainsFunc(c.remade, func(prefix string) bool { return strings.HasPrefix(a.Key, prefix) }) {
			return nil
		}
		for _, known := range []map[string]object{c.now, c.before} {
			if o, ok := known[a.Key]; ok && o.ETag != "" && o.ETag == a.ETag && o.Size == a.Size && o.ModTime.Equal(a.ModTime) && c.has(o) {
				c.now[a.Key] = o
				return nil
			}
		}
		if err := c.room.holds(c.dir, a.Size); err != nil {
			return err
		}
		o, err := c.copy(ctx, objects, a.Key)
		if footy.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
		if o.ETag == a.ETag {
			o.ModTime = a.ModTime // as lists tell it: S3 tells whole seconds only where an object is opened
		}
		c.now[a.Key] = o
		return nil
	})
}

func (c *copies) has(o object) bool {
	info, err := os.Stat(bytesAt(c.dir, o.SHA256))
	return err == nil && info.Mode().IsRegular() && info.Size() == o.Size
}

// copy reads an object and keeps its bytes unless the same bytes are there. What was written is read back once.
func (c *copies) copy(ctx context.Context, objects blob.Store, key string) (object, error) {
	in, err := objects.Open(ctx, key)
	if err != nil {
		return object{}, err
	}
	defer in.Close()
	temp, err := os.CreateTemp(filepath.Join(c.dir, bytesDir), partial+"*")
	if err != nil {
		return object{}, err
	}
	defer os.Remove(temp.Name()) // gone by its other name, usually
	a, hash := in.Attributes(), sha256.New()
	n, err := io.Copy(io.MultiWriter(temp, hash), blob.Cancellable(ctx, in))
	if err == nil {
		err = temp.Sync()
	}
	if err = errors.Join(err, temp.Close()); err != nil {
		return object{}, err
	}
	o := object{Key: key, Size: n, SHA256: hex.EncodeToString(hash.Sum(nil)), ContentType: a.Info.ContentType, Metadata: a.Info.Metadata, ETag: a.ETag, ModTime: a.ModTime}
	if n != a.Size {
		return o, footy.Errorf(footy.CodeUnavailable, "copy object "+key, "%d of its %d bytes came", n, a.Size)
	}
	if c.has(o) {
		return o, nil
	}
	if sum, err := digest(ctx, temp.Name()); err != nil {
		return o, err
	} else if sum != o.SHA256 {
		return o, footy.Errorf(footy.CodeUnavailable, "copy object "+key, "what was written to %s reads otherwise: check that disk", c.dir)
	}
	c.copied, c.copiedBytes = c.copied+1, c.copiedBytes+n
	to := bytesAt(c.dir, o.SHA256)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return o, err
	}
	if err := os.Rename(temp.Name(), to); err != nil {
		return o, err
	}
	return o, durable.Sync(filepath.Dir(to))
}

// write lists the objects, by key.
func (c *copies) write(path string) (n int, size int64, err error) {
	list := make([]object, 0, len(c.now))
	for _, o := range c.now {
		list, size = append(list, o), size+o.Size
	}
	slices.SortFunc(list, func(a, b object) int { return strings.Compare(a.Key, b.Key) })
	var lines bytes.Buffer
	e := json.NewEncoder(&lines)
	for _, o := range list {
		if err := e.Encode(o); err != nil {
			return 0, 0, err
		}
	}
	return len(list), size, writeFile(path, &lines)
}

func readLines(path string, fn func(object) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var v object
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return footy.Errorf(footy.CodeInvalid, "read "+path, "%w", err)
		}
		if err := fn(v); err != nil {
			return err
		}
	}
}

func digest(ctx context.Context, path string) (sha string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, blob.Cancellable(ctx, f))
	return hex.EncodeToString(hash.Sum(nil)), err
}
