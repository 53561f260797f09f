package alias_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/alias"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestStandInsAreLookedUpAgainAfterADay(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)
	for provenance, stale := range map[string]bool{"name": true, "static": true, "wikidata": false, "wikidata+model": false} {
		a := footy.TeamAliases{Provenance: provenance, UpdatedAt: now.Add(-25 * time.Hour)}
		require.Equal(t, stale, alias.Stale(a, now), provenance)
		a.UpdatedAt = now.Add(-time.Hour)
		require.False(t, alias.Stale(a, now), provenance)
	}
}
