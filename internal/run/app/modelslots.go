package app

import (
	"context"
	"crypto/rand"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/connect/machine/scratch"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/keep/store"
	"go.temporal.io/sdk/worker"
)

// takeName gives this process a name among those that share its database. Where none can be kept on disk it has one until it ends,
// and who is started after it waits until what it held runs out.
func (a *App) takeName() {
	var err error
	if a.name, err = scratch.TakeName(a.Config.State.Dir); err == nil {
		a.own = a.name.Text
		return
	}
	a.own = rand.Text()
	a.Log.Warn("this process has no name that outlives it: after a kill others wait "+store.LeaseFor.String()+" for what it held", "module", "app", "action", "start", "error", err.Error())
}

// modelSlots are the slots of a worker that shares its model with others: of all processes on a database one has the model until it ends,
// and works on as many questions at once as the model does.
type modelSlots struct {
	worker.SlotSupplier
	leases *store.Leases
	stop   context.CancelFunc
	waits  atomic.Bool // another has the model
}

// slotEvery is how often a worker without the model looks for it, and how often one that has it says that it lives.
const slotEvery = 2 * time.Second

func newModelSlots(l *store.Leases, n int) (*modelSlots, error) {
	fixed, err := worker.NewFixedSizeSlotSupplier(n)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	m := &modelSlots{SlotSupplier: fixed, leases: l, stop: stop}
	go func() {
		for network.Pause(ctx, slotEvery) == nil {
			m.has(ctx)
		}
	}()
	return m, nil
}

// has reports whether this process has the model, and takes it if it is free. With the database down no process has it, and there is
// nothing to do either.
func (m *modelSlots) has(ctx context.Context) bool {
	held, err := m.leases.Hold(ctx, "model")
	m.waits.Store(err != nil || !held)
	return err == nil && held
}

// close gives the model to another.
func (m *modelSlots) close() {
	m.stop()
	ctx, cancel := context.WithTimeout(context.Background(), releaseWithin)
	defer cancel()
	m.leases.Release(ctx)
}

// ReserveSlot implements worker.SlotSupplier.
func (m *modelSlots) ReserveSlot(ctx context.Context, info worker.SlotReservationInfo) (*worker.SlotPermit, error) {
	permit, err := m.SlotSupplier.ReserveSlot(ctx, info)
	for err == nil && !m.has(ctx) {
		if network.Pause(ctx, slotEvery) != nil {
			m.ReleaseSlot(nil) // which asks for no more than that
			return nil, ctx.Err()
		}
	}
	return permit, err
}
