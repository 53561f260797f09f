package mongo

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// migrationLease is held by the process that migrates. Another takes it over when that one is silent, and begins anew.
const migrationLease = "migration"

// migrate brings the documents to the present schema. Of several processes that start at once one does, the others wait.
func (b *Backend) migrate(ctx context.Context) error {
	m := migrating{b, store.NewLeases(store.New(b), time.Now, rand.Text())}
	defer m.leases.Release(context.WithoutCancel(ctx))
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := m.run(ctx)
		if err != nil && footy.CodeOf(err) != footy.CodeConflict { // another process has the lease
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithBackOff(backoff.NewConstantBackOff(100*time.Millisecond)), backoff.WithMaxElapsedTime(0))
	var permanent *backoff.PermanentError
	if errors.As(err, &permanent) {
		err = permanent.Unwrap()
	}
	return footy.Wrap(footy.CodeUnavailable, "migrate MongoDB", err)
}

// migrating are the documents of a migration. Each write asks whether this process still is the one that migrates.
type migrating struct {
	*Backend
	leases *store.Leases
}

var _ store.Documents = migrating{}

func (m migrating) run(ctx context.Context) error {
	if err := m.hold(ctx); err != nil {
		return err
	}
	version, err := m.schema(ctx) // read under the lease: it may be done by now
	if err != nil || version == store.SchemaVersion {
		return err
	}
	if err := store.Migrate(ctx, m, version); err != nil {
		return err
	}
	if err := m.hold(ctx); err != nil {
		return err
	}
	return m.stamp(ctx)
}

func (m migrating) hold(ctx context.Context) error {
	held, err := m.leases.Hold(ctx, migrationLease)
	if err == nil && !held {
		err = footy.Errorf(footy.CodeConflict, "migrate MongoDB", "another process migrates the database %s", m.db.Name())
	}
	return err
}

func (m migrating) Upsert(ctx context.Context, c store.Collection, docs []store.Doc) error {
	if err := m.hold(ctx); err != nil {
		return err
	}
	return m.Backend.Upsert(ctx, c, docs)
}

func (m migrating) Delete(ctx context.Context, c store.Collection, f store.Filter) error {
	if err := m.hold(ctx); err != nil {
		return err
	}
	return m.Backend.Delete(ctx, c, f)
}
