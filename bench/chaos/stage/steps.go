package stage

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// steps hands one process the named steps at which it kills itself, one for each start. A step that was not passed before
// something else killed the process comes again at the end.
type steps struct {
	mu    sync.Mutex
	left  []string
	armed string
}

func (s *steps) arm() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.armed != "" {
		s.left = append(s.left, s.armed)
		s.armed = ""
	}
	if len(s.left) > 0 {
		s.armed, s.left = s.left[0], s.left[1:]
	}
	return s.armed
}

// passed says at which step the process has just killed itself.
func (s *steps) passed() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	step := s.armed
	s.armed = ""
	return step
}

func (s *steps) rest() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := slices.Clone(s.left)
	if s.armed != "" {
		out = append(out, s.armed)
	}
	return out
}

// exited notes how a process ended that nobody had stopped.
func (s *Stage) exited(name string, ours bool, state *os.ProcessState) {
	if ours {
		return // counted by who did it
	}
	if w, ok := state.Sys().(syscall.WaitStatus); ok && w.Signaled() && w.Signal() == syscall.SIGKILL && s.steps[name] != nil {
		if step := s.steps[name].passed(); step != "" {
			s.Tally.add("step", name+" at "+step)
			s.say("step      %s killed itself at %s", name, step)
			return
		}
	}
	s.Tally.add("exit", name)
	s.say("ended     %s by itself: %s", name, state)
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
	mu   sync.Mutex
	all  map[string]int
	Skip map[string]string // faults that could not be made, with the reason
}

func newTally() *Tally { return &Tally{all: map[string]int{}, Skip: map[string]string{}} }

func (t *Tally) add(kind, what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all[kind+" "+what]++
}

func (t *Tally) skip(what, why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Skip[what] = why
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
