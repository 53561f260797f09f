package check_test

import (
	"testing"

	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
)

func TestPostgresIsNamedWithoutItsPassword(t *testing.T) {
	t.Parallel()
	server := devtest.StartPostgres(t)
	c := parsed(t, map[string]string{"POSTGRES_URL": server.URL})
	f := examined(t, c, health.Database)
	require.Equal(t, health.StateOK, f.State)
	require.Equal(t, "PostgreSQL, 127.0.0.1:"+server.Port+"/postgres, schema found_footy", f.Reason)

	a := opened(t, c)
	server.Stop()
	page := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source, Reader: a.Reader, Media: a.Media}).Look(t.Context())
	for _, p := range append(page.Parts, examined(t, c, health.Database)) {
		if p.Name == health.Database {
			require.Equal(t, health.StateDown, p.State)
			require.Contains(t, p.Reason, "127.0.0.1:"+server.Port+": connect: connection refused")
		}
		for _, secret := range []string{server.Password, "user=", "footy database"} {
			require.NotContains(t, p.Reason+p.Remedy, secret, p.Name)
		}
	}
}
