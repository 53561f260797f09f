package archive

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/filelock"
	"github.com/found-footy/found-footy/internal/keep/private"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

const (
	lockFile = "lock"
	readSize = 500  // fingerprints read at once
	stepSize = 2000 // and written at once: so many are read again after a crash
)

// Sync brings the index up to date: what the store has and it has not is read, what the store has no more is forgotten. Both are told by a
// list of ids, so it does not matter what happened to either meanwhile: a crash, a restore, another process.
func (a *Archive) Sync(ctx context.Context) error {
	a.writing.Lock()
	defer a.writing.Unlock()
	err := private.Dir(a.dir)
	if err == nil {
		var unlock func()
		if unlock, err = lock(ctx, filepath.Join(a.dir, lockFile)); err == nil {
			defer unlock()
			a.load()
			err = a.sync(ctx)
		}
	}
	return footy.Wrap(footy.CodeUnavailable, "bring the archive in "+a.dir+" up to date", err)
}

func (a *Archive) sync(ctx context.Context) error {
	began := a.now().UTC()
	refs, err := a.store.FingerprintRefs(ctx)
	if err != nil {
		return err
	}
	missing, changed := a.compare(refs)
	a.mu.Lock()
	a.missing = len(missing)
	next := a.was
	next.Version = footy.FingerprintVersion
	a.mu.Unlock()
	for some := range slices.Chunk(missing, stepSize) {
		list, err := a.sketches(ctx, some)
		if err != nil {
			return err
		}
		if err := a.add(list, &next); err != nil {
			a.spoiled()
			return err
		}
		a.mu.Lock()
		a.missing -= len(some)
		a.mu.Unlock()
	}
	if len(missing) == 0 && changed {
		if err := a.add(nil, &next); err != nil {
			a.spoiled()
			return err
		}
	}
	next.Complete, next.Synced = true, began
	if err := a.commit(a.parts, &next); err != nil {
		return err
	}
	a.mu.Lock()
	a.known, a.missing = true, 0
	a.mu.Unlock()
	return a.tidy()
}

// compare holds the index against what the store has. Fingerprints that are gone are dead from now on.
func (a *Archive) compare(refs []footy.FingerprintRef) (missing []ref, changed bool) {
	there := make(map[string]bool, len(refs)) // whether the index has it
	for _, r := range refs {
		there[r.ID] = false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.parts {
		for i, r := range p.refs {
			if p.dead[i] {
				continue
			}
			if had, is := there[r.id]; !is || had {
				p.dead[i], changed = true, true
				continue
			}
			there[r.id] = true
		}
	}
	for _, r := range refs {
		if !there[r.ID] {
			missing = append(missing, ref{r.ID, r.FixtureID})
		}
	}
	return missing, changed
}

// sketches reads and sketches fingerprints. One that cannot be read, or that is gone by now, is met again the next time.
func (a *Archive) sketches(ctx context.Context, refs []ref) (out []entry, err error) {
	for some := range slices.Chunk(refs, readSize) {
		ids := make([]string, len(some))
		for i, r := range some {
			ids[i] = r.id
		}
		prints, err := a.store.FingerprintsByID(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, p := range prints {
			id := p.EventUID + "/" + p.ClipID
			if !slices.Contains(ids, id) {
				continue // nobody would find it there again
			}
			var s phash.Sketch
			if p.Fingerprint.Version == footy.FingerprintVersion {
				s = phash.SketchOf(p.Fingerprint)
			}
			out = append(out, entry{ref{id, p.FixtureID}, s})
		}
	}
	return out, nil
}

// add writes new entries into a part of their own, together with those before it that are not much larger or half of which is dead: there are
// never many parts, and none is written often.
func (a *Archive) add(list []entry, next *manifest) error {
	parts := slices.Clone(a.parts)
	for i := len(parts) - 1; i >= 0; i-- {
		p := parts[i]
		small := p.live() <= 2*len(list) && p.live()+len(list) <= phash.PartVideos
		if small || 2*len(p.dead) > len(p.refs) && p.live()+len(list) <= phash.PartVideos {
			list = append(p.entries(), list...)
			parts = slices.Delete(parts, i, i+1)
		}
	}
	if len(list) > 0 {
		name := partName(next.Next)
		next.Next++
		if err := untorn(func() error { return writePart(a.dir, name, list) }); err != nil {
			return err
		}
		p, err := openPart(a.dir, name)
		if err != nil {
			return err
		}
		parts = append(parts, p)
	}
	return a.commit(parts, next)
}

// commit makes parts the index.
func (a *Archive) commit(parts []*part, next *manifest) error {
	next.Parts = nil
	for _, p := range parts {
		r := partRecord{Name: p.name}
		for i := range p.refs {
			if p.dead[i] {
				r.Dead = append(r.Dead, i)
			}
		}
		next.Parts = append(next.Parts, r)
	}
	text, err := json.Marshal(next)
	if err != nil {
		return err
	}
	if err := writeFile(a.dir, manifestFile, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		return err
	}
	info, err := os.Stat(filepath.Join(a.dir, manifestFile))
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.parts {
		if !slices.Contains(parts, p) {
			_ = p.close() // it was only read
		}
	}
	a.parts, a.was, a.read = parts, *next, info
	return nil
}

// tidy removes files that the index no longer has. Who has them open reads on.
func (a *Archive) tidy() error {
	files, err := os.ReadDir(a.dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		of := strings.HasPrefix(f.Name(), "part-") && !slices.ContainsFunc(a.parts, func(p *part) bool { return p.name == f.Name() })
		if of || strings.HasSuffix(f.Name(), unfinished) {
			if err := os.Remove(filepath.Join(a.dir, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// lock waits until no other process writes the index.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	f, err := filelock.Open(path)
	if err != nil {
		return nil, err
	}
	for {
		ours, err := filelock.Try(f)
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		if ours {
			return func() { filelock.Free(f) }, nil
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Every is how long an index that is kept up to date may lag behind the store. Old footage is days old.
const Every = 5 * time.Minute

// Keep keeps the index up to date until ctx ends.
func (a *Archive) Keep(ctx context.Context, log *slog.Logger) {
	for {
		began, before := time.Now(), a.Status()
		err := a.Sync(ctx)
		is := a.Status()
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			log.Warn("the archive of footage could not be brought up to date; it is tried again", "module", "archive", "action", "sync", "error", err)
		case !before.Known || is.Clips != before.Clips:
			log.Info("the archive of footage is up to date", "module", "archive", "action", "sync", "clips", is.Clips, "before", before.Clips, "took", time.Since(began).Round(time.Millisecond).String())
		}
		pause := Every
		if err != nil {
			pause = Every / 10
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}
