package telemetry

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// pretty writes lines for people: time, a sign for what happened, the sentence, then the rest as key=value.
type pretty struct {
	out    *lockedWriter
	level  slog.Level
	hide   redactor
	color  bool
	prefix string // open groups
	attrs  []slog.Attr
}

// lockedWriter keeps concurrent lockedWriter whole.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

// signs by the first word of the action that is in the list.
var signs = map[string]string{
	"seen": "✨", "sighting": "📊", "certain": "✅", "changed": "✏️", "missing": "❔", "removed": "🚫", "restored": "♻️",
	"searching": "🔍", "searched": "🔍", "waiting": "⏳", "clip": "🎬", "replaced": "⏫", "merged": "🧬", "rejected": "✖️", "poll": "👀", "monitor": "👀", "ingest": "📥", "search": "🔍",
	"download": "⬇️", "upload": "☁️", "validate": "🧠", "model": "🧠", "alias": "🏷️", "fixture": "🏟️", "kickoff": "🏟️",
	"complete": "🏁", "completed": "🏁", "started": "🚀", "stopped": "🛑", "listening": "🌐", "settings": "🔧", "retention": "🧹", "sweep": "🧹",
}

// The colours, as a terminal's escape codes.
const (
	faint  = "2"
	red    = "31"
	yellow = "33"
	cyan   = "36"
)

// paint colours text, where colours are wanted.
func (p *pretty) paint(code, text string) string {
	if !p.color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
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

// Enabled reports whether lines of this level are written.
func (p *pretty) Enabled(_ context.Context, level slog.Level) bool { return level >= p.level }

// Handle writes one line.
func (p *pretty) Handle(_ context.Context, r slog.Record) error {
	attrs := slices.Clone(p.attrs)
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, p.flatten(p.prefix, a)...)
		return true
	})
	var action, module string
	var rest strings.Builder
	for _, a := range attrs {
		switch a.Key {
		case "action":
			action = a.Value.String()
		case "module":
			module = a.Value.String()
		default:
			fmt.Fprintf(&rest, " %s=%s", a.Key, quoted(a.Value.String()))
		}
	}
	line := p.paint(faint, r.Time.Local().Format("15:04:05")) + " " + sign(action, r.Level) + " "
	if module != "" {
		line += p.paint(cyan, "["+module+"]") + " "
	}
	// A message with line breaks must not pass for several lines.
	message := strings.Join(strings.FieldsFunc(p.hide.text(r.Message), func(c rune) bool { return c == '\n' || c == '\r' }), " ")
	switch {
	case r.Level >= slog.LevelError:
		message = p.paint(red, message)
	case r.Level >= slog.LevelWarn:
		message = p.paint(yellow, message)
	}
	line += message + p.paint(faint, rest.String()) + "\n"
	p.out.mu.Lock()
	defer p.out.mu.Unlock()
	_, err := io.WriteString(p.out.w, line)
	return err
}

// WithAttrs returns a handler that writes attrs with every line.
func (p *pretty) WithAttrs(attrs []slog.Attr) slog.Handler {
	next := *p
	next.attrs = slices.Clone(p.attrs)
	for _, a := range attrs {
		next.attrs = append(next.attrs, p.flatten(p.prefix, a)...)
	}
	return &next
}

// WithGroup returns a handler whose later keys start with name.
func (p *pretty) WithGroup(name string) slog.Handler {
	if name == "" {
		return p
	}
	next := *p
	next.prefix += name + "."
	return &next
}

// flatten dissolves groups into dotted keys and hides secrets.
func (p *pretty) flatten(prefix string, a slog.Attr) []slog.Attr {
	a.Value = a.Value.Resolve()
	if a.Value.Kind() != slog.KindGroup {
		if a.Equal(slog.Attr{}) {
			return nil
		}
		a = p.hide.attr(a)
		a.Key = prefix + a.Key
		return []slog.Attr{a}
	}
	if a.Key != "" {
		prefix += a.Key + "."
	}
	var out []slog.Attr
	for _, inner := range a.Value.Group() {
		out = append(out, p.flatten(prefix, inner)...)
	}
	return out
}

func quoted(s string) string {
	if s == "" || strings.ContainsAny(s, " \t\n\r\"=") {
		return strconv.Quote(s)
	}
	return s
}
