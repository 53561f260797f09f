package backup

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/extra/backup/rule"
	"github.com/found-footy/found-footy/internal/footy"
)

// List returns the complete backups of a directory, the newest first. Whether their bytes are sound only Verify tells.
func List(dir string) ([]Manifest, error) {
	out, _, err := list(dir)
	return out, inDir("list backups", dir, err)
}

// list also names those whose manifest cannot be read. They are left alone: a damaged backup must not end the daily ones.
func list(dir string) (out []Manifest, damaged []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		if !e.IsDir() || e.Name() == bytesDir || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		m, err := readManifest(filepath.Join(dir, e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // a directory of somebody else
		}
		if err != nil {
			damaged = append(damaged, filepath.Join(dir, e.Name()))
			continue
		}
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b Manifest) int { // the names of one second go on counting
		return cmp.Or(b.Made.Compare(a.Made), strings.Compare(b.Path, a.Path))
	})
	return out, damaged, nil
}

func readManifest(path string) (Manifest, error) {
	b, err := os.ReadFile(filepath.Join(path, manifestFile))
	if err != nil {
		return Manifest{}, err
	}
	m := Manifest{}
	if err := json.Unmarshal(b, &m); err != nil {
		return m, footy.Errorf(footy.CodeInvalid, "read backup", "%s is damaged: %w", filepath.Join(path, manifestFile), err)
	}
	m.Path = path
	return m, nil
}

// newest is the backup that dir is, or the newest of those it holds; one dated minutes after now only where there is no other.
func newest(dir string, now time.Time) (Manifest, error) {
	m, err := readManifest(dir)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	all, bad, err := list(dir)
	if err != nil {
		return m, err
	}
	ahead := aheadLast(all, now)
	if n := len(bad); n > 0 && (len(all) == 0 || bad[n-1] > all[0].Path) { // an older one must be asked for by name
		return m, footy.Errorf(footy.CodeInvalid, "read backup", "%s is damaged; name another backup of %s", filepath.Join(bad[n-1], manifestFile), dir)
	}
	if len(all) == 0 {
		return m, footy.Errorf(footy.CodeNotFound, "read backup", "there is no complete backup in %s; name a directory that footy backup wrote to", dir)
	}
	if len(ahead) < len(all) {
		for _, a := range ahead {
			all[0].PassedOver = append(all[0].PassedOver, a.Path)
		}
	}
	return all[0], nil
}

// clocksDiffer is how much later than now a backup may be dated that is as good as any: the clock of whoever made it may be off, or ours.
const clocksDiffer = 10 * time.Minute

// aheadLast moves what is dated later than that, and is first of a list, behind the others and returns it: it may be older than they.
func aheadLast(all []Manifest, now time.Time) (ahead []Manifest) {
	now = now.Add(clocksDiffer)
	n := 0
	for n < len(all) && all[n].Made.After(now) {
		n++
	}
	ahead = slices.Clone(all[:n])
	copy(all, slices.Concat(all[n:], ahead))
	return ahead
}

// prune removes what the backup just made pushes out; one dated minutes after now counts as the oldest.
func prune(made Manifest, o Options) error {
	all, err := List(o.Dir)
	aheadLast(all, o.Now)
	if err != nil || o.Keep <= 0 {
		return err
	}
	copies := make([]rule.Copy, len(all))
	for i, m := range all {
		copies[i] = rule.Copy{Installation: m.Installation, Content: m.content()}
	}
	gone := rule.Surplus(made.Installation, copies, o.Keep)
	if !slices.Contains(gone, true) {
		return nil
	}
	for i, m := range all {
		if !gone[i] {
			continue
		}
		// Under a name that clean knows, lest a crash in the middle leave half of one.
		if err := os.Rename(m.Path, filepath.Join(o.Dir, partial+filepath.Base(m.Path))); err != nil {
			return err
		}
	}
	return clean(o.Dir)
}

// content is how much a backup holds; one from before that was noted holds matches.
func (m Manifest) content() rule.Content {
	switch {
	case m.Objects > 0:
		return rule.Clips
	case !m.Empty:
		return rule.Matches
	}
	return rule.NoContent
}

// clean removes what an interrupted backup left, and bytes that no backup names.
func clean(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), partial) {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	named, known := digests(dir)
	return filepath.WalkDir(filepath.Join(dir, bytesDir), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || named[d.Name()] || !known && !strings.HasPrefix(d.Name(), partial) {
			return err
		}
		return os.Remove(path)
	})
}

// digests are those that the backups of a directory name; not known if one of them cannot be read, which may name any.
func digests(dir string) (out map[string]bool, known bool) {
	all, damaged, err := list(dir)
	if err != nil || len(damaged) > 0 {
		return nil, false
	}
	out = map[string]bool{}
	for _, m := range all {
		err := readLines(filepath.Join(m.Path, objectsFile), func(o object) error {
			out[o.SHA256] = true
			return nil
		})
		if err != nil {
			return nil, false
		}
	}
	return out, true
}
