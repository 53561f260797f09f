package store

import (
	"context"
	"encoding/json"
	"time"
)

// Collection names one set of documents; the first five are the seeds' names.
type Collection string

// The collections.
const (
	FixturesStaging   Collection = "fixtures_staging"
	FixturesLive      Collection = "fixtures_live"
	FixturesActive    Collection = "fixtures_active"
	FixturesCompleted Collection = "fixtures_completed"
	TeamAliases       Collection = "team_aliases"
	EventLog          Collection = "event_log"
	FingerprintsColl  Collection = "fingerprints"
	TombstonesColl    Collection = "tombstones"
	ServiceState      Collection = "service_state"
)

// Doc is one stored document. Body is the JSON object as stored (field names are those of the footy types);
// the other fields are what an adapter must be able to find it by. Adapters need not return Keys and Text: both are derived.
type Doc struct {
	ID       string
	Revision int64     // 0 for collections without revisions
	At       time.Time // kickoff, log time, ...: what Filter.From and Filter.To compare; whole milliseconds, UTC
	Group    string    // fixture id as decimal, where the collection has one
	Sub      string    // event uid, where the collection has one
	Keys     []string  // further unique-enough look-up keys (event ids)
	Text     string    // folded words to search in
	Body     json.RawMessage
}

// Numeric reports whether the ids of a collection are numbers, and sort as such.
func (c Collection) Numeric() bool {
	switch c {
	case FixturesStaging, FixturesLive, FixturesActive, FixturesCompleted, TeamAliases:
		return true
	}
	return false
}

// Keyed reports whether the documents of a collection have Keys.
func (c Collection) Keyed() bool {
	return c == FixturesStaging || c == FixturesActive || c == FixturesCompleted
}

// Collections lists all of them.
var Collections = []Collection{
	FixturesStaging, FixturesLive, FixturesActive, FixturesCompleted,
	TeamAliases, EventLog, FingerprintsColl, TombstonesColl, ServiceState,
}

// Filter selects documents; zero fields do not restrict. Results come ordered by At, then ID.
type Filter struct {
	IDs      []string
	Revision int64
	From, To time.Time // [From, To)
	Group    string
	Sub      string
	Key      string
	Words    []string // each must occur in Text
	Limit    int
	Newest   bool // with Limit: keep the last ones (still returned in ascending order)
}

// Backend is what a database adapter implements. Errors carry footy codes: not_found, conflict, unavailable.
type Backend interface {
	Find(ctx context.Context, c Collection, id string) (Doc, error)
	Select(ctx context.Context, c Collection, f Filter) ([]Doc, error)
	// Insert fails with conflict if the id exists.
	Insert(ctx context.Context, c Collection, d Doc) error
	// Replace fails with conflict unless the stored revision is rev (not_found if there is no such document).
	Replace(ctx context.Context, c Collection, d Doc, rev int64) error
	// Upsert writes all documents, replacing whole ones, in one bulk write.
	Upsert(ctx context.Context, c Collection, docs []Doc) error
	// InsertNew inserts those documents whose ids are new, in one bulk write, and leaves the others as they are.
	InsertNew(ctx context.Context, c Collection, docs []Doc) error
	// Delete removes matching documents; none matching is no error. A filter without condition is refused.
	Delete(ctx context.Context, c Collection, f Filter) error
	Ping(ctx context.Context) error
	Close() error
}
