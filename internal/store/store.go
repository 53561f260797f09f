// Package store keeps fixtures, their log and their fingerprints. A fixture with its events is one document and every
// change is one atomic write; adapters only find, insert, replace by revision, upsert and delete documents.
package store

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Store is the port the product uses; New gives it over any Backend.
type Store interface {
	Fixtures
	Live
	Log
	Fingerprints
	Aliases
	Tombstones
	State
	// Ping answers whether the database can be reached.
	Ping(ctx context.Context) error
	Close() error
}

// Fixtures holds the aggregate.
type Fixtures interface {
	// Add inserts a fixture into its stage; CodeConflict if it already exists in any stage.
	Add(ctx context.Context, f footy.Fixture) error
	// Fixture finds a fixture wherever it is; CodeNotFound if nowhere.
	Fixture(ctx context.Context, id int64) (footy.Fixture, error)
	// Update reads, applies change and writes back only if nobody wrote in between, else starts over with fresh data.
	// change must be repeatable. An error of change aborts and comes back as it is; ErrUnchanged aborts silently.
	// Revision, stage and id belong to the store: what change does to them is undone.
	Update(ctx context.Context, id int64, change func(*footy.Fixture) error) (footy.Fixture, error)
	// Move changes the stage, applying change in the same step; it may be repeated after a crash at any point and
	// exactly one copy is visible at any time. A fixture that is already there is returned as it is, without change;
	// ErrUnchanged calls the move off.
	Move(ctx context.Context, id int64, to footy.Stage, change func(*footy.Fixture) error) (footy.Fixture, error)
	// Delete removes a fixture from every stage, with its live snapshot.
	Delete(ctx context.Context, id int64) error
	// List returns fixtures by kickoff, then id.
	List(ctx context.Context, q FixtureQuery) ([]footy.Fixture, error)
	// FixtureOfEvent finds the fixture that holds an event, by uid or any id it ever had.
	FixtureOfEvent(ctx context.Context, eventID string) (footy.Fixture, error)
}

// FixtureQuery selects fixtures; zero fields do not restrict.
type FixtureQuery struct {
	Stages []footy.Stage
	IDs    []int64
	From   time.Time // kickoff at or after
	To     time.Time // kickoff before
	Text   string    // every folded word occurs in team, league or scorer names
	Limit  int
	Newest bool // with Limit: keep the latest kickoffs instead of the earliest (still listed by kickoff)
}

// Live is the buffer of the latest answer per fixture, overwritten by every poll.
type Live interface {
	// PutLive overwrites the snapshots of one poll in one bulk write.
	PutLive(ctx context.Context, pollID string, snapshots []footy.Snapshot) error
	// Live returns the stored snapshots with the poll that wrote them; fixtures without one are absent.
	Live(ctx context.Context, ids []int64) (map[int64]LiveSnapshot, error)
}

// LiveSnapshot is a snapshot with the poll that fetched it and its predecessor's facts (for anomaly checks).
type LiveSnapshot struct {
	PollID   string         `json:"poll_id"`
	Snapshot footy.Snapshot `json:"snapshot"`
}

// Log is the append-only story of every decision.
type Log interface {
	// Append writes rows; a row whose key is already there is left as it is.
	Append(ctx context.Context, rows ...footy.Entry) error
	// Entries returns rows in time order, then key.
	Entries(ctx context.Context, q LogQuery) ([]footy.Entry, error)
	// DeleteEntries removes the rows of one fixture (retention).
	DeleteEntries(ctx context.Context, fixtureID int64) error
}

// LogQuery selects log rows; zero fields do not restrict.
type LogQuery struct {
	FixtureID int64
	EventUID  string
	Kinds     []footy.EntryKind
	Since     time.Time
	Limit     int // newest kept if exceeded
}

// Fingerprints lie beside their clips, not in the document that every poll reads.
type Fingerprints interface {
	PutFingerprint(ctx context.Context, f footy.StoredFingerprint) error
	Fingerprints(ctx context.Context, eventUID string) ([]footy.StoredFingerprint, error)
	DeleteFingerprints(ctx context.Context, fixtureID int64) error
}

// Aliases is the cache of resolved team names.
type Aliases interface {
	Aliases(ctx context.Context, teamID int64) (footy.TeamAliases, error) // CodeNotFound if not cached
	PutAliases(ctx context.Context, a footy.TeamAliases) error
}

// Tombstones lists content that must not come back.
type Tombstones interface {
	PutTombstone(ctx context.Context, t footy.Tombstone) error
	Tombstones(ctx context.Context, fixtureID int64) ([]footy.Tombstone, error)
}

// State keeps small facts of the service: budgets, quota, canary, last ingest.
type State interface {
	// State decodes the value under key into out; CodeNotFound if there is none.
	State(ctx context.Context, key string, out any) error
	PutState(ctx context.Context, key string, value any) error
}
