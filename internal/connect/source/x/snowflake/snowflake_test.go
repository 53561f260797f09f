package snowflake_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
)

func TestTheTimeLiesInTheID(t *testing.T) {
	t.Parallel()
	got, err := snowflake.Time("2052900925468279124")
	require.NoError(t, err)
	require.Equal(t, "2026-05-08T23:58:16Z", got.Truncate(time.Second).Format(time.RFC3339))
	back, err := snowflake.Time(snowflake.At(got, 7))
	require.NoError(t, err)
	require.Equal(t, got, back)
}

func TestBrokenIDsAreRefused(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "20", "12345678901234567", "2052900925468279124_1", "2052900925468279124_", "2052900925468279124_02", "2052900925468279124_x", "123_2", "2.0529009254682793e18", "-052900925468279124",
		"012345678901234567", "99999999999999999999", "2052900925468279124 "} {
		require.False(t, snowflake.Valid(id), id)
	}
	require.True(t, snowflake.Valid("123456789012345678"))
}

func TestIDsAreFoundInAddresses(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://x.com/someone/status/2052900925468279124":                  "2052900925468279124",
		"https://twitter.com/i/web/status/2052900925468279124/video/1?s=20": "2052900925468279124",
		"2052900925468279124":                                "2052900925468279124",
		"https://x.com/a/status/2052900925468279124/video/2": "2052900925468279124_2", "2052900925468279124_3": "2052900925468279124_3",
		"https://x.com/a/status/2052900925468279124/photo/2": "2052900925468279124", "https://x.com/a/status/2052900925468279124/video/x": "2052900925468279124",
		"https://x.com/someone":        "",
		"https://x.com/a/status/123":   "",
		"%zz":                          "",
		" 2052900925468279124\n":       "2052900925468279124",
		"https://x.com/status/status/": "",
	} {
		require.Equal(t, want, snowflake.FromURL(in), in)
	}
}
