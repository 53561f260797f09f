package trial

import (
	"context"
	"sync"

	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/footy"
)

var pictures sync.Map // by seed

// DrawnOnce lets a trial show the pictures that an earlier one has drawn: they are the same each time, and are most of what a trial costs.
func (o Options) DrawnOnce() Options {
	o.draw = func(s scene) ([]byte, error) {
		draw, _ := pictures.LoadOrStore(s.seed, sync.OnceValues(s.drawn))
		return draw.(func() ([]byte, error))()
	}
	return o
}

// Knowing reads the first twenty pictures right without looking at them, for a trial of which only the time matters.
type Knowing struct {
	validate.Reader
	shown int
}

// Read returns what is right about the next pictures.
func (k *Knowing) Read(_ context.Context, frames []validate.Frame, _ func()) ([]footy.Reading, error) {
	var out []footy.Reading
	for _, f := range frames {
		s := scenes(0)[k.shown]
		k.shown++
		out = append(out, footy.Reading{At: f.At, Soccer: s.kind != other, Screen: s.kind == phone, Clock: s.clock(), StoppageClock: minutes(s.timer)})
	}
	return out, nil
}
