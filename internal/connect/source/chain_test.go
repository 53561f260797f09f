package source_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

type scripted struct {
	name   string
	res    source.Result
	err    error
	health source.Health
	asked  int
}

func (s *scripted) Name() string { return s.name }
func (s *scripted) Search(context.Context, source.Query) (source.Result, error) {
	s.asked++
	return s.res, s.err
}
func (s *scripted) Health(context.Context) (source.Health, error) { return s.health, s.err }

func state(name string, s source.State, retry time.Duration) *scripted {
	return &scripted{name: name, res: source.Result{State: s, RetryAfter: retry, CallsUsed: 1}}
}

func search(t *testing.T, sources ...source.Source) source.Result {
	t.Helper()
	r, err := source.NewChain(source.ChainOptions{}, sources...).Search(t.Context(), source.Query{Text: "saka"})
	require.NoError(t, err)
	return r
}

type prober struct {
	source.Source
	found source.Canary
}

func (p prober) Canary(context.Context) (source.Canary, error) { return p.found, nil }

func TestChainTellsOfEachSource(t *testing.T) {
	t.Parallel()
	bad, good := state("a", source.StateTimeout, 0), state("b", source.StateResults, 0)
	bad.health, good.health = source.Health{Ready: true, Login: source.LoginOK}, source.Health{Ready: true}
	c := source.NewChain(source.ChainOptions{Failures: 1, Rest: time.Hour}, bad, prober{good, source.Canary{OK: true}})
	require.True(t, source.Each(t.Context(), c)[0].Ready)
	_, err := c.Search(t.Context(), source.Query{})
	require.NoError(t, err)
	all := source.Each(t.Context(), c)
	require.Len(t, all, 2)
	require.False(t, all[0].Ready)
	require.Equal(t, "rests after failures in a row", all[0].Detail)
	require.Equal(t, "b", all[1].Name)
	require.Len(t, source.Each(t.Context(), good), 1, "a source of its own is a list of one")

	found, err := c.Canary(t.Context())
	require.NoError(t, err)
	require.True(t, found.OK)
	_, err = source.NewChain(source.ChainOptions{}, good).Canary(t.Context())
	require.ErrorIs(t, err, source.ErrNoCanary)
}

func TestChain(t *testing.T) {
	t.Parallel()

	t.Run("the first usable answer counts, also an empty one", func(t *testing.T) {
		t.Parallel()
		second := state("b", source.StateResults, 0)
		require.Equal(t, source.StateEmpty, search(t, state("a", source.StateEmpty, 0), second).State)
		require.Zero(t, second.asked)
	})

	t.Run("the next source is asked where one cannot look", func(t *testing.T) {
		t.Parallel()
		r := search(t, &scripted{name: "a", err: errors.New("down")}, state("b", source.StateRateLimited, time.Minute), state("c", source.StateResults, 0))
		require.Equal(t, source.StateResults, r.State)
		require.Equal(t, 2, r.CallsUsed)
	})

	t.Run("waiting costs a goal less than failing", func(t *testing.T) {
		t.Parallel()
		r := search(t, state("a", source.StateUpstreamError, 0), state("b", source.StateLoginRequired, time.Minute), state("c", source.StateRateLimited, time.Second))
		require.Equal(t, source.StateLoginRequired, r.State)
		require.Equal(t, time.Second, r.RetryAfter)
		require.Contains(t, r.Detail, "a: upstream_error; b: login_required; c: rate_limited")
	})

	t.Run("errors everywhere are an error", func(t *testing.T) {
		t.Parallel()
		c := source.NewChain(source.ChainOptions{}, &scripted{name: "a", err: errors.New("down")}, &scripted{name: "b", err: errors.New("out")})
		_, err := c.Search(t.Context(), source.Query{})
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
		require.ErrorContains(t, err, "down")
		require.ErrorContains(t, err, "out")
	})

	t.Run("a source that keeps failing rests", func(t *testing.T) {
		t.Parallel()
		bad, good := state("a", source.StateTimeout, 0), state("b", source.StateResults, 0)
		c := source.NewChain(source.ChainOptions{Failures: 2, Rest: time.Hour}, bad, good)
		for range 6 {
			r, err := c.Search(t.Context(), source.Query{})
			require.NoError(t, err)
			require.Equal(t, source.StateResults, r.State)
		}
		require.Equal(t, 2, bad.asked)
		require.Equal(t, 6, good.asked)
	})

	t.Run("a rested source is tried again", func(t *testing.T) {
		t.Parallel()
		bad, good := state("a", source.StateTimeout, 0), state("b", source.StateResults, 0)
		c := source.NewChain(source.ChainOptions{Failures: 1, Rest: time.Millisecond}, bad, good)
		_, err := c.Search(t.Context(), source.Query{})
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			_, err := c.Search(t.Context(), source.Query{})
			return err == nil && bad.asked > 1
		}, time.Minute, 2*time.Millisecond)
	})

	t.Run("being rate limited is no failure, and a single source never rests", func(t *testing.T) {
		t.Parallel()
		limited, single := state("a", source.StateRateLimited, 0), state("a", source.StateTimeout, 0)
		two := source.NewChain(source.ChainOptions{Failures: 1, Rest: time.Hour}, limited, state("b", source.StateResults, 0))
		one := source.NewChain(source.ChainOptions{Failures: 1, Rest: time.Hour}, single)
		for range 3 {
			_, err := two.Search(t.Context(), source.Query{})
			require.NoError(t, err)
			_, err = one.Search(t.Context(), source.Query{})
			require.NoError(t, err)
		}
		require.Equal(t, 3, limited.asked)
		require.Equal(t, 3, single.asked)
	})

	t.Run("a caller that gave up ends the round", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		second := state("b", source.StateResults, 0)
		_, err := source.NewChain(source.ChainOptions{}, &scripted{name: "a", err: ctx.Err()}, second).Search(ctx, source.Query{})
		require.ErrorIs(t, err, context.Canceled)
		require.Zero(t, second.asked)
	})

	t.Run("health is that of the first source that works", func(t *testing.T) {
		t.Parallel()
		c := source.NewChain(source.ChainOptions{}, &scripted{name: "a", health: source.Health{Login: source.LoginExpired}},
			&scripted{name: "b", health: source.Health{Ready: true, Login: source.LoginNoneNeeded}})
		h, err := c.Health(t.Context())
		require.NoError(t, err)
		require.True(t, h.Ready)
		require.Equal(t, "a,b", c.Name())
	})
}
