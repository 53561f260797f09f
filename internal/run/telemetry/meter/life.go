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

// matchLife has the rows that tell where a match stands, and name no event.
var matchLife = map[footy.EntryKind]lifeLine{
	footy.EntryActivated:   {"monitor", "activated", slog.LevelInfo},
	footy.EntryRescheduled: {"monitor", "new_date", slog.LevelInfo},
	footy.EntryOver:        {"monitor", "over", slog.LevelInfo},
	footy.EntryPollFailed:  {"monitor", "poll_failed", slog.LevelWarn},
	footy.EntryDistrusted:  {"monitor", "poll_distrusted", slog.LevelWarn},
	footy.EntryTrusted:     {"monitor", "poll_trusted", slog.LevelInfo},
	footy.EntryCompleted:   {"monitor", "completed", slog.LevelInfo},
	footy.EntryOperator:    {"operator", "operator", slog.LevelInfo},
}

// logRow writes a line for a row of a goal's or a match's life, so that who has nothing but logs can follow them. A row whose kind says nothing
// about one has none.
func (s *measuredStore) logRow(r footy.Entry) {
	lines, id := life, eventName{label: s.names.match(r.FixtureID)}
	if r.EventUID == "" {
		lines = matchLife
	} else {
		id = s.names.known(r.EventUID)
	}
	l, ok := lines[r.Kind]
	if !ok || !s.log.Enabled(context.Background(), l.level) {
		return
	}
	message := explain.Row(r, nil)
	if id.label != "" {
		message = id.label + ": " + message
	}
	attrs := []slog.Attr{slog.String("module", l.module), slog.String("action", l.action), slog.Int64("fixture_id", r.FixtureID)}
	for _, a := range []slog.Attr{slog.String("event_id", id.id), slog.String("reason", string(r.Reason)), slog.String("post_id", r.PostID), slog.String("clip_id", r.ClipID),
		slog.String("old_event_id", r.Data.OldID)} {
		if a.Value.String() != "" {
			attrs = append(attrs, a)
		}
	}
	s.log.LogAttrs(context.Background(), l.level, message, attrs...)
}

// eventName is how the log names an event.
type eventName struct{ id, label string }

// eventNames remembers how events and matches are called: a row about a post knows the event's uid only.
type eventNames struct {
	mu      sync.Mutex
	byUID   map[string]eventName
	matches map[int64]string
}

// learn takes over the names of a fixture's events.
func (n *eventNames) learn(f *footy.Fixture) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.byUID == nil || len(n.byUID) > remembered {
		n.byUID = map[string]eventName{}
	}
	if n.matches == nil || len(n.matches) > remembered {
		n.matches = map[int64]string{}
	}
	match := f.Teams.Home.Name + " - " + f.Teams.Away.Name
	n.matches[f.ID] = match
	for i := range f.Events {
		e := &f.Events[i]
		n.byUID[e.UID] = eventName{e.ID, footy.Label(*e) + " (" + match + ")"}
	}
}

// match is a match's name; "" where this process has not met it yet.
func (n *eventNames) match(id int64) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.matches[id]
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
