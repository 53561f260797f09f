package inspect

import (
	"cmp"
	"encoding/json"
	"fmt"

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
	var failed error
	answer := func(fixture int64, a fmt.Stringer) {
		if failed == nil && (o.Trace == 0 || o.Trace == fixture || fixture == 0) {
			failed = out(a)
		}
	}
	var r *Replayer
	r = NewReplayer(o, func(row Row) { answer(row.Fixture, row) }, func(fixture int64, text string) {
		answer(fixture, command.Remark(line(r.n, "note", fmt.Sprint(fixture), footy.Score{}, text)))
	})
	for _, path := range files {
		if err := polls(path, func(responses []json.RawMessage) error {
			r.Poll(responses)
			return failed
		}); err != nil {
			return err
		}
	}
	polls := explain.Plural(r.n, "poll", "polls")
	if r.fixtures[o.Trace] == nil && o.Trace != 0 {
		return footy.Errorf(footy.CodeNotFound, "", "fixture %d (--trace) does not occur in what was read (%s); without --trace all fixtures are replayed", o.Trace, polls)
	}
	return out(command.Remark(fmt.Sprintf("%s, %s\n", polls, explain.Plural(len(r.fixtures), "fixture", "fixtures"))))
}

// String is for people.
func (r Row) String() string {
	return line(r.Poll, string(r.Decision), cmp.Or(r.EventID, fmt.Sprint(r.Fixture)), r.ScoreAfter, r.Text)
}

func line(poll int, decision, about string, s footy.Score, text string) string {
	score := ""
	if s.Home != nil || s.Away != nil {
		score = explain.Tally(s)
	}
	return fmt.Sprintf("poll %-4d %-16s %-28s %-6s %s\n", poll, decision, about, score, text)
}
