package dir

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/keep/blob"
)

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
