// Package footage is the port to what knows footage of earlier matches, and keeps what is compared within one.
package footage

import (
	"context"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// Known knows footage of other matches.
type Known interface {
	// Before says of which match the footage of a post was kept before the post's own match began; nil: of none that is known.
	Before(ctx context.Context, p footy.Post, print footy.Fingerprint) (*footy.Seen, error)
	// Keeps are those of a match's fingerprints that stay when the match is deleted.
	Keeps(f footy.Fixture, prints []footy.StoredFingerprint) []footy.StoredFingerprint
	// For is how long after its kickoff those of a match stay.
	For() time.Duration
}

// What a Memory keeps of each kind at most: fingerprints of two goals with 60 clips each, comparisons of eight such goals. Together some 10 MB.
const (
	keptPrepared = 128
	keptCompared = 1 << 14
)

// Memory keeps prepared fingerprints and their comparisons by the digests of the files: the steps of one goal ask for the same ones again and
// again. Its zero value is empty; a nil one keeps nothing.
type Memory struct {
	mu       sync.Mutex
	prepared recent[string, *phash.Prepared]
	compared recent[[2]string, footy.Comparison]
}

// Prepare is phash.Prepare of a file's fingerprint, which is kept.
func (m *Memory) Prepare(digest string, fp footy.Fingerprint) *phash.Prepared {
	if m == nil || digest == "" {
		return phash.Prepare(fp)
	}
	name := fp.Version + digest
	if p := m.find(name); p != nil {
		return p
	}
	p := phash.Prepare(fp).KeptBy(m, name)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.prepared.put(name, p, keptPrepared)
	return p
}

// Known is what is kept of a file; nil if nothing is.
func (m *Memory) Known(digest string) *phash.Prepared {
	if m == nil {
		return nil
	}
	return m.find(footy.FingerprintVersion + digest)
}

func (m *Memory) find(name string) *phash.Prepared {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, _ := m.prepared.get(name)
	return p
}

// Comparison implements phash.Keeper.
func (m *Memory) Comparison(p, q *phash.Prepared, compare func(p, q *phash.Prepared) footy.Comparison) footy.Comparison {
	pair := [2]string{p.Name(), q.Name()}
	m.mu.Lock()
	c, ok := m.compared.get(pair)
	m.mu.Unlock()
	if ok {
		return c
	}
	c = compare(p, q)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.compared.put(pair, c, keptCompared)
	return c
}

// recent keeps what came last: half of a limit or more, and never more than it.
type recent[K comparable, V any] struct{ young, old map[K]V }

func (r *recent[K, V]) get(k K) (v V, ok bool) {
	if v, ok = r.young[k]; !ok {
		v, ok = r.old[k]
	}
	return v, ok
}

func (r *recent[K, V]) put(k K, v V, limit int) {
	if r.young == nil || len(r.young) >= limit/2 {
		r.young, r.old = map[K]V{}, r.young
	}
	r.young[k] = v
}
