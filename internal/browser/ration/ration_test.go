package ration_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/browser/budget"
	"github.com/found-footy/found-footy/internal/browser/ration"
	"github.com/found-footy/found-footy/internal/browser/share"
	"github.com/found-footy/found-footy/internal/source"
)

var now = time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)

func setup(limit int) *ration.Ration {
	return &ration.Ration{Budget: budget.New(budget.Options{Limit: limit}), Desk: share.New(1), Scrolls: 3}
}

func query(match, text string) source.Query {
	return source.Query{Group: match, Text: text, Since: now.Add(-time.Duration(text[0]) * time.Millisecond), Max: 20}
}

func begin(r *ration.Ration, at time.Time, match, text string) (paid bool, wait time.Duration) {
	if _, ok := r.Shared(at, query(match, text)); ok {
		return false, 0
	}
	s, wait := r.Begin(at, r.Order(at, query(match, text)))
	return s != nil, wait
}

func TestGoalsThatWaitAreToldOfCallsOfTheirOwn(t *testing.T) {
	t.Parallel()
	r := setup(2)
	for i, text := range []string{"a", "b"} {
		paid, _ := begin(r, now.Add(time.Duration(i)*time.Minute), "1"+text, text)
		require.True(t, paid)
	}
	at := now.Add(2 * time.Minute)
	_, first := begin(r, at, "2", "c")
	require.Equal(t, 13*time.Minute, first)
	_, second := begin(r, at, "3", "d")
	require.Equal(t, 14*time.Minute, second, "the first call is promised")
	_, again := begin(r, at, "2", "c")
	require.Equal(t, 14*time.Minute, again, "who asks twice goes behind")

	paid, _ := begin(r, at.Add(13*time.Minute), "4", "e")
	require.True(t, paid, "a promise is no claim")
}

func TestAGoalInCompanyLooksAgainSoon(t *testing.T) {
	t.Parallel()
	r := setup(1)
	paid, _ := begin(r, now, "1", "a")
	require.True(t, paid)
	_, wait := begin(r, now, "1", "b")
	require.Equal(t, time.Minute, wait, "the other goal of its match may have paid by then")
}

func TestScrollsAreForPlenty(t *testing.T) {
	t.Parallel()
	r := setup(8)
	var scrolls []int
	for range 8 {
		s, _ := r.Begin(now, r.Order(now, query("1", "a")))
		n := 0
		for s.Scroll() {
			n++
		}
		scrolls = append(scrolls, n)
	}
	require.Equal(t, []int{3, 3, 3, 3, 1, 1, 0, 0}, scrolls)
}

func TestAnAnswerServesTheOtherGoal(t *testing.T) {
	t.Parallel()
	r := setup(2)
	paid, _ := begin(r, now, "2", "z")
	require.True(t, paid)
	_, ok := r.Shared(now, query("1", "a"))
	require.False(t, ok)
	order := r.Order(now, query("1", "b"))
	require.Equal(t, "b OR a", order.Query.Text)
	got := r.Deliver(now, order, source.Result{State: source.StateEmpty, CallsUsed: 1})
	require.Equal(t, source.StateEmpty, got.State)
	res, ok := r.Shared(now.Add(time.Minute), query("1", "a"))
	require.True(t, ok)
	require.Equal(t, source.StateEmpty, res.State)
	require.Zero(t, res.CallsUsed)
}
