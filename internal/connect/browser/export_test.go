package browser

import "time"

// SetSearchTimeout shortens the wait for an answer once a browser runs: starting one on a busy machine takes its time.
func (s *Service) SetSearchTimeout(d time.Duration) { s.opts.SearchTimeout = d }
