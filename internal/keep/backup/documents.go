package backup

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/keep/store"
)

// document is one line of a collection's file: a store.Doc without what is derived from its body.
type document struct {
	ID       string          `json:"id"`
	Revision int64           `json:"revision,omitempty"`
	At       time.Time       `json:"at,omitzero"`
	Group    string          `json:"group,omitempty"`
	Sub      string          `json:"sub,omitempty"`
	Body     json.RawMessage `json:"body"`
}

const (
	pageSize  = 5000 // documents read at once
	writeSize = 500  // documents written at once
)

// dump writes every collection to a file of its own.
func (o Options) dump(ctx context.Context, docs store.Backend, dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	for _, c := range store.Collections {
		err := writeFile(filepath.Join(dir, string(c)+".jsonl"), func(w io.Writer) error {
			b := bufio.NewWriter(w)
			err := each(ctx, docs, c, func(page []store.Doc) error {
				lines, size := make([]document, len(page)), 0
				for i, d := range page {
					lines[i], size = document{d.ID, d.Revision, d.At, d.Group, d.Sub, d.Body}, size+len(d.Body)
				}
				if err := o.Room.holds(o.Dir, int64(size)); err != nil {
					return err
				}
				return writeLines(b, lines)
			})
			if err != nil {
				return err
			}
			return b.Flush()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// each reads a collection in pages. Fixtures are read at once: their time may change between two pages, and one of them
// would be in none.
func each(ctx context.Context, docs store.Backend, c store.Collection, fn func([]store.Doc) error) error {
	f := store.Filter{Limit: pageSize}
	if c.Keyed() {
		f.Limit = 0
	}
	var last []string // ids of the last page with its last time, which the next page begins with
	for {
		page, err := docs.Select(ctx, c, f)
		if err != nil {
			return err
		}
		fresh := slices.DeleteFunc(slices.Clone(page), func(d store.Doc) bool { return d.At.Equal(f.From) && slices.Contains(last, d.ID) })
		if len(fresh) > 0 {
			if err := fn(fresh); err != nil {
				return err
			}
		}
		if f.Limit == 0 || len(page) < f.Limit {
			return nil
		}
		end := page[len(page)-1].At
		if !end.Equal(f.From) {
			f.From, f.Limit, last = end, pageSize, nil
		} else {
			f.Limit *= 2 // more documents of one instant than fit a page
		}
		for _, d := range page {
			if d.At.Equal(end) && !slices.Contains(last, d.ID) {
				last = append(last, d.ID)
			}
		}
	}
}

// load writes the documents of a dump into a store, which has the present schema.
func load(ctx context.Context, m Manifest, into store.Backend) error {
	dir := filepath.Join(m.Path, documentDir)
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		c := store.Collection(strings.TrimSuffix(f.Name(), ".jsonl"))
		var waiting []store.Doc
		if err := readLines(filepath.Join(dir, f.Name()), func(l document) error {
			waiting = append(waiting, store.Doc{ID: l.ID, Revision: l.Revision, At: l.At, Group: l.Group, Sub: l.Sub, Body: l.Body})
			if len(waiting) < writeSize {
				return nil
			}
			bulk := waiting
			waiting = nil
			return write(ctx, into, c, bulk)
		}); err != nil {
			return err
		}
		if err := write(ctx, into, c, waiting); err != nil {
			return err
		}
	}
	return store.Migrate(ctx, into, m.Schema)
}

// transfer writes the documents of one store into another.
func transfer(ctx context.Context, from, into store.Backend) error {
	for _, c := range store.Collections {
		if err := each(ctx, from, c, func(page []store.Doc) error { return write(ctx, into, c, page) }); err != nil {
			return err
		}
	}
	return nil
}

// write writes documents in bulks, with what is derived from their bodies.
func write(ctx context.Context, into store.Backend, c store.Collection, docs []store.Doc) error {
	for bulk := range slices.Chunk(docs, writeSize) {
		for i := range bulk {
			if err := store.Index(c, &bulk[i]); err != nil {
				return err
			}
		}
		if err := into.Upsert(ctx, c, bulk); err != nil {
			return err
		}
	}
	return nil
}

// unknownCollections are those of a dump that this program does not know.
func unknownCollections(dir string) ([]string, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []string
	for _, f := range files {
		if name := strings.TrimSuffix(f.Name(), ".jsonl"); !slices.Contains(store.Collections, store.Collection(name)) {
			out = append(out, name)
		}
	}
	return out, err
}
