package app

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/scratch"
	"github.com/found-footy/found-footy/internal/store"
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

// modelSlots are the slots of workers that share a model: what it works on at once is divided among all who share the database. A
// worker keeps the slots it has until it ends; they are all in use, whoever has them.
type modelSlots struct {
	leases *store.Leases
	stop   context.CancelFunc
	freed  chan struct{}
	none   atomic.Bool // others have all of them

	mu   sync.Mutex
	used []bool
	ours []bool
}

// slotEvery is how often a worker without a slot looks for one, and how often one with slots says that it lives.
const slotEvery = 2 * time.Second

func newModelSlots(l *store.Leases, n int) *modelSlots {
	ctx, stop := context.WithCancel(context.Background())
	m := &modelSlots{leases: l, stop: stop, freed: make(chan struct{}, 1), used: make([]bool, n), ours: make([]bool, n)}
	go m.keep(ctx)
	return m
}

// close gives the slots to others.
func (m *modelSlots) close() {
	m.stop()
	ctx, cancel := context.WithTimeout(context.Background(), releaseWithin)
	defer cancel()
	m.leases.Release(ctx)
}

// ReserveSlot implements worker.SlotSupplier.
func (m *modelSlots) ReserveSlot(ctx context.Context, _ worker.SlotReservationInfo) (*worker.SlotPermit, error) {
	tick := time.NewTicker(slotEvery)
	defer tick.Stop()
	for {
		if slot, ok := m.take(ctx); ok {
			return &worker.SlotPermit{UserData: slot}, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-m.freed:
		case <-tick.C:
		}
	}
}

// take takes a slot that nobody else has. With the database down there is none, and nothing to do either.
func (m *modelSlots) take(ctx context.Context) (slot int, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	has := false
	for i := range m.used {
		if has = has || m.ours[i]; m.used[i] {
			continue
		}
		if held, err := m.leases.Hold(ctx, slotName(i)); err != nil || !held {
			m.ours[i] = false
			continue
		}
		m.used[i], m.ours[i] = true, true
		m.none.Store(false)
		return i, true
	}
	m.none.Store(!has)
	return 0, false
}

func slotName(i int) string { return fmt.Sprintf("model/%d", i) }

// keep says that this process lives, until ctx ends. A slot that was lost, as by a machine that slept, is left once its task ends.
func (m *modelSlots) keep(ctx context.Context) {
	tick := time.NewTicker(slotEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		m.mu.Lock()
		for i := range m.ours {
			if m.ours[i] {
				_, _ = m.leases.Hold(ctx, slotName(i))
			}
		}
		m.mu.Unlock()
	}
}

// TryReserveSlot implements worker.SlotSupplier: no workflow here starts activities past the queue.
func (m *modelSlots) TryReserveSlot(worker.SlotReservationInfo) *worker.SlotPermit { return nil }

// MarkSlotUsed implements worker.SlotSupplier.
func (m *modelSlots) MarkSlotUsed(worker.SlotMarkUsedInfo) {}

// ReleaseSlot implements worker.SlotSupplier.
func (m *modelSlots) ReleaseSlot(i worker.SlotReleaseInfo) {
	m.mu.Lock()
	m.used[i.Permit().UserData.(int)] = false
	m.mu.Unlock()
	select {
	case m.freed <- struct{}{}:
	default:
	}
}

// MaxSlots implements worker.SlotSupplier.
func (m *modelSlots) MaxSlots() int { return len(m.used) }
