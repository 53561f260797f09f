// Package alias finds the words people use for a team.
package alias

import (
	"context"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Resolver finds the words people use for a team. It answers not_found if it knows nothing, unavailable if it
// could not look.
type Resolver interface {
	Resolve(ctx context.Context, team footy.Team, country string, national bool) (footy.TeamAliases, error)
}

// Picker chooses from a list of candidate words; it may not invent words.
type Picker interface {
	Pick(ctx context.Context, team string, candidates []string) ([]string, error)
}

// Refresh is how long an answer serves that was given because Wikidata could not be asked, or knew nothing then.
const Refresh = 24 * time.Hour

// Stale reports whether a cached answer should be looked up again.
func Stale(a footy.TeamAliases, now time.Time) bool {
	return !strings.HasPrefix(a.Provenance, "wikidata") && now.Sub(a.UpdatedAt) >= Refresh
}
