package footy

import "time"

// Tombstone keeps content that was taken down from coming back.
type Tombstone struct {
	Digest      string      `json:"digest"`
	EventUID    string      `json:"event_uid"`
	FixtureID   int64       `json:"fixture_id"`
	Reason      string      `json:"reason"`
	At          time.Time   `json:"at"`
	Fingerprint Fingerprint `json:"fingerprint"`
}
