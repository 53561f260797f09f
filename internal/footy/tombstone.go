package footy

import "time"

// Tombstone forbids content that was taken down to come back.
type Tombstone struct {
	Digest      string      `json:"digest"`
	EventUID    string      `json:"event_uid"`
	FixtureID   int64       `json:"fixture_id"`
	Reason      string      `json:"reason"`
	At          time.Time   `json:"at"`
	Fingerprint Fingerprint `json:"fingerprint"`
}
