package world

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/strip"
)

// AddressFile is where a world with a state directory writes how to reach it.
const AddressFile = "addresses.json"

// Addresses are where a world is served.
type Addresses struct {
	URL     string `json:"url"`
	Control string `json:"control"` // base of /control/fault; loopback only
}

// control serves the switches for faults on a listener of its own: the services may be served to other machines, the
// switches never are.
func (w *World) control(ctx context.Context) error {
	addr := w.opts.Control
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	host, _, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("world: the control address %q is not HOST:PORT on loopback; write it like 127.0.0.1:8101", addr)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("world: listen on %s: %w", addr, err)
	}
	w.controlURL = "http://" + l.Addr().String()
	mux := http.NewServeMux()
	mux.Handle("/control/fault", w.panel)
	w.switches = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = w.switches.Serve(l) }() // always ends with ErrServerClosed
	context.AfterFunc(ctx, func() { _ = w.switches.Close() })
	if w.opts.StateDir == "" {
		return nil
	}
	raw, err := json.Marshal(Addresses{w.url, w.controlURL})
	if err != nil {
		return fmt.Errorf("world: write addresses: %w", err)
	}
	if err := os.WriteFile(filepath.Join(w.opts.StateDir, AddressFile), raw, 0o644); err != nil {
		return fmt.Errorf("world: write addresses: %w", err)
	}
	return nil
}

// ControlURL is the base of the switches: /control/fault.
func (w *World) ControlURL() string { return w.controlURL }

// feedDown is the vendor's gateway without its server.
func (w *World) feedDown(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if !w.panel.On(script.FeedDown) {
			next.ServeHTTP(rw, r)
			return
		}
		rw.Header().Set("Content-Type", "text/html")
		rw.WriteHeader(http.StatusBadGateway)
		_, _ = io.WriteString(rw, "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>\n")
	})
}

// shows lists every moment that the clips of a name can show.
func (w *World) shows(clip string) map[strip.Reading]bool {
	out := map[strip.Reading]bool{}
	for _, p := range w.posts.All() {
		if !p.Is(clip) {
			continue
		}
		for _, sc := range p.Clip.Scenes {
			for t := 0.0; t <= sc.Seconds+1; t += 0.5 {
				out[sc.Seen(t)] = true
			}
		}
	}
	return out
}
