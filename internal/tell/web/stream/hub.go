// Package stream tells open pages what changed: a hub of notes, and the live stream that carries them.
package stream

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// What a Note can be about.
const (
	EntityFixture = "fixture" // ids are fixture ids as decimals
	EntityEvent   = "event"   // ids are event uids
	EntityHealth  = "health"
	EntityPage    = "page" // ids are paths of pages
	EntityAll     = "all"  // anything may have changed
)

// Note says that something changed. Readers then ask for what is new.
type Note struct {
	Entity string   `json:"entity"`
	IDs    []string `json:"ids"`
}

// queueLength is how many notes may wait for a reader. One that lags further behind is dropped; it reconnects and asks again.
const queueLength = 256

// Hub sends notes to readers. A reader that is too slow is dropped, so that it slows nobody.
type Hub struct {
	mu         sync.Mutex
	readers    map[*Reader]struct{}
	closed     bool
	generation atomic.Uint64
	published  atomic.Int64 // when something changed last, in nanoseconds; 0 = not since the start
	dropped    atomic.Uint64
}

// Reader is one live stream. C is closed when the reader was dropped or the hub ends.
type Reader struct {
	C   <-chan Note
	c   chan Note
	hub *Hub
}

// NewHub makes an empty hub.
func NewHub() *Hub { return &Hub{readers: map[*Reader]struct{}{}} }

// Publish announces a change; it never blocks.
func (h *Hub) Publish(entity string, ids ...string) {
	if ids == nil {
		ids = []string{}
	}
	h.published.Store(time.Now().UnixNano())
	h.generation.Add(1) // first: who asks because of this note must not get a cached answer
	h.mu.Lock()
	defer h.mu.Unlock()
	for r := range h.readers {
		select {
		case r.c <- Note{Entity: entity, IDs: ids}:
		default:
			h.dropped.Add(1)
			h.remove(r)
		}
	}
}

// Generation counts changes, for caches.
func (h *Hub) Generation() uint64 { return h.generation.Load() }

// Quiet is how long nothing changed; known is false where nothing did since the start.
func (h *Hub) Quiet() (d time.Duration, known bool) {
	at := h.published.Load()
	return time.Since(time.Unix(0, at)), at != 0
}

// Subscribe adds a reader; Close it when done.
func (h *Hub) Subscribe() *Reader {
	c := make(chan Note, queueLength)
	r := &Reader{C: c, c: c, hub: h}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		close(c)
		return r
	}
	h.readers[r] = struct{}{}
	return r
}

// Close removes the reader.
func (r *Reader) Close() {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	r.hub.remove(r)
}

func (h *Hub) remove(r *Reader) {
	if _, ok := h.readers[r]; ok {
		delete(h.readers, r)
		close(r.c)
	}
}

// Readers counts the live streams; Dropped those that were too slow, since the start.
func (h *Hub) Readers() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.readers)
}

// Dropped counts readers that were too slow.
func (h *Hub) Dropped() uint64 { return h.dropped.Load() }

// Close ends every stream.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for r := range h.readers {
		h.remove(r)
	}
}

// pending takes all notes that wait in the queue, so that one poll of many matches becomes one event of the stream.
func (r *Reader) pending() (out []Note) {
	for {
		select {
		case n, ok := <-r.C:
			if !ok {
				return out
			}
			out = append(out, n)
		default:
			return out
		}
	}
}

// Merge joins notes about the same kind of thing; each id occurs once.
func Merge(notes ...Note) []Note {
	var out []Note
	for _, n := range notes {
		at := slices.IndexFunc(out, func(o Note) bool { return o.Entity == n.Entity })
		if at < 0 {
			at, out = len(out), append(out, Note{Entity: n.Entity, IDs: []string{}})
		}
		for _, id := range n.IDs {
			if !slices.Contains(out[at].IDs, id) {
				out[at].IDs = append(out[at].IDs, id)
			}
		}
	}
	return out
}
