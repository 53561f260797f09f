package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"

	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/web"
)

// Finding is one line of the doctor.
type Finding struct {
	Name     string
	State    string // ok, tight (works, with less than wanted), missing, broken
	Required bool
	Reason   string
	Remedy   string
}

// Doctor examines every dependency. What is required and broken makes the program useless; what is missing only
// leaves a part of it waiting.
func Doctor(ctx context.Context, c config.Config, version string) []Finding {
	a := &App{Config: c, Log: slog.New(slog.DiscardHandler), Version: version}
	a.clients()
	h := &health{app: a, since: map[string]change{}}
	out := []Finding{a.openFinding(ctx, h)}
	if a.Store != nil {
		defer a.Close() //nolint:errcheck // nothing was written
	}
	out = append(out, a.clipsFinding(ctx, h))
	for _, check := range []struct {
		run      func(context.Context) web.Component
		required bool
		where    string
	}{
		{h.programs, true, c.Program.FFmpeg + ", " + c.Program.FFprobe},
		{h.feed, false, c.Feed.URL},
		{h.search, false, c.Search.ServiceURL},
		{h.fetch, false, c.Search.SyndicationURL},
		{h.model, false, c.Model.URL},
		{h.ledger, false, ""},
	} {
		f := finding(check.run(ctx), check.required, check.where)
		if f.Name == "search" {
			f = a.idle(ctx, f)
		}
		out = append(out, f)
	}
	return append(out, a.planFinding(ctx), engineFinding(ctx, c), addressFinding(ctx, c), a.notifyFinding(), backupFinding(ctx, h))
}

func (a *App) openFinding(ctx context.Context, h *health) Finding {
	var err error
	if a.Store, err = openStore(ctx, a.Config); err != nil {
		return Finding{Name: "state", State: "broken", Required: true, Reason: Plain(err)}
	}
	_, err = a.Store.List(ctx, store.FixtureQuery{}) // what is damaged is found by reading
	if err != nil {
		return Finding{Name: "state", State: "broken", Required: true, Reason: Plain(err)}
	}
	return finding(h.state(ctx), true, stateAt(a.Config))
}

func (a *App) clipsFinding(ctx context.Context, h *health) Finding {
	var err error
	if a.Blob, err = openBlob(ctx, a.Config); err != nil {
		return Finding{Name: "clips", State: "broken", Required: true, Reason: Plain(err)}
	}
	return finding(h.clips(ctx), true, clipsAt(a.Config))
}

// stateAt names the place without the password an address may hold.
func stateAt(c config.Config) string {
	if c.State.MongoURI == "" {
		return databaseFile(c)
	}
	return "MongoDB, database " + c.State.MongoDB
}

func clipsAt(c config.Config) string {
	if c.S3.Endpoint == "" {
		return filepath.Join(c.State.Dir, "clips")
	}
	return "bucket " + c.S3.Bucket + " at " + c.S3.Endpoint
}

// finding makes a line of a component's health; where is said of one that is well.
func finding(c web.Component, required bool, where string) Finding {
	f := Finding{Name: c.Name, State: "ok", Required: required, Reason: c.Reason, Remedy: c.Remedy}
	switch c.State {
	case web.StateMissing:
		f.State = "missing"
	case web.StateDegraded:
		f.State = "tight"
	case web.StateDown:
		f.State = "broken"
	case web.StateOK:
		f.Reason = where
	}
	return f
}

// Print writes findings for people and reports whether something required is broken.
func Print(w io.Writer, fs []Finding) (broken bool) {
	mark := map[string]string{"ok": "ok     ", "tight": "tight  ", "missing": "missing", "broken": "broken "}
	for _, f := range fs {
		fmt.Fprintf(w, "%s  %-13s %s\n", mark[f.State], f.Name, f.Reason)
		if f.Remedy != "" && f.State != "ok" {
			fmt.Fprintf(w, "%9s%-13s -> %s\n", "", "", f.Remedy)
		}
		broken = broken || f.Required && f.State == "broken"
	}
	return broken
}
