package vision

import (
	"errors"
	"time"

	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/footy"
)

// size is how much one question shows.
type size struct {
	lines   int // height of a frame at most, within what the settings allow
	corners bool
	alone   bool // one frame a question
}

// sizes are what a question falls back on, largest first. The whole frames shrink before anything else goes: they have to tell
// football from a film of a screen, the clock is legible in the corners.
func sizes() []size {
	return []size{
		{lines: defaultMax, corners: true},
		{lines: 540, corners: true},
		{lines: small, corners: true},
		{lines: small, corners: true, alone: true},
		{lines: small, alone: true},
	}
}

const (
	small = 360 // lines in which people can still tell what is shown
	// afterLate is the first size that a model is asked with after it gave no answer in time: each try costs it minutes.
	afterLate = 2
	// A size is kept so long before the next larger one is tried: the server may have another context by now. A refusal is quick,
	// a try that is late costs minutes.
	afterRefusal = 10 * time.Minute
	afterLateTry = time.Hour
	// soon is an answer so quick that lateness may have been a passing trouble: a larger question is tried at once, and only if
	// that fails, too, after a while.
	soon = 15 * time.Second
)

// memory is how large a question the model takes.
type memory struct {
	level    int          // which of the sizes
	why      footy.Reason // what a larger question met with; "" = there is no larger one
	failedAt time.Time    // when it did so last; zero: it never did, or a larger one worked since
	failures int          // how often in a row it did
	quick    bool         // the last answer came soon
}

// begin is the size to begin with.
func (m memory) begin(now time.Time) int {
	pause := afterRefusal
	if m.why == footy.ReasonModelSlow {
		pause = afterLateTry
	}
	if m.level > 0 && (now.Sub(m.failedAt) >= pause || m.why == footy.ReasonModelSlow && m.quick && m.failures < 2) {
		return m.level - 1
	}
	return m.level
}

// after is the memory after a question that began with one size and ended with another; why is what the larger ones met with,
// "" if none was tried.
func (m memory) after(began, level int, why footy.Reason, took time.Duration, now time.Time) memory {
	switch {
	case why != "":
		if m.why, m.failedAt = why, now; began < m.level {
			m.failures++
		} else {
			m.failures = 1
		}
	case level < m.level:
		m.failedAt, m.failures = time.Time{}, 0
	}
	if m.level, m.quick = level, took < soon; level == 0 {
		return memory{}
	}
	return m
}

func (r *Reader) begin() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.memory.begin(r.o.Now())
}

func (r *Reader) learn(began, level int, why footy.Reason, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.memory = r.memory.after(began, level, why, took, r.o.Now())
}

// tooMuch tells whether a smaller question may fare better than the one that failed so, and why.
func tooMuch(err error) footy.Reason {
	if e, ok := errors.AsType[*footy.Error](err); !ok || e.Code == footy.CodeRateLimited { // busy, whatever it is asked
		return ""
	}
	switch why := footy.ReasonOf(err); why {
	case footy.ReasonModelContext, footy.ReasonModelSlow:
		return why
	}
	return ""
}

// Showing implements validate.Reader.
func (r *Reader) Showing() validate.Showing {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := sizes()[r.memory.level]
	return validate.Showing{Lines: min(s.lines, r.o.Lines), Corners: s.corners, Alone: s.alone, Reduced: r.memory.why}
}
