package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/config"
)

func TestAnAppOfRedditHasIDAndSecret(t *testing.T) {
	t.Parallel()
	for _, half := range []map[string]string{{"REDDIT_CLIENT_ID": "app"}, {"REDDIT_CLIENT_SECRET": "secret"}} {
		_, err := config.Parse(half)
		require.ErrorContains(t, err, "needs REDDIT_CLIENT_SECRET")
	}
	c, err := config.Parse(map[string]string{"REDDIT_CLIENT_ID": "app", "REDDIT_CLIENT_SECRET": "secret", "REDDIT_SUBREDDITS": "soccer,MLS"})
	require.NoError(t, err)
	require.True(t, c.Reddit.On())
	require.Equal(t, []string{"soccer", "MLS"}, c.Reddit.Subreddits)
}
