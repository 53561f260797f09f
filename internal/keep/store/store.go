// Package store keeps fixtures, the ledger of posts, their log and their fingerprints. A fixture with its events is one
// document, and so is each post of an event; a change and the log rows that tell of it are one step. Adapters only find,
// insert, replace by revision, upsert and delete documents.
package store

import (
	"context"
	"encoding/json"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Store is the port the product uses; New gives it over any Backend.
type Store interface {
	Fixtures
	Posts
	Answers
	Log
	Fingerprints
	Aliases
	Tombstones
	State
	Damages
	Sound
	// Ping answers whether the database can be reached.
	Ping(ctx context.Context) error
	Close() error
}

// Fixtures holds the aggregate.
type Fixtures interface {
	// Add inserts a fixture with its log rows in one step; CodeConflict if it already exists.
	Add(ctx context.Context, f footy.Fixture, rows ...footy.Entry) error
	// Fixture finds a fixture; CodeNotFound if there is none.
	Fixture(ctx context.Context, id int64) (footy.Fixture, error)
	// Update reads, applies change and writes back only if nobody wrote in between, else starts over with fresh data.
	// change returns the log rows of what it decided: document and rows are written as one step, and only by the try
	// that wins. It must be repeatable. An error of change aborts and comes back as it is; ErrUnchanged aborts silently,
	// its rows are dropped and the fixture comes back as read. Revision and id belong to the store: what change does to
	// them is undone. CodeNotFound if there is no such fixture, CodeInvalid if change gives it no known stage.
	Update(ctx context.Context, id int64, change func(*footy.Fixture) ([]footy.Entry, error)) (footy.Fixture, error)
	// Delete removes a fixture with its posts, log and live snapshot; what stays of its fingerprints is said by ArchiveFingerprints.
	Delete(ctx context.Context, id int64) error
	// List returns fixtures by kickoff, then id.
	List(ctx context.Context, q FixtureQuery) ([]footy.Fixture, error)
	// Revisions returns the revisions of fixtures by id, without reading the fixtures.
	Revisions(ctx context.Context, q FixtureQuery) (map[int64]int64, error)
	// FixtureOfEvent finds the fixture that holds an event, by uid or any id it ever had.
	FixtureOfEvent(ctx context.Context, eventID string) (footy.Fixture, error)
	// FixturesWithClip returns the fixtures one of whose events has a clip of these bytes, by kickoff, then id.
	FixturesWithClip(ctx context.Context, digest string) ([]footy.Fixture, error)
}

// FixtureQuery selects fixtures; zero fields do not restrict.
type FixtureQuery struct {
	Stages []footy.Stage
	IDs    []int64
	From   time.Time // kickoff at or after
	To     time.Time // kickoff before
	Text   string    // every folded word occurs in team, league or scorer names
	Team   int64     // of which it plays; not together with League or Open
	League int64     // of which it is a match; not together with Team or Open
	Open   bool      // only those with an event that is not complete
	Limit  int
	Newest bool // with Limit: keep the latest kickoffs instead of the earliest (still listed by kickoff)
}

// Posts is the ledger: one record per event and post.
type Posts interface {
	// AddPosts inserts the records that are new for their event and post and leaves the others as they are; the log rows
	// are written in the same step, also where no record is new. It may be repeated.
	AddPosts(ctx context.Context, posts []footy.Post, rows ...footy.Entry) error
	// Post finds a record; CodeNotFound if there is none.
	Post(ctx context.Context, eventUID, postID string) (footy.Post, error)
	// Advance moves a record and writes it with the rows that tell of the move, in one step; as with Update, move may be asked again.
	// Which moves there are is decided by the ledger's table. An error of move comes back as it is and changes nothing. Revision,
	// event, post and fixture belong to the store. CodeNotFound if there is no such record.
	Advance(ctx context.Context, eventUID, postID string, move func(footy.Post) (footy.Post, []footy.Entry, error)) (footy.Post, error)
	// Posts returns records by next try (those that ended first), then event and post. CodeInvalid for a query that could return all
	// records that are kept and does not say All.
	Posts(ctx context.Context, q PostQuery) ([]footy.Post, error)
}

// PostQuery selects records of the ledger; zero fields do not restrict. It names a fixture or an event, or records that have not ended:
// those that have grow with the days kept.
type PostQuery struct {
	All       bool // also those of every event that have ended
	FixtureID int64
	EventUID  string
	Open      bool      // not ended
	Due       time.Time // open, and its next try is not later than this
	After     time.Time // open, and its next try is later than this
	States    []footy.PostState
	Limit     int // the first ones are kept
}

// Answers is what the feed said: the latest answer about each fixture, overwritten by every poll, and the last ones that changed something.
type Answers interface {
	// PutAnswers overwrites those of one poll in one bulk write.
	PutAnswers(ctx context.Context, answers []Answer) error
	// LatestAnswers returns the stored ones by fixture id; fixtures without one that can be read are absent.
	LatestAnswers(ctx context.Context, ids []int64) (map[int64]Answer, error)
	// KeepAnswer keeps an answer as text, as long as its fixture, and the MaxAnswers before it. The same one again changes nothing.
	KeepAnswer(ctx context.Context, a Answer) error
	// KeptAnswers returns them, the oldest first.
	KeptAnswers(ctx context.Context, fixtureID int64) ([]KeptAnswer, error)
}

// MaxAnswers is how many answers about a match are kept: each that changed its score, status, period or events.
const MaxAnswers = 60

// Answer is what the feed said of a fixture in a poll.
type Answer struct {
	FixtureID int64
	Kickoff   time.Time
	PollID    string
	Answered  time.Time
	Before    time.Time       // when it had answered the time before; zero if it never did
	Since     time.Time       // when its running clock came to where it is
	Said      json.RawMessage // its own object; beside its events the ids of ours
}

// KeptAnswer is an answer that was kept.
type KeptAnswer struct {
	Answered time.Time `json:"answered"`
	PollID   string    `json:"poll_id"`
	Said     string    `json:"said"` // JSON
}

// Log is the append-only story of every decision. Rows of a decision that changes something go with the change.
type Log interface {
	// Append writes rows; a row whose key is already there is left as it is.
	Append(ctx context.Context, rows ...footy.Entry) error
	// Entries returns rows in time order, then key.
	Entries(ctx context.Context, q LogQuery) ([]footy.Entry, error)
}

// LogQuery selects log rows; zero fields do not restrict.
type LogQuery struct {
	FixtureID int64
	EventUID  string
	Keys      []string // those of them that are there
	Kinds     []footy.EntryKind
	Since     time.Time
	Limit     int // newest kept if exceeded
}

// Fingerprints lie beside their clips, not in the document that every poll reads.
type Fingerprints interface {
	PutFingerprint(ctx context.Context, f footy.StoredFingerprint) error
	Fingerprints(ctx context.Context, eventUID string) ([]footy.StoredFingerprint, error)
	// FingerprintRefs says of which clips there are fingerprints, without reading them.
	FingerprintRefs(ctx context.Context) ([]footy.FingerprintRef, error)
	// FingerprintsByID returns those of the named ones that are there and can be read.
	FingerprintsByID(ctx context.Context, ids []string) ([]footy.StoredFingerprint, error)
	// ArchiveFingerprints keeps of a fixture's fingerprints only these, which say themselves what they show: the fixture may be deleted.
	ArchiveFingerprints(ctx context.Context, fixtureID int64, keep []footy.StoredFingerprint) error
	// DeleteArchived removes archived fingerprints of matches that began before a time.
	DeleteArchived(ctx context.Context, before time.Time) error
}

// Aliases is the cache of resolved team names.
type Aliases interface {
	Aliases(ctx context.Context, teamID int64) (footy.TeamAliases, error) // CodeNotFound if not cached
	PutAliases(ctx context.Context, a footy.TeamAliases) error
}

// Tombstones lists content that must not come back, to any fixture.
type Tombstones interface {
	// PutTombstone keeps content from coming back. One per content and event: a second takedown of the same bytes leaves the first.
	PutTombstone(ctx context.Context, t footy.Tombstone) error
	// Tombstones lists all of them, oldest first.
	Tombstones(ctx context.Context) ([]footy.Tombstone, error)
}

// State keeps small facts of the service: budgets, quota, canary, last ingest.
type State interface {
	// State decodes the value under key into out; CodeNotFound if there is none.
	State(ctx context.Context, key string, out any) error
	PutState(ctx context.Context, key string, value any) error
	// UpdateState changes the value under key as Update does a fixture: was is nil where there is none; now is stored only
	// if nobody wrote in between, else change is asked again. ErrUnchanged leaves everything as it is. ChangeState is easier.
	UpdateState(ctx context.Context, key string, change func(was json.RawMessage) (now any, err error)) error
}

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

// Views lists them, earliest stage first. People who read the database know the founding documents' collections by these names. In a view each
// event has fields that those documents have, and that are stored nowhere: _monitor_complete (its search was taken up), _twitter_complete (as
// _download_complete), _download_workflows (that have its posts) and _discovered_videos (its posts as they were found).
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
	// Verify reads everything, if the database can check itself.
	Verify(ctx context.Context) error
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
