package meter

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"github.com/prometheus/client_golang/prometheus"
)

type measuredFeed struct {
	feed.Feed
	calls, polls, missed *prometheus.CounterVec
	took                 *prometheus.HistogramVec
	left, limit          *prometheus.GaugeVec
}

// Feed measures the calls of a feed, the polls they make up and the quota the vendor reports.
func Feed(r *telemetry.Metrics, next feed.Feed) feed.Feed {
	f := &measuredFeed{
		Feed:   next,
		calls:  r.Counter("feed_calls_total", "Calls to the fixtures feed, by kind and how they ended.", "call", "result"),
		polls:  r.Counter("polls_total", "Polls of live matches by outcome: ok, partial (some matches missing), or why none came.", "outcome"),
		missed: r.Counter("poll_fixtures_missed_total", "Matches that a poll asked for and did not get."),
		took:   r.Seconds("feed_seconds", "How long calls to the feed take.", "call"),
		left:   r.Gauge("feed_calls_left", "Calls the vendor says are left.", "window"),
		limit:  r.Gauge("feed_calls_limit", "Calls the vendor allows.", "window"),
	}
	zero(f.polls, "ok", "partial", "unavailable", "rate_limited", "auth_required")
	return f
}

// Day implements feed.Feed.
func (f *measuredFeed) Day(ctx context.Context, date time.Time) ([]footy.Snapshot, error) {
	defer f.quota(time.Now(), "day")
	out, err := f.Feed.Day(ctx, date)
	f.calls.WithLabelValues("day", result(err)).Inc()
	return out, err
}

// ByIDs implements feed.Feed.
func (f *measuredFeed) ByIDs(ctx context.Context, ids []int64) (feed.Answer, error) {
	return f.poll("ids", func() (feed.Answer, error) { return f.Feed.ByIDs(ctx, ids) })
}

func (f *measuredFeed) poll(call string, ask func() (feed.Answer, error)) (feed.Answer, error) {
	defer f.quota(time.Now(), call)
	out, err := ask()
	f.calls.WithLabelValues(call, result(err)).Inc()
	outcome := result(err)
	if err == nil && len(out.Failed) > 0 {
		outcome = "partial"
		f.missed.WithLabelValues().Add(float64(len(out.Failed)))
	}
	f.polls.WithLabelValues(outcome).Inc()
	return out, err
}

func (f *measuredFeed) quota(began time.Time, call string) {
	f.took.WithLabelValues(call).Observe(since(began))
	q := f.Quota()
	if q.At.IsZero() {
		return
	}
	for _, w := range []struct {
		name        string
		left, limit int
	}{{"day", q.DayRemaining, q.DayLimit}, {"minute", q.MinuteRemaining, q.MinuteLimit}} {
		if w.left >= 0 {
			f.left.WithLabelValues(w.name).Set(float64(w.left))
		}
		if w.limit >= 0 {
			f.limit.WithLabelValues(w.name).Set(float64(w.limit))
		}
	}
}
