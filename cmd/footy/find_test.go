package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/config"
)

func TestWhoSearchesMayHaveTheSettingStillWrong(t *testing.T) {
	t.Parallel()
	_, err := config.Parse(map[string]string{"TRACK_LEAGUES": "none"})
	require.Error(t, err)
	require.NoError(t, withoutTrack(err))
	_, err = config.Parse(map[string]string{"TRACK_LEAGUES": "none", "API_FOOTBALL_URL": "nowhere"})
	require.ErrorContains(t, withoutTrack(err), "API_FOOTBALL_URL")
	require.NotContains(t, withoutTrack(err).Error(), "TRACK_LEAGUES")
	require.NoError(t, withoutTrack(nil))
}

func TestWhatIsFoundIsPrintedWithIDNameAndCountry(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, printFound(&out, [][]any{{int64(42), "Arsenal", "England"}, {int64(10042), "Arsenal W", "England"}}, "team", "arsenal"))
	require.Equal(t, "42     Arsenal    England\n10042  Arsenal W  England\n", out.String())
	require.ErrorContains(t, printFound(&out, nil, "league", "nowhere"), `the feed knows no league by "nowhere"`)
}
