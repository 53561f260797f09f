package browser

import "time"

// Patience shortens the wait for an answer once a browser runs: starting one on a busy machine takes its time.
func (s *Service) Patience(d time.Duration) { s.opts.SearchTimeout = d }
