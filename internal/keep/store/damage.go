package store

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// ErrDamaged is in the chain of every error over a document that is there and cannot be read.
var ErrDamaged = errors.New("the stored document is damaged")

// Damage is a document that cannot be read. Lists leave it out; what asks for it by id fails. A fact of ServiceState is treated as the table of
// facts says.
type Damage struct {
	Collection Collection `json:"collection"`
	ID         string     `json:"id"`
	Detail     string     `json:"detail"`
	Renewed    bool       `json:"renewed,omitempty"` // a fact that was written anew; it is listed for RenewedFor

	was string    // the body of a fact
	at  time.Time // when it was renewed
}

// Counts says what a damaged fact of ServiceState was, and what is done without it; "" for any other document.
func (d Damage) Counts() string {
	switch {
	case d.Collection != ServiceState:
		return ""
	case d.Learned():
		return "it is learned again"
	}
	return kept[factOf(d.ID)]
}

// Learned reports whether it is a fact that the next cycle begins anew.
func (d Damage) Learned() bool {
	return d.Collection == ServiceState && slices.Contains(learned, factOf(d.ID))
}

// RenewedFor is how long a fact that was written anew is listed, so that a person hears of it.
const RenewedFor = time.Hour

// Damages keeps the documents that were found damaged.
type Damages interface {
	// Damaged lists the damaged documents that were met since the start, by collection and id. One that reads well again
	// is forgotten when it is met again.
	Damaged() []Damage
	// Renew drops the facts of ServiceState that can be learned again and were found unreadable.
	Renew(ctx context.Context) error
	// CheckState reads every fact of ServiceState; it changes nothing.
	CheckState(ctx context.Context) error
}

// HasDamage reports whether a damaged document of a collection was met, id "" for any: what it refers to is not known, and so
// nothing may be taken for abandoned.
func HasDamage(s Damages, c Collection, id string) bool {
	return slices.ContainsFunc(s.Damaged(), func(d Damage) bool { return d.Collection == c && (id == "" || d.ID == id) })
}

type damages struct {
	mu   sync.Mutex
	list map[[2]string]Damage

	corrupt error // the first failure of code corrupt
}

// note remembers a document that cannot be read, or forgets one that can, or that is gone. Of a fact it remembers for a while that it was
// written anew.
func (m *damages) note(c Collection, id string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := [2]string{string(c), id}
	if !errors.Is(err, ErrDamaged) {
		if d, listed := m.list[key]; listed && c == ServiceState && !d.Renewed {
			d.Renewed, d.at = true, time.Now()
			m.list[key] = d
		} else if !d.Renewed {
			delete(m.list, key)
		}
		return
	}
	if m.list == nil {
		m.list = map[[2]string]Damage{}
	}
	detail := err.Error()
	if own, ok := errors.AsType[*footy.Error](err); ok && own.Err != nil {
		detail = own.Err.Error()
	}
	m.list[key] = Damage{Collection: c, ID: id, Detail: detail}
}

// Damaged lists the damaged documents that were met.
func (m *damages) Damaged() []Damage {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.list, func(_ [2]string, d Damage) bool { return d.Renewed && time.Since(d.at) >= RenewedFor })
	return slices.SortedFunc(maps.Values(m.list), func(a, b Damage) int {
		return cmp.Or(cmp.Compare(a.Collection, b.Collection), cmp.Compare(a.ID, b.ID))
	})
}

// partial is the damage of a document of which enough can be told to be listed.
type partial struct{ error }

func (p partial) Unwrap() error { return p.error }

// one reads a document by id; a damaged one is an error.
func one[T any](ctx context.Context, s *documents, c Collection, id, op string, decode func(Doc) (T, error)) (T, error) {
	d, err := s.Find(ctx, c, id)
	if err != nil {
		if footy.IsNotFound(err) {
			s.note(c, id, nil)
		}
		var none T
		return none, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	v, err := decode(d)
	s.note(c, id, err)
	return v, err
}

// all reads what a filter selects without the damaged documents, which do not count for its limit. An error is always one of
// the database: "could not look" is no shorter list.
func all[T any](ctx context.Context, s *documents, c Collection, f Filter, op string, decode func(Doc) (T, error)) ([]T, []Doc, error) {
	for want := f.Limit; ; {
		docs, err := s.Select(ctx, c, f)
		if err != nil {
			return nil, nil, footy.Wrap(footy.CodeUnavailable, op, err)
		}
		list, bad := make([]T, 0, len(docs)), []Doc(nil)
		for _, d := range docs {
			v, err := decode(d)
			s.note(c, d.ID, err)
			if _, part := errors.AsType[partial](err); err != nil && !part {
				bad = append(bad, d)
				continue
			}
			list = append(list, v)
		}
		s.forget(c, f, docs)
		if len(bad) == 0 || f.Limit == 0 || len(docs) < f.Limit || len(list) >= want {
			return list, bad, nil
		}
		f.Limit += want - len(list)
	}
}

// forget drops what a list of everything, or of named documents, shows to be gone.
func (s *documents) forget(c Collection, f Filter, docs []Doc) {
	if !f.From.IsZero() || !f.To.IsZero() || f.Group != "" || len(f.Subs) > 0 || f.Key != "" || len(f.Words) > 0 || f.Limit > 0 {
		return
	}
	for _, d := range s.Damaged() {
		listed := len(f.IDs) == 0 || slices.Contains(f.IDs, d.ID)
		if d.Collection == c && listed && !slices.ContainsFunc(docs, func(o Doc) bool { return o.ID == d.ID }) {
			s.note(c, d.ID, nil)
		}
	}
}

// learned are the keys of ServiceState whose facts can be learned again: one that cannot be read counts as absent, and is written anew. A key
// that ends in "/" is the beginning of several.
var learned = []string{
	"answers/", "backup", "canary", "clip_hosts", "feed_outage", "feed_pace", "feed_quota", "fetch_health", "fetch_health_reddit",
	"followed_names", "followed_names/", "ingest", "model_health", "notify/", "page_changes", "posting/", "searchers", "sweep", "sweeps",
}

// kept are the keys of facts that must not be guessed, and what is done where one cannot be read. A key that is in neither list is one of them.
var kept = map[string]string{
	"feed":                "whose ids the matches have; a start is refused",
	"installation":        "whose the clips are; nothing is written to the clip storage or deleted there until footy clips adopt",
	"lease/":              "who does what one process does; counts as held by a process that is gone",
	"push/devices":        "who asked for notifications; no device is told until it is restored",
	"push/keys":           "the keys that devices know; no device is told until they are restored",
	"push/told/":          "what a device was told; what was scored before is not told again",
	"restored":            "when a backup came back; counts as now: what was scored before is not told again",
	"retention_clock":     "which time is believed; nothing old is deleted until the feed bears the time out",
	"x_spent_on_searches": "money; what is left of today's counts as spent",
}

func factOf(key string) string {
	is := func(entry string) bool {
		return key == entry || strings.HasSuffix(entry, "/") && strings.HasPrefix(key, entry)
	}
	for entry := range kept {
		if is(entry) {
			return entry
		}
	}
	if i := slices.IndexFunc(learned, is); i >= 0 {
		return learned[i]
	}
	return ""
}

// ErrDatabase is in the chain of every failure of the database itself: it says nothing of what was asked for.
var ErrDatabase = errors.New("the database failed")

// failed is such a failure; it says what the adapter said.
type failed struct{ error }

func (f failed) Unwrap() error        { return f.error }
func (f failed) Is(target error) bool { return target == ErrDatabase }

// Sound says whether the database's own files can be trusted.
type Sound interface {
	// Corrupt is the first failure of code corrupt since the start; nil: none was met. It stays until the process is started anew: an operator has
	// to act. Nothing is deleted while there is one, and Ping answers it.
	Corrupt() error
	// Look reads a document of each collection.
	Look(ctx context.Context) error
	// Verify reads everything where the database can check itself, which takes a while; at the start and once a day.
	Verify(ctx context.Context) error
}

// watched is a backend whose corruption is remembered.
type watched struct {
	Backend
	found *damages
}

// met marks a failure of the database, and remembers the first that says that it is corrupt.
func (w watched) met(err error) error {
	switch footy.CodeOf(err) {
	case "", footy.CodeNotFound, footy.CodeConflict:
		return err
	case footy.CodeCorrupt:
		w.found.mu.Lock()
		if w.found.corrupt == nil {
			w.found.corrupt = err
		}
		w.found.mu.Unlock()
	}
	return failed{err}
}

// Corrupt is the first failure that said so.
func (m *damages) Corrupt() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.corrupt
}

// Look reads a document of each collection, by the index over times: without it a database may read them all.
func (s *documents) Look(ctx context.Context) error {
	for _, c := range Collections {
		if _, err := s.Select(ctx, c, Filter{From: epoch, Limit: 1}); err != nil {
			return footy.Wrap(footy.CodeUnavailable, "look into "+string(c), err)
		}
	}
	return s.Corrupt()
}

func (w watched) Ping(ctx context.Context) error {
	if err := w.found.Corrupt(); err != nil {
		return failed{err}
	}
	return w.met(w.Backend.Ping(ctx))
}

func (w watched) Verify(ctx context.Context) error { return w.met(w.Backend.Verify(ctx)) }

func (w watched) Find(ctx context.Context, c Collection, id string) (Doc, error) {
	d, err := w.Backend.Find(ctx, c, id)
	return d, w.met(err)
}

func (w watched) Select(ctx context.Context, c Collection, f Filter) ([]Doc, error) {
	docs, err := w.Backend.Select(ctx, c, f)
	return docs, w.met(err)
}

func (w watched) Insert(ctx context.Context, c Collection, d Doc, rows ...Doc) error {
	return w.met(w.Backend.Insert(ctx, c, d, rows...))
}

func (w watched) Replace(ctx context.Context, c Collection, d Doc, rev int64, rows ...Doc) error {
	return w.met(w.Backend.Replace(ctx, c, d, rev, rows...))
}

func (w watched) InsertNew(ctx context.Context, c Collection, docs []Doc, rows ...Doc) error {
	return w.met(w.Backend.InsertNew(ctx, c, docs, rows...))
}

func (w watched) Upsert(ctx context.Context, c Collection, docs []Doc) error {
	return w.met(w.Backend.Upsert(ctx, c, docs))
}

// Delete deletes nothing from a corrupt database: what it says of a document may be wrong.
func (w watched) Delete(ctx context.Context, c Collection, f Filter) error {
	if err := w.found.Corrupt(); err != nil {
		return failed{err}
	}
	return w.met(w.Backend.Delete(ctx, c, f))
}
