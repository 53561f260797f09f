package meter

import (
	"context"
	"log/slog"
	"sync"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// lifeLine says how the log tells a row of an event's life: the part of the program, what it did, how important it is.
type lifeLine struct {
	module, action string
	level          slog.Level
}

// life has the rows that tell where a goal stands; what became of single posts is for debugging.
var life = map[footy.EntryKind]lifeLine{
	footy.EntryNew:       {"monitor", "seen", slog.LevelInfo},
	footy.EntrySighting:  {"monitor", "sighting", slog.LevelDebug},
	footy.EntryAbsence:   {"monitor", "missing", slog.LevelInfo},
	footy.EntryWithheld:  {"monitor", "absence_withheld", slog.LevelInfo},
	footy.EntryCertain:   {"monitor", "certain", slog.LevelInfo},
	footy.EntryChanged:   {"monitor", "changed", slog.LevelInfo},
	footy.EntryRenamed:   {"monitor", "changed", slog.LevelInfo},
	footy.EntryRemoved:   {"monitor", "removed", slog.LevelInfo},
	footy.EntryRestored:  {"monitor", "restored", slog.LevelInfo},
	footy.EntryAhead:     {"search", "ahead", slog.LevelDebug},
	footy.EntrySearching: {"search", "searching", slog.LevelInfo},
	footy.EntryQuery:     {"search", "searched", slog.LevelInfo},
	footy.EntryCandidate: {"search", "post", slog.LevelDebug},
	footy.EntryRejected:  {"download", "rejected", slog.LevelDebug},
	footy.EntryVerdict:   {"download", "verdict", slog.LevelDebug},
	footy.EntryWaiting:   {"download", "waiting", slog.LevelInfo},
	footy.EntryClip:      {"upload", "clip", slog.LevelInfo},
	footy.EntryFirstClip: {"upload", "first_clip", slog.LevelInfo},
	footy.EntryReplaced:  {"upload", "replaced", slog.LevelInfo},
	footy.EntryMerged:    {"upload", "merged", slog.LevelDebug},
	footy.EntryCompleted: {"upload", "complete", slog.LevelInfo},
	footy.EntryOperator:  {"operator", "operator", slog.LevelInfo},
	footy.EntryExtra:     {"extra", "extra", slog.LevelInfo},
}

// logRow writes a line for a row of an event's life, so that who has nothing but logs can follow a goal. A row that names no
// event, or whose kind says nothing about one, has none.
func (s *measuredStore) logRow(r footy.Entry) {
	l, ok := life[r.Kind]
	if !ok || r.EventUID == "" || !s.log.Enabled(context.Background(), l.level) {
		return
	}
	id, message := s.names.known(r.EventUID), explain.Row(r, nil)
	if id.label != "" {
		message = id.label + ": " + message
	}
	attrs := []slog.Attr{slog.String("module", l.module), slog.String("action", l.action), slog.String("event_id", id.id), slog.Int64("fixture_id", r.FixtureID)}
	for _, a := range []slog.Attr{slog.String("reason", string(r.Reason)), slog.String("post_id", r.PostID), slog.String("clip_id", r.ClipID),
		slog.String("old_event_id", r.Data.OldID)} {
		if a.Value.String() != "" {
			attrs = append(attrs, a)
		}
	}
	s.log.LogAttrs(context.Background(), l.level, message, attrs...)
}

// eventName is how the log names an event.
type eventName struct{ id, label string }

// eventNames remembers how events are called: a row about a post knows the event's uid only.
type eventNames struct {
	mu    sync.Mutex
	byUID map[string]eventName
}

// learn takes over the names of a fixture's events.
func (n *eventNames) learn(f *footy.Fixture) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.byUID == nil || len(n.byUID) > remembered {
		n.byUID = map[string]eventName{}
	}
	for i := range f.Events {
		e := &f.Events[i]
		n.byUID[e.UID] = eventName{e.ID, footy.Label(*e) + " (" + f.Teams.Home.Name + " - " + f.Teams.Away.Name + ")"}
	}
}

// known is an event's name; its uid where this process has not met its fixture yet, which resolves too.
func (n *eventNames) known(uid string) eventName {
	n.mu.Lock()
	defer n.mu.Unlock()
	if name, ok := n.byUID[uid]; ok {
		return name
	}
	return eventName{id: uid}
}
