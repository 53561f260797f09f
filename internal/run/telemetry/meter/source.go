package meter

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"github.com/prometheus/client_golang/prometheus"
)

type measuredSource struct {
	source.Source
	searches, found, calls *prometheus.CounterVec
	took                   *prometheus.HistogramVec
}

// Source measures searches.
func Source(r *telemetry.Metrics, next source.Source) source.Source {
	s := &measuredSource{
		Source:   next,
		searches: r.Counter("searches_total", "Searches for posts by what came of them.", "outcome"),
		found:    r.Counter("search_candidates_total", "Posts with a video that searches returned."),
		calls:    r.Counter("x_calls_total", "Calls to X that searches used up."),
		took:     r.Seconds("search_seconds", "How long searches take."),
	}
	zero(s.searches, string(source.StateResults), string(source.StateEmpty), string(source.StateRateLimited), string(source.StateUpstreamError),
		string(source.StateLoginRequired), string(source.StateTimeout), "unreachable", string(footy.SearchNoCredits), string(footy.SearchMonthlyCap), string(footy.SearchDayCap))
	return s
}

// Search implements source.Source.
func (s *measuredSource) Search(ctx context.Context, q source.Query) (source.Result, error) {
	began := time.Now()
	out, err := s.Source.Search(ctx, q)
	s.took.WithLabelValues().Observe(since(began))
	outcome := string(out.State)
	if err != nil {
		outcome = "unreachable"
	}
	s.searches.WithLabelValues(outcome).Inc()
	s.found.WithLabelValues().Add(float64(len(out.Candidates)))
	s.calls.WithLabelValues().Add(float64(max(out.CallsUsed, 0)))
	return out, err
}

type measuredFetcher struct {
	source.Fetcher
	done, bytes *prometheus.CounterVec
	took        *prometheus.HistogramVec
}

// Fetcher measures downloads.
func Fetcher(r *telemetry.Metrics, next source.Fetcher) source.Fetcher {
	f := &measuredFetcher{
		Fetcher: next,
		done:    r.Counter("downloads_total", "Downloads of posted videos by how they ended; refusals by their reason.", "result"),
		bytes:   r.Counter("download_bytes_total", "Bytes of videos downloaded."),
		took:    r.Seconds("download_seconds", "How long downloads take."),
	}
	zero(f.done, "ok", "unavailable", "rate_limited", "geo_blocked", "deleted")
	return f
}

// Fetch implements source.Fetcher.
func (f *measuredFetcher) Fetch(ctx context.Context, c footy.Candidate, w io.Writer) (source.Fetched, error) {
	began := time.Now()
	out, err := f.Fetcher.Fetch(ctx, c, w)
	f.took.WithLabelValues().Observe(since(began))
	f.done.WithLabelValues(refusal(err)).Inc()
	f.bytes.WithLabelValues().Add(float64(out.Size))
	return out, err
}

// refusal is the result of a call that may refuse with a reason.
func refusal(err error) string {
	var e *footy.Error
	if errors.As(err, &e) && e.Reason != "" {
		return string(e.Reason)
	}
	return result(err)
}
