package telemetry

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/lmittmann/tint"
)

// pretty writes lines for people: time, a sign for what happened, the module, the sentence, then the rest as key=value.
type pretty struct {
	slog.Handler
	action, module string
}

// red is the colour of errors among the values.
const red = 9

func newPretty(w io.Writer, level slog.Level, color bool, hide redactor) slog.Handler {
	return pretty{Handler: tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: time.TimeOnly, NoColor: !color, ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if a.Key == slog.LevelKey && len(groups) == 0 {
			return slog.Attr{} // the sign stands for it
		}
		if _, isError := a.Value.Any().(error); isError {
			return tint.Attr(red, hide.attr(a))
		}
		return hide.attr(a)
	}})}
}

// signs by the first word of the action that is in the list.
var signs = map[string]string{
	"seen": "✨", "sighting": "📊", "certain": "✅", "changed": "⚠️", "missing": "❔", "removed": "🚫", "restored": "♻️",
	"searching": "🔍", "searched": "🔍", "waiting": "⏳", "clip": "🎬", "replaced": "⏫", "merged": "🧬", "rejected": "✖️", "poll": "👀", "monitor": "👀", "ingest": "📥", "search": "🔍",
	"download": "⬇️", "upload": "☁️", "validate": "🧠", "model": "🧠", "alias": "🏷️", "fixture": "🏟️", "kickoff": "🏟️", "activated": "🏟️", "date": "📅", "over": "🏁",
	"complete": "🏁", "completed": "🏁", "started": "🚀", "stopped": "🛑", "listening": "🌐", "settings": "🔧", "retention": "🧹", "sweep": "🧹",
}

func sign(action string, level slog.Level) string {
	switch {
	case level >= slog.LevelError:
		return "❌"
	case level >= slog.LevelWarn:
		return "⚠️"
	}
	for word := range strings.FieldsFuncSeq(action, func(r rune) bool { return r == '_' || r == '-' || r == ' ' || r == '.' }) {
		if s, ok := signs[word]; ok {
			return s
		}
	}
	return "·"
}

// kept takes action and module out of attributes, and returns the others.
func (p *pretty) kept(attrs []slog.Attr) (others []slog.Attr) {
	for _, a := range attrs {
		switch a.Key {
		case "action":
			p.action = a.Value.String()
		case "module":
			p.module = a.Value.String()
		default:
			others = append(others, a)
		}
	}
	return others
}

// Handle implements slog.Handler.
func (p pretty) Handle(ctx context.Context, r slog.Record) error {
	var attrs []slog.Attr
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, a)
		return true
	})
	attrs = p.kept(attrs)
	message := sign(p.action, r.Level) + " "
	if p.module != "" {
		message += "[" + p.module + "] "
	}
	// A message with line breaks must not pass for several lines.
	message += strings.Join(strings.FieldsFunc(r.Message, func(c rune) bool { return c == '\n' || c == '\r' }), " ")
	line := slog.NewRecord(r.Time, r.Level, message, r.PC)
	line.AddAttrs(attrs...)
	return p.Handler.Handle(ctx, line)
}

// WithAttrs implements slog.Handler.
func (p pretty) WithAttrs(attrs []slog.Attr) slog.Handler {
	if attrs = p.kept(attrs); len(attrs) > 0 {
		p.Handler = p.Handler.WithAttrs(attrs)
	}
	return p
}

// WithGroup implements slog.Handler.
func (p pretty) WithGroup(name string) slog.Handler {
	p.Handler = p.Handler.WithGroup(name)
	return p
}
