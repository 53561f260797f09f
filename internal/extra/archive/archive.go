// Package archive finds where footage was seen before: an index of the fingerprints of all stored clips, in files that are kept up to date
// with the store and can be made from it again. What it proposes is held against the stored fingerprints, so it can miss but never invents,
// and while it does not know what the store holds it says so: that is not "not found".
package archive

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// Store is what the archive is an index of.
type Store interface {
	FingerprintRefs(ctx context.Context) ([]footy.FingerprintRef, error)
	FingerprintsByID(ctx context.Context, ids []string) ([]footy.StoredFingerprint, error)
}

// Archive is the index of one store. It may be used by many at once, and its directory by many processes.
type Archive struct {
	dir   string
	store Store
	now   func() time.Time

	writing sync.Mutex   // one brings it up to date
	mu      sync.RWMutex // of what follows
	parts   []*part
	was     manifest
	read    fs.FileInfo // the manifest's file when it was read
	known   bool        // it holds what the store held, at was.Synced
	missing int         // fingerprints that are still to be read
}

// manifest says which files make the index.
type manifest struct {
	Version  string       `json:"version"` // of the fingerprints
	Next     int          `json:"next"`    // number of the next part
	Complete bool         `json:"complete"`
	Synced   time.Time    `json:"synced,omitzero"` // when the store was asked last
	Parts    []partRecord `json:"parts"`
}

type partRecord struct {
	Name string `json:"name"`
	Dead []int  `json:"dead,omitempty"`
}

const manifestFile = "index.json"

// Open opens the index in a directory, which may be empty or not be there. What is damaged in it is made again.
func Open(dir string, store Store, now func() time.Time) *Archive {
	a := &Archive{dir: dir, store: store, now: now}
	a.load()
	return a
}

// Close closes its files.
func (a *Archive) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.known = false // what still asks could not look
	return a.drop()
}

func (a *Archive) drop() (err error) {
	for _, p := range a.parts {
		err = errors.Join(err, p.close())
	}
	a.parts = nil
	return err
}

// load reads what the files say now, unless that is known. A part that is damaged is left out, and what it held is read again.
func (a *Archive) load() {
	info, err := os.Stat(filepath.Join(a.dir, manifestFile))
	a.mu.RLock()
	same := err == nil && a.read != nil && os.SameFile(info, a.read) && info.ModTime().Equal(a.read.ModTime()) && info.Size() == a.read.Size()
	a.mu.RUnlock()
	if same {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	_ = a.drop() // they were only read
	a.was, a.read = manifest{}, nil
	var m manifest
	text, err := os.ReadFile(filepath.Join(a.dir, manifestFile))
	if err != nil || json.Unmarshal(text, &m) != nil || m.Version != footy.FingerprintVersion {
		a.was.Next = m.Next
		a.known = false
		return
	}
	a.was, a.read = m, info
	a.was.Parts = nil
	for _, r := range m.Parts {
		p, err := openPart(a.dir, r.Name)
		if err != nil {
			a.was.Complete = false
			continue
		}
		for _, i := range r.Dead {
			p.dead[i] = true
		}
		a.parts, a.was.Parts = append(a.parts, p), append(a.was.Parts, r)
	}
	a.known = a.known && a.was.Complete
}

// Status is how the index stands to the store.
type Status struct {
	Clips   int       // in the index
	Known   bool      // it can answer
	Unlike  int       // of these, clips whose fingerprints are of another version: they are not looked at
	Missing int       // fingerprints that are still to be read
	Synced  time.Time // what it knows is of then
	Bytes   int       // in memory
}

// Status tells how the index stands.
func (a *Archive) Status() Status {
	a.mu.RLock()
	defer a.mu.RUnlock()
	s := Status{Known: a.known, Missing: a.missing, Synced: a.was.Synced}
	for _, p := range a.parts {
		s.Clips += p.live()
		s.Unlike += p.unlike()
		s.Bytes += 4*(len(p.Buckets)+len(p.Ends)) + len(p.refs)*64
	}
	return s
}

// ErrCannotLook is in the chain of every error of the index itself: it is being made, or cannot be read.
var ErrCannotLook = errors.New("could not look into the archive")

// unknown is the answer of an archive that cannot look.
func (s Status) unknown() error {
	if s.Missing == 0 {
		return footy.Errorf(footy.CodeUnavailable, "find footage", "%w: its index was not held against the store yet", ErrCannotLook)
	}
	return footy.Errorf(footy.CodeUnavailable, "find footage", "%w: its index is being made, %d of %d clips are in it", ErrCannotLook, s.Clips, s.Clips+s.Missing)
}

// Hit is a clip that shows the same footage.
type Hit struct {
	footy.StoredFingerprint
	Match footy.Comparison
}

// Find returns the clips that show the footage of fp, best first. wanted leaves out those of fixtures that do not matter; nil: all do.
func (a *Archive) Find(ctx context.Context, fp footy.Fingerprint, wanted func(fixture int64) bool) ([]Hit, error) {
	if fp.Version != footy.FingerprintVersion {
		return nil, footy.Errorf(footy.CodeInvalid, "find footage", "a fingerprint of version %q: the archive has %q, and versions are not compared; give the video itself", fp.Version, footy.FingerprintVersion)
	}
	if a.writing.TryLock() { // another process may have brought it up to date
		a.load()
		a.writing.Unlock()
	}
	if s := a.Status(); !s.Known {
		return nil, s.unknown()
	}
	query := phash.Prepare(fp)
	ids, err := a.candidates(query, wanted)
	if err != nil {
		a.spoiled()
		return nil, footy.Errorf(footy.CodeUnavailable, "find footage", "%w: %w; it is made again", ErrCannotLook, err)
	}
	var hits []Hit
	for some := range slices.Chunk(ids, 64) {
		prints, err := a.store.FingerprintsByID(ctx, some)
		if err != nil {
			return nil, err
		}
		for _, p := range prints {
			if m := query.Compare(phash.Prepare(p.Fingerprint)); m.Same {
				hits = append(hits, Hit{p, m})
			}
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Match.Score, a.Match.Score), cmp.Compare(a.EventUID, b.EventUID), cmp.Compare(a.ClipID, b.ClipID))
	})
	return hits, nil
}

// few is up to how many clips are compared one by one.
const few = 150

// candidates are the ids of fingerprints that are worth a full comparison.
func (a *Archive) candidates(query *phash.Prepared, wanted func(fixture int64) bool) (ids []string, err error) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	live := 0
	parts := make([]phash.Part, len(a.parts))
	for i, p := range a.parts {
		parts[i] = p.Part
		live += p.live()
	}
	may := func(c phash.Candidate) bool {
		p := a.parts[c.Part]
		return !p.dead[c.Video] && (wanted == nil || wanted(p.refs[c.Video].fixture))
	}
	if live <= few {
		for i, p := range a.parts {
			for v, r := range p.refs {
				if may(phash.Candidate{Part: i, Video: v}) {
					ids = append(ids, r.id)
				}
			}
		}
		return ids, nil
	}
	err = untorn(func() error {
		for _, c := range query.Search(parts, may) {
			ids = append(ids, a.parts[c.Part].refs[c.Video].id)
		}
		return nil
	})
	return ids, err
}

// spoiled forgets an index that cannot be read: it is made again.
func (a *Archive) spoiled() {
	_ = os.Remove(filepath.Join(a.dir, manifestFile)) // who cannot remove it writes another
	a.mu.Lock()
	defer a.mu.Unlock()
	_ = a.drop()
	a.was, a.read, a.known = manifest{Next: a.was.Next}, nil, false
}

// partName is the name of a part's file.
func partName(n int) string { return fmt.Sprintf("part-%06d", n) }
