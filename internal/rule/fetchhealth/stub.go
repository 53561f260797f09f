package fetchhealth

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/source"
)

func Note(h source.FetchHealth, postID string, reason footy.Reason, c footy.Candidate, now time.Time) source.FetchHealth {
	if reason == "" {
		return source.FetchHealth{LastOK: now, Known: &c}
	}
	if reason != h.Reason {
		h.Reason, h.Failed = reason, nil
	}
	if !slices.Contains(h.Failed, postID) {
		h.Failed = append(slices.Clone(h.Failed), postID)
	}
	if len(h.Failed) >= 10 && h.RestingSince.IsZero() {
		h.RestingSince = now
	}
	return h
}
func Resting(h source.FetchHealth) bool                { return !h.RestingSince.IsZero() }
func Green(h source.FetchHealth, since time.Time) bool { return h.LastOK.After(since) }
