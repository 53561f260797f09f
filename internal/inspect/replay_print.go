package inspect

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
)

// printer writes the rows of a replay for people or for programs.
type printer struct {
	w     io.Writer
	o     ReplayOptions
	label string // heading of the poll, printed before its first row
}

func (p *printer) poll(n int, path string) { p.label = fmt.Sprintf("poll %d (%s)", n, path) }

func (p *printer) row(r Row) error {
	if p.o.Trace != 0 && r.Fixture != p.o.Trace && r.Fixture != 0 {
		return nil
	}
	if p.o.JSON {
		return json.NewEncoder(p.w).Encode(r)
	}
	if err := p.heading(); err != nil {
		return err
	}
	about := r.EventID
	if about == "" {
		about = fmt.Sprint(r.Fixture)
	}
	_, err := fmt.Fprintf(p.w, "  %-16s %-28s %-6s %s\n", r.Decision, about, tally(r.ScoreAfter), r.Text)
	return err
}

// note prints a remark that is no decision.
func (p *printer) note(fixture int64, text string) error {
	if p.o.JSON || p.o.Trace != 0 && p.o.Trace != fixture {
		return nil
	}
	if err := p.heading(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.w, "  %-16s %-28d %-6s %s\n", "note", fixture, "", text)
	return err
}

// heading names the poll once, before what is said of it.
func (p *printer) heading() error {
	if p.label == "" {
		return nil
	}
	_, err := fmt.Fprintln(p.w, p.label)
	p.label = ""
	return err
}

// state prints how the traced match stands after a poll.
func (p *printer) state(r *Replayer) error {
	f, ok := r.Fixture(p.o.Trace)
	if !ok || p.o.JSON {
		return nil
	}
	if err := p.heading(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.w, "  = %s %s %s %s, %s%s\n", f.Teams.Home.Name, tally(f.Score), f.Teams.Away.Name, f.Stage, f.Match.Status.Code, clock(f))
	return err
}

// end sums a replay up for people: every event with what it was called and how it ended.
func (p *printer) end(r *Replayer) error {
	if _, ok := r.Fixture(p.o.Trace); !ok && p.o.Trace != 0 {
		return fmt.Errorf("fixture %d (--trace) does not occur in what was read (%s); without --trace all fixtures are told", p.o.Trace, explain.Plural(r.n, "poll", "polls"))
	}
	if p.o.JSON {
		return nil
	}
	if _, err := fmt.Fprintf(p.w, "%s, %s\n", explain.Plural(r.n, "poll", "polls"), explain.Plural(len(r.fixtures), "fixture", "fixtures")); err != nil {
		return err
	}
	f, ok := r.Fixture(p.o.Trace)
	if !ok {
		return nil
	}
	for _, e := range f.Events {
		line := fmt.Sprintf("  %s %s %s %s (%s): %s", e.UID, e.ID, footy.MinuteLabel(e.Minute), orUnknown(e.Player.Name), e.Detail, standing(e))
		if len(e.MatchedFrom) > 0 {
			line += ", was " + strings.Join(e.MatchedFrom, ", ")
		}
		if _, err := fmt.Fprintln(p.w, line); err != nil {
			return err
		}
	}
	return nil
}

// standing is how an event ended in a world where nobody searches for clips.
func standing(e footy.Event) string {
	switch {
	case e.Removed:
		return "removed (" + string(e.RemovedReason) + ")"
	case e.Certain():
		return "certain"
	}
	return fmt.Sprintf("not certain, %s", explain.Plural(e.StableCount(), "vote", "votes"))
}

func clock(f footy.Fixture) string {
	s := f.Match.Status
	switch {
	case s.Elapsed == nil:
		return ""
	case s.Extra != nil && *s.Extra > 0:
		return fmt.Sprintf(" %d+%d'", *s.Elapsed, *s.Extra)
	}
	return fmt.Sprintf(" %d'", *s.Elapsed)
}

func tally(s footy.Score) string {
	side := func(n *int) string {
		if n == nil {
			return "?"
		}
		return fmt.Sprint(*n)
	}
	if s.Home == nil && s.Away == nil {
		return ""
	}
	return side(s.Home) + "-" + side(s.Away)
}

func orUnknown(name string) string {
	if name == "" {
		return "unknown scorer"
	}
	return name
}
