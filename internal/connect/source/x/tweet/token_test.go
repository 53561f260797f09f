package tweet_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source/x/tweet"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestTokensOfNoPost(t *testing.T) {
	t.Parallel()
	for _, post := range []string{"0", "000", "abc", "", "-1", "https://x.com/someone"} {
		_, err := tweet.TokenOf(post)
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), post)
		require.ErrorContains(t, err, "post", post)
	}
}

func TestTokenTakesAnIDOrAnAddress(t *testing.T) {
	t.Parallel()
	for _, post := range []string{"1628832338187636740", "https://x.com/fan/status/1628832338187636740?s=20"} {
		token, err := tweet.TokenOf(post)
		require.NoError(t, err)
		require.Equal(t, "3y54libozsy", token)
	}
	_, err := tweet.TokenOf("https://x.com/fan")
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
}
