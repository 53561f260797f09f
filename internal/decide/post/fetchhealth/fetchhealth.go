// Package fetchhealth decides whether posts can be fetched at all: a blocked address gets the same answer for every post,
// which must not end one of them.
package fetchhealth

import (
	"cmp"
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
	TurnAt       time.Time        `json:"turn_at,omitzero"` // when a due post last went through the rest
	Known        *footy.Candidate `json:"known,omitempty"`  // the last that could be fetched: what a canary asks for

	KnownBefore []footy.Candidate `json:"known_before,omitempty"` // those before it, the newest first: one may be deleted meanwhile
}

// known is how many posts that could be fetched are kept.
const known = 3

// Note is the health after a post was fetched (no reason) or failed for one. Ten different posts in a row that fail alike
// let the fetch rest; only a success or an operator ends the rest, because another failure is no better news.
func Note(h Health, postID string, reason footy.Reason, c footy.Candidate, now time.Time) Health {
	if reason == footy.ReasonNone {
		before := slices.DeleteFunc(KnownPosts(h), func(o footy.Candidate) bool { return o.PostID == c.PostID })
		return Health{LastOK: now, Known: &c, KnownBefore: before[:min(len(before), known-1)]}
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

// KnownPosts are the last posts that could be fetched, the newest first.
func KnownPosts(h Health) []footy.Candidate {
	if h.Known == nil {
		return nil
	}
	return append([]footy.Candidate{*h.Known}, h.KnownBefore...)
}

// TakeTurn lets one due post through a rest each interval: what it meets tells whether the rest is over.
func TakeTurn(h Health, every time.Duration, now time.Time) (_ Health, turn bool) {
	if !Resting(h) || NextTurn(h, every, now).After(now) {
		return h, false
	}
	h.TurnAt = now
	return h, true
}

// NextTurn is when the next post is let through a rest.
func NextTurn(h Health, every time.Duration, now time.Time) time.Time {
	last := cmp.Or(h.TurnAt, h.RestingSince)
	if last.After(now) { // a turn of the future was taken by a wrong clock
		return now
	}
	return last.Add(every)
}

// EndRest is the health after an operator ended the rest.
func EndRest(h Health) Health {
	return Health{LastOK: h.LastOK, Known: h.Known, KnownBefore: h.KnownBefore}
}

// Resting reports whether posts wait instead of being asked for, all but one of an interval.
func Resting(h Health) bool { return !h.RestingSince.IsZero() }

// FetchedSince reports whether a post was fetched after since and nothing has told otherwise: what X said of another post since
// then is about that post.
func FetchedSince(h Health, since time.Time) bool { return !Resting(h) && h.LastOK.After(since) }
