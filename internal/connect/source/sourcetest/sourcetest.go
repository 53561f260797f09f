// Package sourcetest is the conformance suite of source.Source: what every place that finds posts must do alike.
package sourcetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/footy"
)

// Script is what the outside of the adapter answers next; Setup serves it in the adapter's wire format.
type Script struct {
	mu    sync.Mutex
	state source.State
	posts []footy.Candidate
	retry time.Duration
	junk  bool
	seen  []string
}

// Answer is a copy of the script's present state.
type Answer struct {
	State      source.State
	Posts      []footy.Candidate
	RetryAfter time.Duration
	Junk       bool // answer something that is not of the protocol
}

// Next returns what to answer now and remembers the query text that was asked.
func (s *Script) Next(query string) Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, query)
	return Answer{State: s.state, Posts: s.posts, RetryAfter: s.retry, Junk: s.junk}
}

// Asked lists the query texts that reached the outside.
func (s *Script) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.seen...)
}

// Bench is one adapter with its simulated outside.
type Bench struct {
	Source source.Source
	// Stop takes the outside down: connections are refused afterwards.
	Stop func()
}

// Setup builds an adapter whose outside answers from the script.
type Setup func(t *testing.T, s *Script) Bench

var now = time.Date(2026, 3, 14, 15, 30, 0, 0, time.UTC)

func post(ago time.Duration, n int) footy.Candidate {
	at := now.Add(-ago)
	id := snowflake.At(at, n)
	return footy.Candidate{PostID: id, URL: source.PostURL("fan", id), Author: "fan", Text: "What a goal! Ødegaard 67'",
		PostedAt: at, DurationMS: 21000, Width: 1280, Height: 720}
}

// Run checks an adapter that asks the outside for a text.
func Run(t *testing.T, setup Setup) { run(t, setup, true) }

// RunLister checks an adapter that asks for the newest posts and picks among them itself.
func RunLister(t *testing.T, setup Setup) { run(t, setup, false) }

func run(t *testing.T, setup Setup, asksForText bool) {
	start := func(t *testing.T, s *Script) Bench {
		t.Helper()
		b := setup(t, s)
		require.NotEmpty(t, b.Source.Name())
		return b
	}

	t.Run("results carry every field", func(t *testing.T) {
		t.Parallel()
		want := post(time.Minute, 1)
		s := &Script{state: source.StateResults, posts: []footy.Candidate{want}}
		r, err := start(t, s).Source.Search(t.Context(), source.Query{Text: "Ødegaard Arsenal", Max: 5})
		require.NoError(t, err)
		require.Equal(t, source.StateResults, r.State)
		require.Equal(t, []footy.Candidate{want}, r.Candidates)
		require.Len(t, s.Asked(), 1)
		if asksForText {
			require.Contains(t, s.Asked()[0], "Ødegaard Arsenal")
		}
	})

	t.Run("an unknown duration stays unknown", func(t *testing.T) {
		t.Parallel()
		p := post(time.Minute, 1)
		p.DurationMS = 0
		r, err := start(t, &Script{state: source.StateResults, posts: []footy.Candidate{p}}).Source.
			Search(t.Context(), source.Query{Text: "saka"})
		require.NoError(t, err)
		require.Len(t, r.Candidates, 1)
		require.Zero(t, r.Candidates[0].DurationMS)
	})

	t.Run("known posts, older posts and doubles are left out, by id or by address", func(t *testing.T) {
		t.Parallel()
		fresh, known, linked, old := post(time.Minute, 1), post(2*time.Minute, 2), post(2*time.Minute, 3), post(9*time.Minute, 4)
		s := &Script{state: source.StateResults, posts: []footy.Candidate{fresh, known, fresh, linked, old}}
		r, err := start(t, s).Source.Search(t.Context(), source.Query{Text: "saka", Since: now.Add(-3 * time.Minute),
			Exclude: []string{known.PostID, linked.URL}})
		require.NoError(t, err)
		require.Equal(t, []footy.Candidate{fresh}, r.Candidates)
	})

	t.Run("a post at the very floor counts", func(t *testing.T) {
		t.Parallel()
		edge := post(3*time.Minute, 1)
		r, err := start(t, &Script{state: source.StateResults, posts: []footy.Candidate{edge}}).Source.
			Search(t.Context(), source.Query{Text: "saka", Since: now.Add(-3 * time.Minute)})
		require.NoError(t, err)
		require.Len(t, r.Candidates, 1)
	})

	t.Run("no more than asked for", func(t *testing.T) {
		t.Parallel()
		s := &Script{state: source.StateResults, posts: []footy.Candidate{post(1*time.Minute, 1), post(2*time.Minute, 2), post(3*time.Minute, 3)}}
		r, err := start(t, s).Source.Search(t.Context(), source.Query{Text: "saka", Max: 2})
		require.NoError(t, err)
		require.Len(t, r.Candidates, 2)
	})

	t.Run("nothing found is an answer without an error", func(t *testing.T) {
		t.Parallel()
		r, err := start(t, &Script{state: source.StateEmpty}).Source.Search(t.Context(), source.Query{Text: "nobody"})
		require.NoError(t, err)
		require.Equal(t, source.StateEmpty, r.State)
		require.True(t, r.State.Usable())
		require.Empty(t, r.Candidates)
	})

	t.Run("what is no answer is told apart from nothing found", func(t *testing.T) {
		t.Parallel()
		for _, state := range []source.State{source.StateRateLimited, source.StateUpstreamError, source.StateLoginRequired} {
			r, err := start(t, &Script{state: state, retry: 7 * time.Second}).Source.Search(t.Context(), source.Query{Text: "saka"})
			require.NoError(t, err, state)
			require.Equal(t, state, r.State)
			require.False(t, r.State.Usable())
			require.Empty(t, r.Candidates)
			if state == source.StateRateLimited {
				require.InDelta(t, 7, r.RetryAfter.Seconds(), 2, "the wait must reach the caller")
			}
		}
	})

	t.Run("junk is unavailable, never empty", func(t *testing.T) {
		t.Parallel()
		r, err := start(t, &Script{junk: true}).Source.Search(t.Context(), source.Query{Text: "saka"})
		require.True(t, err != nil || r.State == source.StateUpstreamError, "got %+v", r)
		require.False(t, err == nil && r.State.Usable())
	})

	t.Run("an unreachable outside is an error with a code", func(t *testing.T) {
		t.Parallel()
		b := start(t, &Script{state: source.StateEmpty})
		b.Stop()
		_, err := b.Source.Search(t.Context(), source.Query{Text: "saka"})
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
		require.Error(t, err)
	})

	t.Run("a cancelled search ends as an error", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := start(t, &Script{state: source.StateResults}).Source.Search(ctx, source.Query{Text: "saka"})
		require.Error(t, err)
	})

	t.Run("many searches at once do not mix", func(t *testing.T) {
		t.Parallel()
		p := post(time.Minute, 1)
		b := start(t, &Script{state: source.StateResults, posts: []footy.Candidate{p}})
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				r, err := b.Source.Search(t.Context(), source.Query{Text: "saka"})
				if err != nil || len(r.Candidates) != 1 {
					t.Errorf("got %+v, %v", r, err)
				}
			})
		}
		wg.Wait()
	})

	t.Run("health answers", func(t *testing.T) {
		t.Parallel()
		h, err := start(t, &Script{state: source.StateEmpty}).Source.Health(t.Context())
		require.NoError(t, err)
		require.True(t, h.Ready)
		require.NotEmpty(t, h.Login)
	})
}
