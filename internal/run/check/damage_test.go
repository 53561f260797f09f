package check_test

import (
	"bytes"
	"database/sql"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/stretchr/testify/require"
)

func TestHealthNamesDamagedDocuments(t *testing.T) {
	t.Parallel()
	c := kept(t, "", nil, func(a *app.App) {
		for _, id := range []int64{1300105, 2} {
			require.NoError(t, a.Store.Add(t.Context(), footy.Fixture{ID: id, Stage: footy.StageActive}))
		}
	})
	db, err := sql.Open("sqlite", filepath.Join(c.State.Dir, "footy.db"))
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "update fixtures set body='{bad json' where id='1300105'")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	f := examined(t, c, "state")
	require.Equal(t, health.StateDegraded, f.State)
	require.Contains(t, f.Reason, "fixtures 1300105")
	require.Contains(t, f.Remedy, "footy restore")
	require.Contains(t, f.Remedy, "footy ingest 1300105")
}

func TestADamagedDocumentIsLoggedOnce(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log, told := slog.New(slog.NewTextHandler(&out, nil)), map[store.Damage]bool{}
	list := []store.Damage{{Collection: store.PostsColl, ID: "u/1", Detail: "why"}}
	check.LogDamage(log, list, told)
	check.LogDamage(log, list, told)
	require.Equal(t, 1, bytes.Count(out.Bytes(), []byte("u/1")))

	out.Reset()
	check.LogDamage(log, []store.Damage{{Collection: store.ServiceState, ID: "clip_hosts", Detail: "why"}}, told)
	require.NotContains(t, out.String(), "footy restore", "no backup is needed for what is learned again")
}

func TestAFactThatCannotBeReadIsNamed(t *testing.T) {
	t.Parallel()
	c := kept(t, "", map[string]any{"feed_quota": nil, "x_spent_on_searches": nil})
	f := examined(t, c, "state")
	require.Equal(t, health.StateDegraded, f.State)
	require.Contains(t, f.Reason, "service_state feed_quota, service_state x_spent_on_searches")

	a := opened(t, c)
	require.NoError(t, a.Store.CheckState(t.Context()))
	require.NoError(t, a.Store.PutState(t.Context(), "x_spent_on_searches", map[string]any{}))
	require.NoError(t, a.Store.Renew(t.Context()))
	p := part(check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source}).Look(t.Context()), health.Database)
	require.Equal(t, health.StateDegraded, p.State)
	require.Equal(t, "could not be read and was begun anew: service_state feed_quota, service_state x_spent_on_searches", p.Reason)
	require.Contains(t, p.Remedy, "Nothing is to be done")
}
