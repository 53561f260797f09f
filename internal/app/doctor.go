package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/telemetry"
	"github.com/found-footy/found-footy/internal/web"
	"go.temporal.io/sdk/client"
)

// Finding is one line of the doctor.
type Finding struct {
	Name     string
	State    string // ok, missing, broken
	Required bool
	Reason   string
	Remedy   string
}

// Doctor examines every dependency. What is required and broken makes the program useless; what is missing only
// leaves a part of it waiting.
func Doctor(ctx context.Context, c config.Config, version string) []Finding {
	quiet := slog.New(slog.DiscardHandler)
	var out []Finding
	add := func(name string, required bool, err error, remedy string) {
		f := Finding{Name: name, State: "ok", Required: required}
		if err != nil {
			f.State, f.Reason, f.Remedy = "broken", err.Error(), remedy
		}
		out = append(out, f)
	}
	a, err := New(ctx, c, quiet, version)
	add("state", true, err, "see the reason; STATE_DIR or MONGODB_URI names the place")
	if err != nil {
		return out
	}
	defer a.Close() //nolint:errcheck // nothing was written
	add("database", true, a.Store.Ping(ctx), "start the database or check its address")
	h := &health{app: a, since: map[string]change{}}
	for _, check := range []struct {
		run      func(context.Context) web.Component
		required bool
	}{{h.clips, true}, {h.programs, true}, {h.feed, false}, {h.search, false}, {h.model, false}} {
		out = append(out, finding(check.run(ctx), check.required))
	}
	out = append(out, engineFinding(ctx, c), addressFinding(ctx, c))
	return out
}

func finding(c web.Component, required bool) Finding {
	f := Finding{Name: c.Name, State: "ok", Required: required, Reason: c.Reason, Remedy: c.Remedy}
	switch c.State {
	case web.StateMissing:
		f.State = "missing"
	case web.StateDown, web.StateDegraded:
		f.State = "broken"
	}
	return f
}

func engineFinding(ctx context.Context, c config.Config) Finding {
	f := Finding{Name: "engine", State: "ok", Required: true}
	if c.Engine.Address == "" {
		o := EngineOptions{Binary: c.Program.Devstack, StateDir: filepath.Join(c.State.Dir, "engine")}
		if _, err := findDevstack(o.Binary); err != nil {
			f.State, f.Reason, f.Remedy = "broken", err.Error(), "run: make devstack"
		}
		return f
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	cl, err := client.DialContext(ctx, client.Options{HostPort: c.Engine.Address, Namespace: c.Engine.Namespace, Logger: telemetry.Temporal(slog.New(slog.DiscardHandler))})
	if err != nil {
		f.State, f.Reason, f.Remedy = "broken", "TEMPORAL_ADDRESS="+c.Engine.Address+": "+err.Error(), "start Temporal, or unset TEMPORAL_ADDRESS to use the embedded one"
		return f
	}
	cl.Close()
	return f
}

func addressFinding(ctx context.Context, c config.Config) Finding {
	f := Finding{Name: "page address", State: "ok"}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Web.Addr)
	if err != nil {
		f.State, f.Reason, f.Remedy = "missing", "WEB_ADDR="+c.Web.Addr+" is in use: "+err.Error(), "fine if footy runs already; else choose another WEB_ADDR"
		return f
	}
	_ = l.Close()
	return f
}

// Print writes findings for people and reports whether something required is broken.
func Print(w io.Writer, fs []Finding) (broken bool) {
	mark := map[string]string{"ok": "ok     ", "missing": "missing", "broken": "broken "}
	for _, f := range fs {
		fmt.Fprintf(w, "%s  %-13s %s\n", mark[f.State], f.Name, f.Reason)
		if f.Remedy != "" && f.State != "ok" {
			fmt.Fprintf(w, "%9s%-13s -> %s\n", "", "", f.Remedy)
		}
		broken = broken || f.Required && f.State == "broken"
	}
	return broken
}
