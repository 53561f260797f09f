package backup

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/durable"
)

// Verify reads every byte of a backup, or of the newest in a directory, and compares it with its digest. Its error names
// what is damaged or missing.
func Verify(ctx context.Context, dir string) (Manifest, error) {
	m, err := newest(dir, time.Now())
	if err != nil {
		return m, inDir(verifies, dir, err)
	}
	return m, m.verify(ctx)
}

const verifies = "verify backup"

func (m Manifest) verify(ctx context.Context) error {
	if m.Format > Format {
		return footy.Errorf(footy.CodeInvalid, verifies, "%s was written by a newer version (%s, format %d, this one knows %d): upgrade footy", m.Path, m.Version, m.Format, Format)
	}
	faults, err := checkFiles(ctx, m.Path)
	if err != nil {
		return inDir(verifies, m.Path, err)
	}
	if len(faults) == 0 { // else the list of objects may be what is damaged
		if faults, err = checkObjects(ctx, m); err != nil {
			return inDir(verifies, m.Path, err)
		}
	}
	return damaged(verifies, faults)
}

// damaged is an error that names the first faults; nil if there are none.
func damaged(op string, faults []string) error {
	const most = 5
	if len(faults) == 0 {
		return nil
	}
	said := strings.Join(faults[:min(len(faults), most)], "; ")
	if len(faults) > most {
		said += fmt.Sprintf("; and %d more", len(faults)-most)
	}
	return footy.Errorf(footy.CodeInvalid, op, "%s; take another backup", said)
}

// writeSums lists the digests of all files of a backup. It makes the files it finds outlive a power cut.
func writeSums(ctx context.Context, at string) error {
	files, err := filesOf(at)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, name := range files {
		path := filepath.Join(at, filepath.FromSlash(name))
		if err := durable.Sync(path); err != nil {
			return err
		}
		sha, err := digest(ctx, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s  %s\n", sha, name)
	}
	return writeFile(filepath.Join(at, sumsFile), strings.NewReader(b.String()))
}

func filesOf(at string) (out []string, err error) {
	err = filepath.WalkDir(at, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(at, path)
		if rel != sumsFile {
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	return out, err
}

func checkFiles(ctx context.Context, at string) (faults []string, err error) {
	sums, err := os.Open(filepath.Join(at, sumsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return []string{filepath.Join(at, sumsFile) + " is missing"}, nil
	}
	if err != nil {
		return nil, err
	}
	defer sums.Close()
	left, err := filesOf(at)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(sums)
	for lines.Scan() {
		want, name, _ := strings.Cut(lines.Text(), "  ")
		path := filepath.Join(at, filepath.FromSlash(name))
		i := slices.Index(left, name)
		if i < 0 {
			faults = append(faults, path+" is missing")
			continue
		}
		left = slices.Delete(left, i, i+1)
		sha, err := digest(ctx, path)
		if err != nil {
			return nil, err
		}
		if sha != want {
			faults = append(faults, path+" is damaged")
		}
	}
	for _, name := range left {
		faults = append(faults, filepath.Join(at, name)+" does not belong to the backup")
	}
	return faults, lines.Err()
}

func checkObjects(ctx context.Context, m Manifest) (faults []string, err error) {
	dir := filepath.Dir(m.Path)
	checked := map[string]bool{}
	err = readLines(filepath.Join(m.Path, objectsFile), func(o object) error {
		if checked[o.SHA256] {
			return nil
		}
		checked[o.SHA256] = true
		path := bytesAt(dir, o.SHA256)
		sha, err := digest(ctx, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			faults = append(faults, fmt.Sprintf("%s (object %s) is missing", path, o.Key))
		case err != nil:
			return err
		case sha != o.SHA256:
			faults = append(faults, fmt.Sprintf("%s (object %s) is damaged", path, o.Key))
		}
		return nil
	})
	return faults, err
}
