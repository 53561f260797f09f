package browser

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// SetSearchTimeout shortens the wait for an answer once a browser runs: starting one on a busy machine takes its time.
func (s *Service) SetSearchTimeout(d time.Duration) { s.opts.SearchTimeout = d }

// Pages are the names of the pages that are open, as the browser tells.
func (s *Service) Pages(ctx context.Context) (map[target.ID]bool, error) {
	c, err := s.browser()
	if err != nil {
		return nil, err
	}
	open := map[target.ID]bool{}
	err = c.do(ctx, func(ctx context.Context) error {
		all, err := target.GetTargets().Do(cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser))
		for _, t := range all {
			if t.Type == "page" {
				open[t.TargetID] = true
			}
		}
		return err
	})
	return open, err
}

var Relay = relay
