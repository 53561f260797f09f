// Package fetchhealth decides whether posts can be fetched at all: a blocked address gets the same answer for every post,
// which must not end one of them.
package fetchhealth

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Enough is how many different posts must fail alike, one after the other, before the fetch rests.
const Enough = 10

// Health is how the last fetches went. The zero value knows nothing, and does not rest.
type Health struct {
	LastOK       time.Time        `json:"last_ok,omitzero"`
	Failed       []string         `json:"failed,omitempty"` // different posts that failed alike since the last success, at most Enough
	Reason       footy.Reason     `json:"reason,omitempty"` // theirs
	RestingSince time.Time        `json:"resting_since,omitzero"`
	Known        *footy.Candidate `json:"known,omitempty"` // the last that could be fetched: what a canary asks for
}

// Note is the health after a post was fetched (no reason) or failed for one. Ten different posts in a row that fail alike
// let the fetch rest; only a success ends the rest, because another failure is no better news.
func Note(h Health, postID string, reason footy.Reason, c footy.Candidate, now time.Time) Health {
	if reason == footy.ReasonNone {
		return Health{LastOK: now, Known: &c}
	}
	failed := h.Failed
	if reason != h.Reason {
		failed = nil
	}
	h.Reason, h.Failed = reason, slices.Clone(failed)
	if !slices.Contains(h.Failed, postID) && len(h.Failed) < Enough {
		h.Failed = append(h.Failed, postID)
	}
	if len(h.Failed) >= Enough && h.RestingSince.IsZero() {
		h.RestingSince = now
	}
	return h
}

// Resting reports whether posts wait instead of being asked for; only a known one is.
func Resting(h Health) bool { return !h.RestingSince.IsZero() }

// FetchedSince reports whether a post was fetched after since and nothing has told otherwise: what X said of another post since
// then is about that post.
func FetchedSince(h Health, since time.Time) bool { return !Resting(h) && h.LastOK.After(since) }
