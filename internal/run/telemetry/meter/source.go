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
	searches     *prometheus.CounterVec
	found, calls prometheus.Counter
	took         prometheus.Observer
}

// Source measures searches.
func Source(m *telemetry.Metrics, next source.Source) source.Source {
	return &measuredSource{
		Source: next,
		searches: outcomes(m, "searches_total", "Searches for posts by what came of them.", "outcome", string(source.StateResults), string(source.StateEmpty),
			string(source.StateRateLimited), string(source.StateUpstreamError), string(source.StateLoginRequired), string(source.StateTimeout), "unreachable",
			string(footy.SearchNoCredits), string(footy.SearchMonthlyCap), string(footy.SearchDayCap)),
		found: count(m, "search_candidates_total", "Posts with a video that searches returned."),
		calls: count(m, "x_calls_total", "Calls to X that searches used up."),
		took:  m.Seconds("search_seconds", "How long searches take.").WithLabelValues(),
	}
}

// Search implements source.Source.
func (s *measuredSource) Search(ctx context.Context, q source.Query) (source.Result, error) {
	began := time.Now()
	out, err := s.Source.Search(ctx, q)
	s.took.Observe(since(began))
	outcome := string(out.State)
	if err != nil {
		outcome = "unreachable"
	}
	s.searches.WithLabelValues(outcome).Inc()
	s.found.Add(float64(len(out.Candidates)))
	s.calls.Add(float64(max(out.CallsUsed, 0)))
	return out, err
}

type measuredFetcher struct {
	source.Fetcher
	done  *prometheus.CounterVec
	bytes prometheus.Counter
	took  prometheus.Observer
}

// Fetcher measures downloads.
func Fetcher(m *telemetry.Metrics, next source.Fetcher) source.Fetcher {
	return &measuredFetcher{
		Fetcher: next,
		done: outcomes(m, "downloads_total", "Downloads of posted videos by how they ended; refusals by their reason.", "result",
			"ok", "unavailable", "rate_limited", "geo_blocked", "deleted"),
		bytes: count(m, "download_bytes_total", "Bytes of videos downloaded."),
		took:  m.Seconds("download_seconds", "How long downloads take.").WithLabelValues(),
	}
}

// Fetch implements source.Fetcher.
func (f *measuredFetcher) Fetch(ctx context.Context, c footy.Candidate, w io.Writer) (source.Fetched, error) {
	began := time.Now()
	out, err := f.Fetcher.Fetch(ctx, c, w)
	if errors.Is(err, source.ErrEnough) { // no download
		return out, err
	}
	f.took.Observe(since(began))
	ended := result(err)
	if e, ok := errors.AsType[*footy.Error](err); ok && e.Reason != "" {
		ended = string(e.Reason)
	}
	f.done.WithLabelValues(ended).Inc()
	f.bytes.Add(float64(out.Size))
	return out, err
}
