package footy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
)

func TestASpellingOfTwoMatchesIsAName(t *testing.T) {
	t.Parallel()
	a := footy.TeamAliases{Names: []string{"inter milan"}}
	require.True(t, a.Learn("inter", 1))
	require.False(t, a.Learn("inter", 1), "another post of the same match")
	require.Equal(t, []string{"inter milan"}, a.Called())
	require.True(t, a.Learn("inter", 2))
	require.False(t, a.Learn("inter", 3), "it is known")
	require.Equal(t, []string{"inter", "inter milan"}, a.Called())
}
