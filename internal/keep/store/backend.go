package store

import (
	"context"
	"encoding/json"
	"time"
)

// Collection names one set of documents.
type Collection string

// The collections. Readers of the database find fixtures by their stage as views too: see Views.
const (
	FixturesColl     Collection = "fixtures"
	PostsColl        Collection = "posts"
	FixturesLive     Collection = "fixtures_live"
	TeamAliases      Collection = "team_aliases"
	EventLog         Collection = "event_log"
	FingerprintsColl Collection = "fingerprints"
	TombstonesColl   Collection = "tombstones"
	ServiceState     Collection = "service_state"
)

// Collections lists all of them.
var Collections = []Collection{
	FixturesColl, PostsColl, FixturesLive, TeamAliases, EventLog, FingerprintsColl, TombstonesColl, ServiceState,
}

// View is a stage of the fixtures under the name of a collection, for people and tools that read the database.
type View struct{ Name, Stage string }

// Views lists them, earliest stage first. People who read the database know the founding documents' collections by these names.
var Views = []View{{"fixtures_staging", "staging"}, {"fixtures_active", "active"}, {"fixtures_completed", "completed"}}

// Doc is one stored document. Body is the JSON object as stored (field names are those of the footy types);
// the other fields are what an adapter must be able to find it by. Adapters need not return Keys and Text: both are derived.
type Doc struct {
	ID       string
	Revision int64     // 0 for collections without revisions
	At       time.Time // kickoff, log time, next try, ...: what Filter.From and Filter.To compare; whole milliseconds, UTC
	Group    string    // fixture id as decimal, where the collection has one
	Sub      string    // event uid, where the collection has one; of a fixture its stage
	Keys     []string  // further look-up keys: event ids, "clip:"+digest, "team:" and "league:" with their ids
	Text     string    // folded words to search in
	Body     json.RawMessage
}

// Numeric reports whether the ids of a collection are numbers, and sort as such.
func (c Collection) Numeric() bool {
	return c == FixturesColl || c == FixturesLive || c == TeamAliases
}

// Keyed reports whether the documents of a collection have Keys.
func (c Collection) Keyed() bool { return c == FixturesColl || c == PostsColl }

// Filter selects documents; zero fields do not restrict. Results come ordered by At, then ID.
type Filter struct {
	IDs      []string
	From, To time.Time // [From, To); a document without a time is before every From
	Group    string
	Subs     []string // one of them
	Key      string
	Words    []string // each must occur in Text
	Limit    int
	Newest   bool // with Limit: keep the last ones (still returned in ascending order)
	Bare     bool // bodies are not wanted, and need not be read: what is there is asked for
}

// Backend is what a database adapter implements.
type Backend interface {
	Documents
	Ping(ctx context.Context) error
	Close() error
}

// Documents are those of a database, or of one transaction of it. Errors carry footy codes: not_found, conflict, unavailable.
//
// rows are documents of EventLog that belong to a write: they are inserted where their ids are new, and are there for
// every reader if and only if the write took place.
type Documents interface {
	Find(ctx context.Context, c Collection, id string) (Doc, error)
	Select(ctx context.Context, c Collection, f Filter) ([]Doc, error)
	// Insert fails with conflict if the id exists.
	Insert(ctx context.Context, c Collection, d Doc, rows ...Doc) error
	// Replace fails with conflict unless the stored revision is rev (not_found if there is no such document).
	Replace(ctx context.Context, c Collection, d Doc, rev int64, rows ...Doc) error
	// InsertNew inserts those documents whose ids are new, in one bulk write, and leaves the others as they are. A
	// database without transactions may keep some of them when it fails, never without the rows.
	InsertNew(ctx context.Context, c Collection, docs []Doc, rows ...Doc) error
	// Upsert writes all documents, replacing whole ones, in one bulk write.
	Upsert(ctx context.Context, c Collection, docs []Doc) error
	// Delete removes matching documents; none matching is no error. A filter without condition is refused.
	Delete(ctx context.Context, c Collection, f Filter) error
}
