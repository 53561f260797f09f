// Package telemetry makes the program's log and its metrics; what they say is decided by the packages that use them.
package telemetry

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"time"

	temporallog "go.temporal.io/sdk/log"
)

// Options of the log.
type Options struct {
	Format  string   // "json" (Loki-friendly, the default) or "pretty"
	Level   string   // debug, info, warn or error; info by default
	Secrets []string // values that must never be written
	Color   bool     // colour the pretty lines
}

// NewLogger writes lines to w. Callers give each line an "action" and take their logger from Module.
func NewLogger(w io.Writer, o Options) *slog.Logger {
	var level slog.Level // info where the text is none of the levels
	_ = level.UnmarshalText([]byte(o.Level))
	hide := newRedactor(o.Secrets)
	if o.Format == "pretty" {
		return slog.New(newPretty(w, level, o.Color, hide))
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey && len(groups) == 0 {
			return slog.String("ts", a.Value.Time().UTC().Format(time.RFC3339Nano))
		}
		return hide.attr(a)
	}}))
}

// Module names the part of the program that speaks.
func Module(log *slog.Logger, name string) *slog.Logger { return log.With("module", name) }

// Temporal lets the SDK speak through log. An activity that fails and is tried again is no news, so what the SDK calls an
// error there is for debugging; who gives up for good says so where the reason is known.
func Temporal(log *slog.Logger) temporallog.Logger {
	return temporallog.NewStructuredLogger(slog.New(quietTries{Module(log, "temporal").Handler()}))
}

// quietTries lowers the SDK's lines about single tries and about its own comings and goings.
type quietTries struct{ slog.Handler }

// Handle implements slog.Handler.
func (c quietTries) Handle(ctx context.Context, r slog.Record) error {
	if strings.HasPrefix(r.Message, "Activity error") || strings.HasSuffix(r.Message, "Started Worker") || strings.HasSuffix(r.Message, "Stopped Worker") {
		r.Level = slog.LevelDebug
		if !c.Enabled(ctx, r.Level) {
			return nil
		}
	}
	return c.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (c quietTries) WithAttrs(attrs []slog.Attr) slog.Handler {
	return quietTries{c.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (c quietTries) WithGroup(name string) slog.Handler { return quietTries{c.Handler.WithGroup(name)} }
