package check

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// engineBefore is the engine that runs, or what a start would meet.
func (c *Checker) engineBefore(ctx context.Context) health.Part {
	s := c.opt.Config
	of := func(state health.State, why, remedy string) health.Part {
		return health.Part{Name: health.Engine, State: state, Reason: why, Remedy: remedy}
	}
	if at, err := engine.Find(ctx, s); err == nil {
		where := "runs at " + at.Address
		if s.Engine.Address != "" {
			where = "Temporal at " + at.Address
		}
		p, err := c.connected(ctx, at, func(look *Checker) health.Part { return look.engine(ctx) })
		if err != nil {
			return broken(health.Engine, err)
		}
		return placed(p, where)
	}
	bin, err := engine.FindBinary(s.Program.Devstack)
	if err != nil {
		return broken(health.Engine, err)
	}
	if why := fullDisk(s.State.Dir, roomToStart); why != "" {
		return of(health.StateDown, why, "free some space or choose another STATE_DIR")
	}
	switch why, err := engine.LastFailure(engine.Dir(s)); {
	case err != nil:
		return of(health.StateDown, err.Error(), "make it readable and writable for this user, or choose another STATE_DIR")
	case why != "":
		return of(health.StateDegraded, "it did not start when it was tried last: "+why, "Mend what it says and start footy again. If that does not help, move "+engine.Dir(s)+" away: nothing is lost, all work continues from the ledger.")
	}
	p := of(health.StateOK, bin+", not running now", "")
	wasDamaged(s, &p)
	return p
}

// address distinguishes a page of ours that runs already and another program on its port.
func (c *Checker) address(ctx context.Context) health.Part {
	at := c.opt.Config.Web.Addr
	f := health.Part{Name: "page address", State: health.StateOK, Reason: at}
	l, err := network.Listen(ctx, "serve the page", "WEB_ADDR", at)
	switch {
	case err == nil:
		_ = l.Close()
	case footy.CodeOf(err) == footy.CodeConflict && footyServes(ctx, at):
		f.Reason = at + ", footy serves it now"
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
