package app

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/httpx"
	"github.com/found-footy/found-footy/internal/web"
)

func engineFinding(ctx context.Context, c config.Config) Finding {
	f := Finding{Name: "engine", State: "ok", Required: true}
	if c.Engine.Address != "" {
		a := &App{Config: c, Log: slog.New(slog.DiscardHandler)}
		cl, err := a.Dial(ctx, c.Engine.Address)
		if err != nil {
			f.State, f.Reason = "broken", Plain(err)
			return f
		}
		cl.Close()
		f.Reason = "Temporal at " + c.Engine.Address
		return f
	}
	dir := filepath.Join(c.State.Dir, "engine")
	if run := adopt(ctx, dir); run != nil {
		f.Reason = "runs at " + run.Address
		return f
	}
	bin, err := findDevstack(c.Program.Devstack)
	if err != nil {
		f.State, f.Reason = "broken", Plain(err)
		return f
	}
	f.Reason = bin + ", not running now"
	if why := foreign(filepath.Join(dir, "temporal.db")); why != "" {
		f.State, f.Reason, f.Remedy = "broken", why, "move it away or choose another STATE_DIR"
	} else if why := short(c.State.Dir, roomToStart); why != "" {
		f.State, f.Reason, f.Remedy = "broken", why, "free some space or choose another STATE_DIR"
	}
	return f
}

// foreign says that a file is there and is no SQLite database; the engine refuses such a file untouched.
func foreign(file string) string {
	const magic = "SQLite format 3\x00"
	head := make([]byte, len(magic))
	f, err := os.Open(file)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return ""
		}
		return err.Error()
	}
	defer f.Close()
	if n, _ := io.ReadFull(f, head); n > 0 && string(head) != magic {
		return file + " is not a SQLite database"
	}
	return ""
}

// addressFinding tells a page of ours that runs already from a stranger on its port.
func addressFinding(ctx context.Context, c config.Config) Finding {
	f := Finding{Name: "page address", State: "ok", Required: true, Reason: c.Web.Addr}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Web.Addr)
	switch {
	case err == nil:
		_ = l.Close()
	case errors.Is(err, syscall.EADDRINUSE) && serves(ctx, c.Web.Addr):
		f.Reason = c.Web.Addr + ", footy serves it now"
	default:
		f.State, f.Reason = "broken", Plain(notListening("WEB_ADDR", c.Web.Addr, err))
	}
	return f
}

func serves(ctx context.Context, addr string) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/api/v1/health", nil)
	if err != nil {
		return false
	}
	res, err := httpx.New(httpx.Options{Timeout: 10 * time.Second}).Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	var answer web.Health
	return json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(&answer) == nil && len(answer.Parts) > 0
}
