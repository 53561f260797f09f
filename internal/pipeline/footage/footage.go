// Package footage is the port to what knows footage of earlier matches, and keeps what is compared within one.
package footage

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Known knows footage of other matches.
type Known interface {
	// Before says of which match the footage of a post was kept before the post's own match began; nil: of none that is known.
	Before(ctx context.Context, p footy.Post, print footy.Fingerprint) (*footy.Seen, error)
	// Keeps are those of a match's fingerprints that stay when the match is deleted.
	Keeps(f footy.Fixture, prints []footy.StoredFingerprint) []footy.StoredFingerprint
	// For is how long after its kickoff those of a match stay.
	For() time.Duration
}
