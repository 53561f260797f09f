package inspect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// Replay feeds recorded responses to the rules, in memory, and hands on every decision: a Row each, and a command.Remark where
// people need more than the rows.
func Replay(paths []string, o ReplayOptions, out func(fmt.Stringer) error) error {
	files, err := expand(paths)
	if err != nil {
		return err
	}
	s := story{trace: o.Trace, out: out}
	r := NewReplayer(o, s.row, s.remark)
	for _, path := range files {
		if err := polls(path, func(responses []json.RawMessage) error {
			s.heading = fmt.Sprintf("poll %d (%s)\n", r.n+1, path)
			r.Poll(responses)
			s.state(r)
			return s.err
		}); err != nil {
			return err
		}
	}
	return s.end(r)
}

// story reports a replay.
type story struct {
	trace   int64
	out     func(fmt.Stringer) error
	heading string // of the poll; printed once, before its rows
	err     error  // the first of out: nothing is printed after it
}

// tell hands an answer on, behind its poll's heading.
func (s *story) tell(answer fmt.Stringer) {
	if s.heading != "" && s.err == nil {
		s.err = s.out(command.Remark(s.heading))
		s.heading = ""
	}
	if s.err == nil {
		s.err = s.out(answer)
	}
}

func (s *story) row(r Row) {
	if s.trace == 0 || s.trace == r.Fixture || r.Fixture == 0 {
		s.tell(r)
	}
}

func (s *story) remark(fixture int64, text string) {
	if s.trace == 0 || s.trace == fixture {
		s.tell(command.Remark(line("note", fmt.Sprint(fixture), footy.Score{}, text)))
	}
}

// state reports how the traced match stands after a poll.
func (s *story) state(r *Replayer) {
	f, ok := r.Fixture(s.trace)
	if !ok {
		return
	}
	status, minute := f.Match.Status, ""
	if status.Elapsed != nil {
		minute = " " + footy.MinuteLabel(status.Minute())
	}
	s.tell(command.Remark(fmt.Sprintf("  = %s %s %s %s, %s%s\n", f.Teams.Home.Name, tally(f.Score), f.Teams.Away.Name, f.Stage, status.Code, minute)))
}

// end sums a replay up: of the traced match every event, what it was called and how it ended.
func (s *story) end(r *Replayer) error {
	polls := explain.Plural(r.n, "poll", "polls")
	f, ok := r.Fixture(s.trace)
	if !ok && s.trace != 0 {
		return footy.Errorf(footy.CodeNotFound, "", "fixture %d (--trace) does not occur in what was read (%s); without --trace all fixtures are told", s.trace, polls)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n", polls, explain.Plural(len(r.fixtures), "fixture", "fixtures"))
	for _, e := range f.Events {
		scorer := cmp.Or(e.Player.Name, "unknown scorer")
		fmt.Fprintf(&b, "  %s %s %s %s (%s): %s", e.UID, e.ID, footy.MinuteLabel(e.Minute), scorer, e.Detail, standing(e))
		if len(e.MatchedFrom) > 0 {
			b.WriteString(", was " + strings.Join(e.MatchedFrom, ", "))
		}
		b.WriteByte('\n')
	}
	return s.out(command.Remark(b.String()))
}

// standing is how an event ended in a world where no clips are searched for.
func standing(e footy.Event) string {
	switch {
	case e.Removed:
		return "removed (" + string(e.RemovedReason) + ")"
	case e.Certain():
		return "certain"
	}
	return fmt.Sprintf("not certain, %s", explain.Plural(e.StableCount(), "vote", "votes"))
}

// String is for people.
func (r Row) String() string {
	return line(string(r.Decision), cmp.Or(r.EventID, fmt.Sprint(r.Fixture)), r.ScoreAfter, r.Text)
}

func line(decision, about string, s footy.Score, text string) string {
	return fmt.Sprintf("  %-16s %-28s %-6s %s\n", decision, about, tally(s), text)
}

func tally(s footy.Score) string {
	if s.Home == nil && s.Away == nil {
		return ""
	}
	return explain.Tally(s)
}
