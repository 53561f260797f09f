package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/timeline"
)

// Canary makes a search that always has results and compares the answer with what the decoder expects. An answer of another
// shape is kept as a sample; no answer at all says nothing about the shape.
func (s *Service) Canary(ctx context.Context) source.Canary {
	got := source.Canary{At: s.opts.Now().UTC()}
	res, raw, err := s.canarySearch(ctx)
	switch {
	case err != nil:
		got.Detail = "could not look: " + err.Error()
	case res.State == source.StateRateLimited:
		got.Detail = "could not look: no search is left at this moment; footy x status says when there is"
	case res.State == source.StateLoginRequired:
		got.Detail = "could not look: nobody is logged in to X; " + account.HowToLogIn
	default:
		drift := timeline.Drift(raw.page)
		if !res.State.Usable() {
			drift = append(drift, string(res.State)+": "+res.Detail)
		}
		got.OK, got.Drift, got.Detail = len(drift) == 0, len(drift) > 0, strings.Join(drift, "; ")
		if got.Drift {
			got.Sample = s.keepSample(got.At, raw.body)
		}
	}
	return got
}

func (s *Service) canarySearch(ctx context.Context) (source.Result, firstAnswer, error) {
	switch res, ok := s.ready(ctx); { // X was not asked
	case ctx.Err() != nil:
		return source.Result{}, firstAnswer{}, ctx.Err()
	case !ok && res.State == source.StateLoginRequired:
		return res, firstAnswer{}, nil
	case !ok:
		return source.Result{}, firstAnswer{}, fmt.Errorf("%s: %s", res.State, res.Detail)
	}
	select {
	case s.tabs <- struct{}{}:
		defer func() { <-s.tabs }()
	case <-ctx.Done():
		return source.Result{}, firstAnswer{}, ctx.Err()
	}
	q := source.Query{Text: s.opts.CanaryQuery, Max: 1}
	return s.searchWithRetry(ctx, quota.Request{Query: q, Asked: q})
}

// keepSample writes what X answered, for the person who will repair the decoder.
func (s *Service) keepSample(at time.Time, body []byte) string {
	dir := filepath.Join(s.opts.Dir, "canary")
	file := filepath.Join(dir, at.Format("20060102T150405Z")+".json")
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = os.WriteFile(file, body, 0o600)
	}
	if err != nil {
		s.opts.Log.Warn("the canary's sample could not be kept", "module", "browser", "action", "canary", "error", err)
		return "not kept: " + err.Error()
	}
	return file
}
