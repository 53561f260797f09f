// Package publish announces changes to the pages of all processes that share a database.
package publish

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

const (
	journalKey = "page_changes"
	gather     = 100 * time.Millisecond // changes that come together are written together
	retryWrite = time.Second

	// Followed is how long a page waits between two looks at what others changed: with gather less than a second.
	Followed = 300 * time.Millisecond
	// FollowedAlone is for a process that does all the work itself: others change only what somebody types.
	FollowedAlone = 2 * time.Second

	writeTime = 2 * time.Second
	keptNotes = 200 // a page that missed more reads everything again
	maxIDs    = 500 // of one note; more are everything
)

// Shared announces at once to the page of this process, and to those of others through a short journal in the state. A page that missed
// something hears that anything may have changed.
type Shared struct {
	store store.State
	log   *slog.Logger
	hub   *stream.Hub // of the page of this process; nil: it has none
	own   string      // pages of this process hear directly

	mu      sync.Mutex
	waiting []stream.Note
	wake    chan struct{}
}

// journal is what is stored.
type journal struct {
	Seq   int64    `json:"seq"` // of the newest
	Notes []change `json:"notes"`
}

type change struct {
	Seq  int64  `json:"seq"`
	From string `json:"from"`
	stream.Note
}

// NewShared makes the publisher; Run writes what it announces. hub is nil where this process has no page.
func NewShared(s store.State, log *slog.Logger, hub *stream.Hub) *Shared {
	return &Shared{store: s, log: log, hub: hub, own: rand.Text(), wake: make(chan struct{}, 1)}
}

// Publish announces a change to the page of this process, puts it in line for others and returns.
func (s *Shared) Publish(_ context.Context, entity string, ids ...string) {
	if s.hub != nil {
		s.hub.Publish(entity, ids...)
	}
	s.add(stream.Note{Entity: entity, IDs: ids})
}

func (s *Shared) add(notes ...stream.Note) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = stream.Merge(append(s.waiting, notes...)...)
	for i := range s.waiting {
		if len(s.waiting[i].IDs) > maxIDs {
			s.waiting[i] = stream.Note{Entity: stream.EntityAll, IDs: []string{}}
		}
	}
	select {
	case s.wake <- struct{}{}:
	default: // the writer has been woken already
	}
}

// Run writes changes until ctx ends, and then once what is left: pages read the store when their readers reconnect. The log says once that
// changes cannot be written, and once that they can again.
func (s *Shared) Run(ctx context.Context) {
	for failing := false; ; {
		select {
		case <-ctx.Done():
		case <-s.wake:
		}
		_ = network.Pause(ctx, gather)
		work, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTime)
		err := s.Flush(work) // which wakes again what could not be written
		cancel()
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !failing:
			s.log.Warn("pages of other processes not told of changes", "module", "publish", "action", "publish", "error", err)
		case err == nil && failing:
			s.log.Info("pages of other processes told of changes again", "module", "publish", "action", "publish")
		}
		if failing = err != nil; failing {
			_ = network.Pause(ctx, retryWrite)
		}
	}
}

// Flush writes what waits; what could not be written waits on.
func (s *Shared) Flush(ctx context.Context) error {
	s.mu.Lock()
	notes := s.waiting
	s.waiting = nil
	s.mu.Unlock()
	if len(notes) == 0 {
		return nil
	}
	_, err := store.ChangeState(ctx, s.store, journalKey, func(j *journal) error {
		for _, n := range notes {
			j.Seq++
			j.Notes = append(j.Notes, change{j.Seq, s.own, n})
		}
		j.Notes = j.Notes[max(len(j.Notes)-keptNotes, 0):]
		return nil
	})
	if err != nil {
		s.add(notes...)
	}
	return err
}

// Follow announces to the page of this process what others changed, until ctx ends.
func (s *Shared) Follow(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for last := int64(-1); ; {
		var j journal
		switch err := s.store.State(ctx, journalKey, &j); {
		case err != nil && last >= 0: // away, or not there any more: the next look shows it
		case last < 0:
			last = j.Seq // what was before this page began is no news
		default:
			for _, n := range s.news(j, last) {
				s.hub.Publish(n.Entity, n.IDs...)
			}
			last = j.Seq
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// news is what others changed after last; everything where the journal does not reach back so far, or is another one (a backup
// came back).
func (s *Shared) news(j journal, last int64) []stream.Note {
	if j.Seq < last || len(j.Notes) > 0 && j.Notes[0].Seq > last+1 {
		return []stream.Note{{Entity: stream.EntityAll, IDs: []string{}}}
	}
	var out []stream.Note
	for _, n := range j.Notes {
		if n.Seq > last && n.From != s.own {
			out = append(out, n.Note)
		}
	}
	return stream.Merge(out...)
}
