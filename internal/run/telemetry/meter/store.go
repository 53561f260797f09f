package meter

import (
	"context"
	"log/slog"
	"sync"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"github.com/prometheus/client_golang/prometheus"
)

type measuredStore struct {
	store.Store
	log                          *slog.Logger
	goals, candidates, decisions *prometheus.CounterVec
	first                        prometheus.Observer
	seen                         recent
	names                        eventNames
}

// Store measures and logs what the product decides by the rows of its log, at the moment they are written down.
func Store(m *telemetry.Metrics, log *slog.Logger, next store.Store) store.Store {
	return &measuredStore{
		Store: next,
		log:   log,
		goals: outcomes(m, "goals_total", "Goals and red cards by the step they took: seen, certain, first_clip, complete, lost (complete without a clip), removed.", "step",
			"seen", "certain", "first_clip", "complete", "lost", "removed"),
		candidates: outcomes(m, "candidates_total", "Posts judged, by verdict: verified, unverified, or the reason they were refused.", "verdict",
			string(footy.OutcomeVerified), string(footy.OutcomeUnverified), string(footy.ReasonNotSoccer), string(footy.ReasonScreen), string(footy.ReasonWrongMinute),
			string(footy.ReasonSiblingGoal), string(footy.ReasonOtherMatch), string(footy.ReasonDuplicate)),
		decisions: m.Counter("decisions_total", "Rows written to the event log by this process.", "kind", "reason"),
		first:     m.Minutes("first_clip_seconds", "From first seeing a goal or red card to its first clip.").WithLabelValues(),
	}
}

// Add implements store.Store.
func (s *measuredStore) Add(ctx context.Context, f footy.Fixture, rows ...footy.Entry) error {
	return s.written(rows, &f, s.Store.Add(ctx, f, rows...))
}

// Update implements store.Store.
func (s *measuredStore) Update(ctx context.Context, id int64, change func(*footy.Fixture) ([]footy.Entry, error)) (footy.Fixture, error) {
	var rows []footy.Entry
	out, err := s.Store.Update(ctx, id, func(f *footy.Fixture) ([]footy.Entry, error) {
		decided, err := change(f)
		if rows = decided; err != nil { // nothing is written
			rows = nil
		}
		return decided, err
	})
	return out, s.written(rows, &out, err)
}

// AddPosts implements store.Store.
func (s *measuredStore) AddPosts(ctx context.Context, posts []footy.Post, rows ...footy.Entry) error {
	return s.written(rows, nil, s.Store.AddPosts(ctx, posts, rows...))
}

// Advance implements store.Store.
func (s *measuredStore) Advance(ctx context.Context, eventUID, postID string, move func(footy.Post) (footy.Post, []footy.Entry, error)) (footy.Post, error) {
	var rows []footy.Entry
	out, err := s.Store.Advance(ctx, eventUID, postID, func(p footy.Post) (footy.Post, []footy.Entry, error) {
		rows = nil
		moved, told, err := move(p)
		if err == nil {
			rows = told
		}
		return moved, told, err
	})
	return out, s.written(rows, nil, err)
}

// stepOf is the step that a row is of in the life of a goal; "" if it is none.
func stepOf(r footy.Entry) string {
	if r.Kind != footy.EntryCompleted {
		return map[footy.EntryKind]string{footy.EntryNew: "seen", footy.EntryCertain: "certain", footy.EntryFirstClip: "first_clip", footy.EntryRemoved: "removed"}[r.Kind]
	}
	switch {
	case r.EventUID == "": // of its match
		return ""
	case r.Data.Clips > 0:
		return "complete"
	}
	return "lost"
}

// Append implements store.Store.
func (s *measuredStore) Append(ctx context.Context, rows ...footy.Entry) error {
	return s.written(rows, nil, s.Store.Append(ctx, rows...))
}

// written counts and logs the rows of a write that succeeded, and of its fixture, where it is known. A row that a retry
// writes again counts once.
func (s *measuredStore) written(rows []footy.Entry, f *footy.Fixture, err error) error {
	if err != nil {
		return err
	}
	if f != nil {
		s.names.learn(f)
	}
	for _, r := range rows {
		if !s.seen.add(r.Key) {
			continue
		}
		s.decisions.WithLabelValues(string(r.Kind), string(r.Reason)).Inc()
		s.logRow(r)
		switch {
		case r.Kind == footy.EntryRejected:
			s.candidates.WithLabelValues(string(r.Reason)).Inc()
		case r.Kind == footy.EntryVerdict:
			s.candidates.WithLabelValues(r.Data.Outcome).Inc()
		}
		if step := stepOf(r); step != "" {
			s.goals.WithLabelValues(step).Inc()
		}
		if f == nil || r.Kind != footy.EntryFirstClip {
			continue
		}
		if e := f.Event(r.EventUID); e != nil && !e.FirstSeen.IsZero() {
			s.first.Observe(r.At.Sub(e.FirstSeen).Seconds())
		}
	}
	return nil
}

// recent remembers the last keys, so that counting does not grow with the days.
type recent struct {
	mu       sync.Mutex
	new, old map[string]bool
}

const remembered = 4096

// add reports whether key is new.
func (r *recent) add(key string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.new[key] || r.old[key] {
		return false
	}
	if r.new == nil || len(r.new) >= remembered {
		r.old, r.new = r.new, make(map[string]bool, remembered)
	}
	r.new[key] = true
	return true
}
