package feed_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed"
)

var evening = time.Date(2026, 3, 7, 23, 50, 0, 0, time.UTC)

func TestQuotaIsWholeAgainAfterMidnightUTC(t *testing.T) {
	t.Parallel()
	q := feed.Quota{DayLimit: 100, DayRemaining: 0, MinuteLimit: 10, MinuteRemaining: 3, At: evening}
	require.Zero(t, q.AsOf(evening.Add(9*time.Minute)).DayRemaining)
	require.Equal(t, 100, q.AsOf(evening.Add(11*time.Minute)).DayRemaining)
	require.Equal(t, 3, q.AsOf(evening.Add(time.Second)).MinuteRemaining)
	require.Equal(t, 10, q.AsOf(evening.Add(time.Minute)).MinuteRemaining)
	unknown := feed.Quota{DayLimit: -1, DayRemaining: -1}
	require.Equal(t, unknown, unknown.AsOf(evening))
}

func TestQuotaIsNewsByTheHundredth(t *testing.T) {
	t.Parallel()
	was := feed.Quota{DayLimit: 7500, DayRemaining: 7000, At: evening}
	with := func(change func(*feed.Quota)) feed.Quota {
		q := was
		q.At = q.At.Add(time.Minute)
		change(&q)
		return q
	}
	for name, c := range map[string]struct {
		q    feed.Quota
		news bool
	}{
		"the same":       {with(func(*feed.Quota) {}), false},
		"a few calls":    {with(func(q *feed.Quota) { q.DayRemaining -= 50 }), false},
		"a hundredth":    {with(func(q *feed.Quota) { q.DayRemaining -= 75 }), true},
		"the end":        {with(func(q *feed.Quota) { q.DayRemaining = 0 }), true},
		"another plan":   {with(func(q *feed.Quota) { q.DayLimit = 100 }), true},
		"another day":    {with(func(q *feed.Quota) { q.At = q.At.Add(time.Hour) }), true},
		"more than less": {with(func(q *feed.Quota) { q.DayRemaining += 400 }), true},
	} {
		require.Equal(t, c.news, c.q.News(was), name)
	}
	require.True(t, was.News(feed.Quota{}), "nothing was known before")
}
