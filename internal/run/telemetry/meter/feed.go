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
	calls, polls *prometheus.CounterVec
	missed       prometheus.Counter
	took         *prometheus.HistogramVec
	left, limit  *prometheus.GaugeVec
}

// Feed measures the calls of a feed, the polls they make up and the quota the vendor reports.
func Feed(m *telemetry.Metrics, next feed.Feed) feed.Feed {
	return &measuredFeed{
		Feed:  next,
		calls: m.Counter("feed_calls_total", "Calls to the fixtures feed, by kind and how they ended.", "call", "result"),
		polls: outcomes(m, "polls_total", "Polls of live matches by outcome: ok, partial (some matches missing), or why none came.", "outcome",
			"ok", "partial", "unavailable", "rate_limited", "auth_required"),
		missed: count(m, "poll_fixtures_missed_total", "Matches that a poll asked for and did not get."),
		took:   m.Seconds("feed_seconds", "How long calls to the feed take.", "call"),
		left:   m.Gauge("feed_calls_left", "Calls the vendor says are left.", "window"),
		limit:  m.Gauge("feed_calls_limit", "Calls the vendor allows.", "window"),
	}
}

// Day implements feed.Feed.
func (f *measuredFeed) Day(ctx context.Context, date time.Time) ([]footy.Snapshot, error) {
	began := time.Now()
	out, err := f.Feed.Day(ctx, date)
	f.called("day", began, err)
	return out, err
}

// ByIDs implements feed.Feed.
func (f *measuredFeed) ByIDs(ctx context.Context, ids []int64) (feed.Answer, error) {
	began := time.Now()
	out, err := f.Feed.ByIDs(ctx, ids)
	f.called("ids", began, err)
	outcome := result(err)
	if err == nil && len(out.Failed) > 0 {
		outcome = "partial"
		f.missed.Add(float64(len(out.Failed)))
	}
	f.polls.WithLabelValues(outcome).Inc()
	return out, err
}

func (f *measuredFeed) called(call string, began time.Time, err error) {
	f.calls.WithLabelValues(call, result(err)).Inc()
	f.took.WithLabelValues(call).Observe(since(began))
	q := f.Quota()
	if q.At.IsZero() {
		return
	}
	set(f.left, "day", q.DayRemaining)
	set(f.left, "minute", q.MinuteRemaining)
	set(f.limit, "day", q.DayLimit)
	set(f.limit, "minute", q.MinuteLimit)
}

// set shows a number of calls; below zero the vendor did not say it.
func set(g *prometheus.GaugeVec, window string, calls int) {
	if calls >= 0 {
		g.WithLabelValues(window).Set(float64(calls))
	}
}
