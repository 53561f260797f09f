package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/config"
)

func TestSettingsThatNoLongerDoAnythingAreWarnedOf(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		set  map[string]string
		want []string
	}{
		{map[string]string{"X_BEARER_TOKEN": "t", "X_DAILY_CAP": "0.10"}, []string{"X_DAILY_CAP=0.10 pays for no search, which costs $0.25 at most: X's paid API is not asked until it is that much or more"}},
		{map[string]string{"X_BEARER_TOKEN": "t", "X_DAILY_CAP": "0.25"}, nil},
		{map[string]string{"X_DAILY_CAP": "0.10"}, nil}, // it is not asked anyway
		{map[string]string{"TRACK_LEAGUES": "39,9999"}, []string{`TRACK_LEAGUES="39,9999" has 9999, which is no league that ESPN's feed knows by number: write the league's name (England/Premier League) or ESPN's word for it (eng.1)`}},
		{map[string]string{"MONITOR_INTERVAL": "10s"}, []string{`MONITOR_INTERVAL="10s" is less than 15s, and ESPN's scoreboard is asked no more often: set 15s or more, or follow API-Football (API_FOOTBALL_KEY)`}},
		{map[string]string{"MONITOR_INTERVAL": "10s", "API_FOOTBALL_KEY": "k"}, nil},
		{map[string]string{"SECOND_FEED": "espn"}, []string{"SECOND_FEED was a setting of an earlier release and does nothing: CHANGELOG.md says what holds instead"}},
	} {
		c, err := config.Parse(tc.set)
		require.NoError(t, err)
		require.Equal(t, tc.want, c.Warnings, "%v", tc.set)
		if c.Feed.InCharge() == config.ESPN {
			require.GreaterOrEqual(t, c.Track.MonitorInterval.Seconds(), 15.0)
		}
	}
}
