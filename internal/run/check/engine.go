package check

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/tell/health"
)

func engineFinding(ctx context.Context, c config.Config) Finding {
	well := func(where string) Finding {
		return Finding{health.Part{Name: health.Engine, State: health.StateOK, Reason: where}, true}
	}
	down := func(why, remedy string) Finding {
		return Finding{health.Part{Name: health.Engine, State: health.StateDown, Reason: why, Remedy: remedy}, true}
	}
	if c.Engine.Address != "" {
		t, err := engine.Dial(ctx, c.Engine.Address, c.Engine, slog.New(slog.DiscardHandler), nil, nil)
		if err != nil {
			return broken(health.Engine, err)
		}
		t.Close()
		return well("Temporal at " + c.Engine.Address)
	}
	dir := engine.Dir(c)
	if run := engine.Running(ctx, dir); run != nil {
		return well("runs at " + run.Address)
	}
	bin, err := engine.FindBinary(c.Program.Devstack)
	if err != nil {
		return broken(health.Engine, err)
	}
	if why := notSQLite(filepath.Join(dir, "temporal.db")); why != "" {
		return down(why, "move it away or choose another STATE_DIR")
	}
	if why := fullDisk(c.State.Dir, roomToStart); why != "" {
		return down(why, "free some space or choose another STATE_DIR")
	}
	return well(bin + ", not running now")
}

// notSQLite says that a file is there and is no SQLite database; the engine refuses such a file untouched.
func notSQLite(file string) string {
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
	f := Finding{health.Part{Name: "page address", State: health.StateOK, Reason: c.Web.Addr}, true}
	l, err := network.Listen(ctx, "serve the page", "WEB_ADDR", c.Web.Addr)
	switch {
	case err == nil:
		_ = l.Close()
	case footy.CodeOf(err) == footy.CodeConflict && footyServes(ctx, c.Web.Addr):
		f.Reason = c.Web.Addr + ", footy serves it now"
	default:
		return broken(f.Name, err)
	}
	return f
}

func footyServes(ctx context.Context, addr string) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/api/v1/health", nil)
	if err != nil {
		return false
	}
	res, err := httpx.New(httpx.Options{Timeout: 10 * time.Second}).Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	var answer health.Report
	return json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(&answer) == nil && len(answer.Parts) > 0
}
