package browser

import (
	"context"
	"time"
)

// SetSearchTimeout shortens the wait for an answer once a browser runs: starting one on a busy machine takes its time.
func (s *Service) SetSearchTimeout(d time.Duration) { s.opts.SearchTimeout = d }

// Pages are the names of the pages that are open, as the browser tells.
func (s *Service) Pages(ctx context.Context) (map[string]bool, error) {
	c, err := s.browser()
	if err != nil {
		return nil, err
	}
	var all struct {
		TargetInfos []struct{ TargetID, Type string }
	}
	err = c.do(ctx, "Target.getTargets", nil, &all)
	open := map[string]bool{}
	for _, t := range all.TargetInfos {
		if t.Type == "page" {
			open[t.TargetID] = true
		}
	}
	return open, err
}
