// Package stream announces changes to open pages: a hub of notes, and the live stream that carries them.
package stream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
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

// Hub sends notes to readers. A reader that is too slow is dropped, so that it slows no other.
type Hub struct {
	mu         sync.Mutex
	readers    map[*Reader]struct{}
	closed     bool
	generation atomic.Uint64
	published  atomic.Int64 // when something changed last, in nanoseconds; 0 = not since the start
	dropped    atomic.Uint64
}

// Reader is one live stream. C gives a value when notes wait, and is closed when the reader was dropped or the hub ends.
type Reader struct {
	C       <-chan struct{}
	c       chan struct{}
	hub     *Hub
	waiting []Note // guarded by the hub's mu; nil most of the time
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
		if len(r.waiting) == queueLength {
			h.dropped.Add(1)
			h.remove(r)
			continue
		}
		r.waiting = append(r.waiting, Note{Entity: entity, IDs: ids})
		select {
		case r.c <- struct{}{}:
		default: // it has been woken already
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
	c := make(chan struct{}, 1)
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

// Take returns all notes that wait, so that one poll of many matches becomes one event of the stream.
func (r *Reader) Take() []Note {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	out := r.waiting
	r.waiting = nil
	return out
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

const (
	heartbeat    = 15 * time.Second
	writePatient = 10 * time.Second // a peer that takes nothing for this long is gone
)

// Follow serves the live stream: hello, then what changes, and a heartbeat in between. It takes the connection from the server, whose buffers and
// stack for a request are most of what a stream would cost, and calls over once the stream has ended.
func (h *Hub) Follow(version string, now func() time.Time) func(w http.ResponseWriter, r *http.Request, over func()) error {
	return func(w http.ResponseWriter, r *http.Request, over func()) error {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Accel-Buffering", "no")
		if r.Method == http.MethodHead {
			over()
			return nil
		}
		w.Header().Set("Connection", "close") // the stream ends with it
		w.Header().Set("Date", now().UTC().Format(http.TimeFormat))
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return footy.Wrap(footy.CodeUnavailable, "take the connection of a stream", err)
		}
		head := bytes.NewBufferString("HTTP/1.1 200 OK\r\n")
		_ = w.Header().Write(head) // into memory
		head.WriteString("\r\nretry: 3000\n\n")
		go func() {
			defer over()
			defer conn.Close()
			h.serve(conn, head.Bytes(), version, now)
		}()
		return nil
	}
}

// serve writes the stream until its reader leaves or takes nothing, or the hub closes.
func (h *Hub) serve(conn net.Conn, head []byte, version string, now func() time.Time) {
	reader := h.Subscribe()
	defer reader.Close()
	_ = conn.SetDeadline(time.Time{}) // the server's, for a request
	left := make(chan struct{})
	go func() {
		defer close(left)
		_, _ = conn.Read(make([]byte, 1)) // a reader has nothing more to say
	}()
	send := func(event string, data any) bool {
		body, err := json.Marshal(data)
		if err != nil {
			return false
		}
		_ = conn.SetWriteDeadline(time.Now().Add(writePatient))
		_, err = fmt.Fprintf(conn, "%sevent: %s\ndata: %s\n\n", head, event, body)
		head = nil
		return err == nil
	}
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	hello := map[string]any{"at": now().UTC(), "version": version, "generation": h.Generation()}
	if quiet, known := h.Quiet(); known { // a page that was drawn longer ago has missed something
		hello["quiet_ms"] = quiet.Milliseconds()
	}
	for open := send("connected", hello); open; {
		select {
		case <-left:
			return
		case _, more := <-reader.C:
			if !more {
				return
			}
			for _, n := range Merge(reader.Take()...) {
				open = open && send("invalidate", n)
			}
		case <-tick.C:
			open = send("heartbeat", map[string]any{"at": now().UTC()})
		}
	}
}
