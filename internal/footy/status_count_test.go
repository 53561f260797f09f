package footy_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
)

func TestAMinuteIsCountedOnAsABroadcastDoes(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		code           string
		elapsed, extra int
		after          time.Duration
		want           string
	}{
		{"1H", 15, 0, 59 * time.Second, "15'"}, {"1H", 15, 0, 3 * time.Minute, "18'"}, {"1H", 44, 0, time.Minute, "45'"},
		{"1H", 44, 0, 2*time.Minute + time.Second, "45+1'"}, {"1H", 45, 2, time.Minute, "45+3'"}, {"2H", 46, 0, 44 * time.Minute, "90'"},
		{"2H", 90, 0, 5 * time.Minute, "90+5'"}, {"2H", 90, 0, 3 * time.Hour, "90+20'"}, {"2H", 90, 23, time.Hour, "90+23'"},
		{"ET", 104, 0, 3 * time.Minute, "105+2'"}, {"ET", 106, 0, 15 * time.Minute, "120+1'"}, {"LIVE", 45, 0, time.Minute, "45+1'"},
		{"HT", 45, 0, 10 * time.Minute, "45'"}, {"BT", 90, 0, 4 * time.Minute, "90'"}, {"INT", 30, 0, time.Hour, "30'"}, {"FT", 90, 0, time.Hour, "90'"},
	} {
		st := footy.Status{Code: c.code, Elapsed: &c.elapsed, Extra: &c.extra, Since: since}
		got := st.CountOn(since.Add(c.after), time.Minute)
		require.Equal(t, c.want, footy.MinuteLabel(got.Minute()), "%s %d+%d after %s", c.code, c.elapsed, c.extra, c.after)
		require.Equal(t, got, got.CountOn(since.Add(c.after), time.Minute), "counted on at once it stays")
		require.True(t, st.Began(time.Minute).Equal(got.Began(time.Minute)))
	}
	n := 15
	unknown := footy.Status{Code: "1H", Elapsed: &n}
	require.Equal(t, unknown, unknown.CountOn(since, time.Minute), "when it was given is not known")
	fast := footy.Status{Code: "1H", Elapsed: &n, Since: since}
	require.Equal(t, 18, fast.CountOn(since.Add(6*time.Second), 2*time.Second).Minute().Elapsed)
}
