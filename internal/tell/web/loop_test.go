package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web"
)

// counted counts what is asked of the store.
type counted struct {
	store.Store
	pings, lists atomic.Int64
}

func (c *counted) Ping(ctx context.Context) error {
	c.pings.Add(1)
	return c.Store.Ping(ctx)
}

func (c *counted) List(ctx context.Context, q store.FixtureQuery) ([]footy.Fixture, error) {
	c.lists.Add(1)
	return c.Store.List(ctx, q)
}

type countedHealth struct{ looks atomic.Int64 }

func (c *countedHealth) Health(context.Context) health.Report {
	c.looks.Add(1)
	return health.Report{Parts: []health.Part{{Name: health.Feed, State: health.StateOK}}}
}

func TestHealthInALoopDoesNoWork(t *testing.T) {
	t.Parallel()
	asked, parts := &counted{}, &countedHealth{}
	s := newTestServer(t, func(o *web.Options) { asked.Store = o.Store; o.Store, o.Health = asked, parts })
	for range 100 {
		for _, path := range []string{"/health", "/api/v1/health", "/readyz", "/healthz"} {
			require.Equal(t, http.StatusOK, s.Get(path).StatusCode, path)
		}
	}
	require.EqualValues(t, 1, parts.looks.Load())
	require.EqualValues(t, 1, asked.pings.Load(), "the clock stands: a second one would have been for a request")
}

func TestAttackersDoNotLockTheOperatorOut(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	cookie := s.signIn() // from the very address that the attack comes from
	refused := 0
	for i := range 300 {
		switch res := s.post("/admin/login", url.Values{"token": {fmt.Sprint("guess ", i)}}); res.StatusCode {
		case http.StatusTooManyRequests:
			require.NotEmpty(t, res.Header.Get("Retry-After"))
			refused++
		default:
			require.Equal(t, http.StatusUnauthorized, res.StatusCode)
		}
		if i%50 == 0 {
			require.Contains(t, text(t, s.Get("/admin", "Cookie", cookie)), "You are signed in")
		}
	}
	require.GreaterOrEqual(t, refused, 280, "ten a minute are looked at")
	require.Equal(t, http.StatusTooManyRequests, s.Do(http.MethodPost, "/api/v1/events/"+salah+"/actions/hide", nil, "Authorization", "Bearer "+adminToken).StatusCode)
}
