// Package archive finds where footage was seen before: an index in memory of the fingerprints of all stored clips, made from the store at a
// start and kept up to date with it. What it proposes is compared with the stored fingerprints, so it can miss but never invents, and while
// it does not know what the store holds it says so: that is not "not found".
package archive

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/extra/archive/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/recognize/footage"
	"github.com/found-footy/found-footy/internal/recognize/phash"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
)

// Archive is the index of one store. It may be used by many at once.
type Archive struct {
	store store.Store
	now   func() time.Time

	syncing sync.Mutex   // one at a time brings it up to date
	mu      sync.RWMutex // of what follows
	parts   []*part
	synced  time.Time // when the store was asked last; zero: it does not know yet what the store holds
	missing int       // fingerprints that are still to be read
}

// part is some clips of the index. There are never many parts, and none is made anew often.
type part struct {
	phash.Part
	refs []footy.FingerprintRef
	dead map[int]bool // videos whose fingerprints are gone
}

func (p *part) live() int { return len(p.refs) - len(p.dead) }

// unlike is how many videos have no sketch: their fingerprints are of another version.
func (p *part) unlike() (n int) {
	for i := range p.refs {
		if !p.dead[i] && len(p.Sketches[i]) == 0 {
			n++
		}
	}
	return n
}

// New makes the index of a store, which knows nothing until Sync.
func New(docs store.Store, now func() time.Time) *Archive { return &Archive{store: docs, now: now} }

// Status is how the index stands to the store.
type Status struct {
	Clips   int       // in the index
	Known   bool      // it can answer
	Unlike  int       // of these, clips whose fingerprints are of another version: they are not looked at
	Missing int       // fingerprints that are still to be read
	Synced  time.Time // what it knows is of then
}

// Status reports how the index stands.
func (a *Archive) Status() Status {
	a.mu.RLock()
	defer a.mu.RUnlock()
	s := Status{Known: !a.synced.IsZero(), Missing: a.missing, Synced: a.synced}
	for _, p := range a.parts {
		s.Clips += p.live()
		s.Unlike += p.unlike()
	}
	return s
}

// ErrCannotLook is in the chain of the error of an index that is being made.
var ErrCannotLook = errors.New("could not look into the archive")

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
	if s := a.Status(); !s.Known {
		return nil, footy.Errorf(footy.CodeUnavailable, "find footage", "%w: its index is being made, %d of %d clips are in it", ErrCannotLook, s.Clips, s.Clips+s.Missing)
	}
	query := phash.Prepare(fp)
	var hits []Hit
	for some := range slices.Chunk(a.candidates(query, wanted), 64) {
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
func (a *Archive) candidates(query *phash.Prepared, wanted func(fixture int64) bool) (ids []string) {
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
		return !p.dead[c.Video] && (wanted == nil || wanted(p.refs[c.Video].FixtureID))
	}
	if live > few {
		for _, c := range query.Search(parts, may) {
			ids = append(ids, a.parts[c.Part].refs[c.Video].ID)
		}
		return ids
	}
	for i, p := range a.parts {
		for v, r := range p.refs {
			if may(phash.Candidate{Part: i, Video: v}) {
				ids = append(ids, r.ID)
			}
		}
	}
	return ids
}

const (
	readSize = 500  // fingerprints read at once
	stepSize = 2000 // and taken into the index at once: so many are read again after a failure
)

// Sync brings the index up to date: what the store has and it has not is read, what the store has no more is forgotten.
func (a *Archive) Sync(ctx context.Context) error {
	a.syncing.Lock()
	defer a.syncing.Unlock()
	began := a.now().UTC()
	refs, err := a.store.FingerprintRefs(ctx)
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, "bring the archive up to date", err)
	}
	missing := a.compare(refs)
	for some := range slices.Chunk(missing, stepSize) {
		found, sketches, err := a.read(ctx, some)
		if err != nil {
			return footy.Wrap(footy.CodeUnavailable, "bring the archive up to date", err)
		}
		a.add(found, sketches, len(some))
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.synced, a.missing = began, 0
	return nil
}

// compare returns what the store has and the index has not. Fingerprints that are gone are dead from now on.
func (a *Archive) compare(refs []footy.FingerprintRef) (missing []footy.FingerprintRef) {
	there := make(map[string]bool, len(refs)) // whether the index has it
	for _, r := range refs {
		there[r.ID] = false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.parts {
		for i, r := range p.refs {
			if _, is := there[r.ID]; is && !p.dead[i] {
				there[r.ID] = true
			} else {
				p.dead[i] = true
			}
		}
	}
	for _, r := range refs {
		if !there[r.ID] {
			missing = append(missing, r)
		}
	}
	a.missing = len(missing)
	return missing
}

// read reads and sketches fingerprints. One that cannot be read, or that is gone by now, is met again the next time.
func (a *Archive) read(ctx context.Context, refs []footy.FingerprintRef) (found []footy.FingerprintRef, sketches []phash.Sketch, err error) {
	for some := range slices.Chunk(refs, readSize) {
		ids := make([]string, len(some))
		for i, r := range some {
			ids[i] = r.ID
		}
		prints, err := a.store.FingerprintsByID(ctx, ids)
		if err != nil {
			return nil, nil, err
		}
		for _, p := range prints {
			i := slices.Index(ids, p.EventUID+"/"+p.ClipID)
			if i < 0 {
				continue // it could not be read under this id again
			}
			var s phash.Sketch
			if p.Fingerprint.Version == footy.FingerprintVersion {
				s = phash.SketchOf(p.Fingerprint)
			}
			found, sketches = append(found, some[i]), append(sketches, s)
		}
	}
	return found, sketches, nil
}

// add makes new entries a part, together with those before it that are not much larger or half of which is dead.
func (a *Archive) add(refs []footy.FingerprintRef, sketches []phash.Sketch, done int) {
	parts := slices.Clone(a.parts) // only Sync changes them
	for i := len(parts) - 1; i >= 0; i-- {
		p := parts[i]
		fits := p.live()+len(refs) <= phash.PartVideos
		if !fits || p.live() > 2*len(refs) && 2*len(p.dead) <= len(p.refs) {
			continue
		}
		for v, r := range p.refs {
			if !p.dead[v] {
				refs, sketches = append(refs, r), append(sketches, p.Sketches[v])
			}
		}
		parts = slices.Delete(parts, i, i+1)
	}
	if len(refs) > 0 {
		parts = append(parts, &part{phash.PartOf(sketches), refs, map[int]bool{}})
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.parts = parts
	a.missing -= done
}

// Every is how long an index that is kept up to date may lag behind the store. Old footage is days old.
const Every = 5 * time.Minute

// Keep keeps the index up to date until ctx ends.
func (a *Archive) Keep(ctx context.Context, log *slog.Logger) {
	for {
		began, before := time.Now(), a.Status()
		err := a.Sync(ctx)
		is := a.Status()
		pause := Every
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			pause = Every / 10
			log.Warn("the archive of footage could not be brought up to date; it is tried again", "module", "archive", "action", "sync", "error", err)
		case !before.Known || is.Clips != before.Clips:
			log.Info("the archive of footage is up to date", "module", "archive", "action", "sync", "clips", is.Clips, "before", before.Clips, "took", time.Since(began).Round(time.Millisecond).String())
		}
		if network.Pause(ctx, pause) != nil {
			return
		}
	}
}

// Known implements footage.Known of the pipeline.
type Known struct {
	Index    *Archive // nil: this process decodes no clips
	Fixtures store.Store
	Log      *slog.Logger
	Stays    time.Duration // after a match's kickoff
}

// Before implements footage.Known. An archive that cannot look says nothing about the post, which goes on.
func (k *Known) Before(ctx context.Context, p footy.Post, print footy.Fingerprint) (*footy.Seen, error) {
	if k.Index == nil {
		return nil, nil
	}
	f, err := k.Fixtures.Fixture(ctx, p.FixtureID)
	if err != nil {
		return nil, err
	}
	e := f.Event(p.EventUID)
	if e == nil {
		return nil, nil
	}
	hits, err := k.Index.Find(ctx, print, func(fixture int64) bool { return fixture != f.ID })
	if errors.Is(err, ErrCannotLook) {
		k.Log.Info("not checked for old footage", "module", "download", "action", "archive", "event_uid", p.EventUID, "post_id", p.PostID, "error", err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, h := range hits {
		if !footage.OldBy(print, h.Match) {
			continue
		}
		s, proven, err := Shows(ctx, k.Fixtures, h.StoredFingerprint)
		if err != nil {
			return nil, err
		}
		if proven && rule.Before(s, f, *e) {
			s.Match = &h.Match
			return &s, nil
		}
	}
	return nil, nil
}

// Keeps implements footage.Known.
func (k *Known) Keeps(f footy.Fixture, prints []footy.StoredFingerprint) []footy.StoredFingerprint {
	return rule.Keeps(f, prints)
}

// For implements footage.Known.
func (k *Known) For() time.Duration { return k.Stays }

// Extra is what the archive adds: posts of old footage are refused, and footy archive looks for footage.
func Extra() port.Extra {
	return port.Extra{Name: "archive", Worker: worker,
		Settings: &config.Group{Title: "Archive of old footage", New: func() any { return &Settings{} }},
		Commands: []port.Command{{Name: "archive", Help: "Footage of the clips that were kept.", Run: &Cmd{}}}}
}

// Settings is what the archive lets people set.
type Settings struct {
	Days int `env:"ARCHIVE_DAYS" envDefault:"365" min:"0" max:"3650" doc:"Days that the fingerprint of a verified clip is kept after its match (some 11 KB), to refuse the same footage when it is posted for another match. 0 refuses none." like:"365"`
}

// worker knows in each process what stays of a match, and makes the index where clips are decoded. Nothing waits for the index: until it was
// compared with the store it says that it cannot look.
func worker(c port.Core, d port.Duty) (pipeline.Part, error) {
	days := config.Own[Settings](c.Config).Days
	if days == 0 {
		return pipeline.Part{}, nil
	}
	known := &Known{Fixtures: c.Store, Log: c.Log, Stays: time.Duration(days) * 24 * time.Hour}
	part := pipeline.Part{Footage: known}
	if slices.Contains(d.Queues, policy.QueueMedia) {
		known.Index = New(c.Store, time.Now)
		part.Run = func(ctx context.Context) { known.Index.Keep(ctx, c.Log) }
	}
	return part, nil
}
