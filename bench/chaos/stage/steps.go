package stage

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// steps arms one process with the named steps at which it kills itself: at each start with all that are left, of which it
// passes one.
type steps struct {
	mu   sync.Mutex
	left []string // name or name:n
}

func (s *steps) arm() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.left, ",")
}

// killedAt stands before the step's name in the last line of a process that killed itself.
const killedAt = "killed at step "

// heard takes the step off the list that a process says it kills itself at.
func (s *steps) heard(line string) (step string) {
	name, ok := strings.CutPrefix(line, killedAt)
	if !ok {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = slices.DeleteFunc(s.left, func(one string) bool {
		is, _, _ := strings.Cut(one, ":")
		return is == name
	})
	return name
}

func (s *steps) rest() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.left)
}

// exited notes how a process ended that was not stopped.
func (s *Stage) exited(name string, ours bool, state *os.ProcessState) {
	s.mu.Lock()
	step := s.died[name]
	delete(s.died, name)
	s.mu.Unlock()
	switch {
	case step != "":
		s.Tally.add("step", name+" at "+step)
		s.say("step      %s killed itself at %s", name, step)
	case !ours: // else counted by who did it
		s.Tally.add("exit", name)
		s.say("ended     %s by itself: %s", name, state)
	}
}

// heard looks for a process's last words.
func (s *Stage) heard(name, line string) {
	st := s.steps[name]
	if st == nil {
		return
	}
	if step := st.heard(line); step != "" {
		s.mu.Lock()
		s.died[name] = step
		s.mu.Unlock()
	}
}

// Unreached are steps that no process passed.
func (s *Stage) Unreached() []string {
	var out []string
	for _, st := range s.steps {
		out = append(out, st.rest()...)
	}
	slices.Sort(out)
	return out
}

func (s *Stage) say(format string, args ...any) {
	at := 0.0
	if !s.Began.IsZero() {
		at = time.Since(s.Began).Seconds()
	}
	s.Logf("%5.1f s  %s", at, fmt.Sprintf(format, args...))
}

// Tally counts what was done to the product.
type Tally struct {
	mu  sync.Mutex
	all map[string]int
}

func newTally() *Tally { return &Tally{all: map[string]int{}} }

func (t *Tally) add(kind, what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all[kind+" "+what]++
}

// Of counts what begins with one of the kinds.
func (t *Tally) Of(kinds ...string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for what, times := range t.all {
		kind, _, _ := strings.Cut(what, " ")
		if slices.Contains(kinds, kind) {
			n += times
		}
	}
	return n
}
