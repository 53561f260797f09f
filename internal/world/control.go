package world

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/world/film/strip"
	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
)

// AddressFile is where a world with a state directory writes how to reach it.
const AddressFile = "addresses.json"

// Addresses are where a world is served.
type Addresses struct {
	URL     string `json:"url"`
	Control string `json:"control"` // base of /control/fault; loopback only
}

func listenControl(ctx context.Context, addr string) (net.Listener, error) {
	addr = cmp.Or(addr, "127.0.0.1:0")
	host, _, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("world: the control address %q is not HOST:PORT on loopback; write it like 127.0.0.1:8101", addr)
	}
	return listen(ctx, addr)
}

// control serves the switches for faults on a listener of its own: the services may be served to other machines, the
// switches never are.
func (w *World) control(ctx context.Context) error {
	l, err := listenControl(ctx, w.opts.Control)
	if err != nil {
		return err
	}
	w.controlURL = "http://" + l.Addr().String()
	mux := http.NewServeMux()
	mux.Handle("/control/fault", w.panel)
	mux.Handle("GET /control/bill", w.bills)
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

// KeepUp lets a mode of the script that has begun last on after its minutes, for somebody who has not seen yet what it does.
func (w *World) KeepUp(mode string) { w.panel.Keep(mode, true) }

// LetGo ends a mode whose minutes are over.
func (w *World) LetGo(mode string) { w.panel.Keep(mode, false) }

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

// hasClip reports whether something of this day answers to the name of a clip.
func (w *World) hasClip(name string) bool {
	return slices.ContainsFunc(w.posts.All(), func(p post.Post) bool { return p.Is(name) })
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
