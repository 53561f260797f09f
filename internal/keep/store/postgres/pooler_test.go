package postgres_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/postgres"
	"github.com/found-footy/found-footy/internal/keep/store/storetest"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestAPoolerBetween: a pooler gives each transaction a connection of its own choice, so nothing may be kept on one. Prepared statements were:
// they failed from the second start on.
func TestAPoolerBetween(t *testing.T) {
	t.Parallel()
	server := devtest.StartPostgres(t)
	pooled := server.Pooler("transaction")
	t.Run("processes share it", func(t *testing.T) { share(t, pooled) })
	t.Run("a second start, with many at work", func(t *testing.T) {
		schema := fresh()
		for range 2 {
			var g errgroup.Group
			for range 8 {
				g.Go(func() error {
					b, err := postgres.Open(t.Context(), pooled, schema)
					if err != nil {
						return err
					}
					defer b.Close()
					for range 20 {
						if err := b.Upsert(t.Context(), store.PostsColl, []store.Doc{{ID: "1", Body: []byte(`{}`)}, {ID: "2", Body: []byte(`{}`)}}); err != nil {
							return err
						}
						if _, err := b.Select(t.Context(), store.PostsColl, store.Filter{IDs: []string{"1", "2"}}); err != nil {
							return err
						}
					}
					return nil
				})
			}
			require.NoError(t, g.Wait())
		}
	})
	t.Run("each commit waits for the disk", func(t *testing.T) {
		sql(t, server.URL, "ALTER ROLE footy SET synchronous_commit = off")
		defer sql(t, server.URL, "ALTER ROLE footy RESET synchronous_commit")
		commits(t, server.Pooler("transaction"), server.URL)
	})
	t.Run("suite", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) store.Backend { return open(t, pooled, fresh()) }, storetest.Traits{NestedLists: true})
	})
	for name, bad := range map[string]struct {
		address, says string
		code          footy.Code
	}{
		"which refuses transactions":          {server.Pooler("statement"), "pool_mode = transaction", footy.CodeInvalid},
		"which refuses what the address sets": {pooled + "?search_path=public", "search_path", footy.CodeInvalid},
		"which knows no such user":            {as(t, pooled, func(u *url.URL) { u.User = url.UserPassword("nobody", "hunter2") }), "check user and password", footy.CodeAuthRequired},
		"which has another password":          {as(t, pooled, func(u *url.URL) { u.User = url.UserPassword("footy", "hunter2") }), "check user and password", footy.CodeAuthRequired},
		"whose server knows no such database": {as(t, pooled, func(u *url.URL) { u.Path = "/none" }), "createdb", footy.CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := postgres.Open(t.Context(), bad.address, "footy")
			t.Log(err)
			require.Equal(t, bad.code, footy.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, bad.says)
			require.NotContains(t, err.Error(), "hunter2")
		})
	}
}
