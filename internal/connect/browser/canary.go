package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/searchapi"
	"github.com/found-footy/found-footy/internal/connect/source/x/timeline"
)

// Canary makes a search that always has results and compares the answer with what the decoder expects. An answer of another
// shape is kept as a sample, and a person is told once; no answer at all says nothing about the shape.
func (s *Service) Canary(ctx context.Context) searchapi.Canary {
	got := searchapi.Canary{At: s.opts.Now().UTC()}
	res, raw, err := s.canarySearch(ctx)
	switch {
	case err != nil:
		got.Detail = "could not look: " + err.Error()
	case res.State == source.StateRateLimited, res.State == source.StateLoginRequired:
		got.Detail = "could not look: " + string(res.State)
	default:
		drift := timeline.Drift(raw.page)
		if !res.State.Usable() {
			drift = append(drift, string(res.State)+": "+res.Detail)
		}
		got.OK, got.Detail = len(drift) == 0, strings.Join(drift, "; ")
		if !got.OK {
			got.Sample = s.keepSample(got.At, raw.body)
		}
		s.notifyCanary(got)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if looked := got.OK || got.Sample != ""; looked || s.canary == nil || s.canary.Sample == "" {
		s.canary = &got // one that could not look takes back no change that a person was told of
	}
	return got
}

func (s *Service) canarySearch(ctx context.Context) (source.Result, firstAnswer, error) {
	if res, ok := s.ready(ctx); !ok { // X was not asked
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

func (s *Service) notifyCanary(got searchapi.Canary) {
	s.mu.Lock()
	before := s.canary
	s.mu.Unlock()
	wasBad := before != nil && !before.OK && before.Sample != ""
	switch {
	case !got.OK && !wasBad:
		s.opts.Notify(Notice{Kind: "canary", Text: "X has changed: " + got.Detail + " (sample: " + got.Sample + ")"})
	case got.OK && wasBad:
		s.opts.Notify(Notice{Kind: "canary", OK: true, Text: "X looks as expected again"})
	}
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
