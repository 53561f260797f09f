package web_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/web"
)

// corruptStore is a store whose database says that its own files are damaged, or that it may not read them.
type corruptStore struct {
	store.Store
	code footy.Code
}

func (c corruptStore) fail() error {
	return failedDatabase{footy.Errorf(c.code, "select from fixtures", "/var/lib/footy/footy.db is damaged (database disk image is malformed)")}
}

// failedDatabase is an error that a store marks.
type failedDatabase struct{ error }

func (f failedDatabase) Unwrap() error        { return f.error }
func (f failedDatabase) Is(target error) bool { return target == store.ErrDatabase }

func (c corruptStore) List(context.Context, store.FixtureQuery) ([]footy.Fixture, error) {
	return nil, c.fail()
}
func (c corruptStore) Fixture(context.Context, int64) (footy.Fixture, error) {
	return footy.Fixture{}, c.fail()
}
func (c corruptStore) FixtureOfEvent(context.Context, string) (footy.Fixture, error) {
	return footy.Fixture{}, c.fail()
}
func (c corruptStore) Ping(context.Context) error { return c.fail() }

// What the database says of its own file is no answer to the reader's question, and not for readers.
func TestAFaultOfTheDatabaseIsNoWrongQuestion(t *testing.T) {
	t.Parallel()
	for _, code := range []footy.Code{footy.CodeCorrupt, footy.CodeInvalid, footy.CodeAuthRequired, footy.CodeUnavailable} {
		s := newTestServer(t, func(o *web.Options) { o.Store = corruptStore{code: code} })
		for _, path := range []string{"/", "/g/x", "/search?q=a", "/v/x/y.mp4", "/api/v1/fixtures", "/api/v1/fixtures/5000", "/api/v1/events/x", "/api/v1/dates", "/feed.xml", "/readyz"} {
			res := s.Get(path)
			require.Equal(t, http.StatusServiceUnavailable, res.StatusCode, "%s %s", code, path)
			require.NotContains(t, text(t, res), "/var/lib", "%s %s", code, path)
		}
		require.NotContains(t, text(t, s.Get("/health")), "/var/lib", code)
	}
	s := newTestServer(t, func(o *web.Options) { o.Store = corruptStore{code: footy.CodeCorrupt} })
	require.Contains(t, text(t, s.Get("/api/v1/fixtures")), "has to be restored by its operator")
}
