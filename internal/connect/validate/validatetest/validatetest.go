// Package validatetest is the conformance suite of validate.Reader: what everything that reads frames must do alike.
package validatetest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/footy"
)

// Fault is how the outside fails for one request.
type Fault string

// The faults.
const (
	Loading Fault = "loading" // not ready yet, and says so
	Busy    Fault = "busy"    // come back soon
	Junk    Fault = "junk"    // an answer that is not of the shape asked for
	Dropped Fault = "dropped" // the connection ends without an answer
	Blind   Fault = "blind"   // refuses pictures
	Narrow  Fault = "narrow"  // a question with pictures does not fit its context
)

// Script is what the outside of a reader answers; Setup serves it in the reader's wire format.
type Script struct {
	mu       sync.Mutex
	readings []footy.Reading
	faults   []Fault
	asked    int
}

// Next returns what to answer now: a fault, or the readings of all frames.
func (s *Script) Next() ([]footy.Reading, Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	if len(s.faults) > 0 {
		f := s.faults[0]
		s.faults = s.faults[1:]
		return nil, f
	}
	return s.readings, ""
}

func (s *Script) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// Bench is one reader with its simulated outside.
type Bench struct {
	Reader validate.Reader
	// Stop takes the outside down: connections are refused afterwards.
	Stop func()
}

// Setup builds a reader whose outside answers from the script, patient for at least a second but polling often.
type Setup func(t *testing.T, s *Script) Bench

// Run runs the suite.
func Run(t *testing.T, setup Setup) {
	frames := []validate.Frame{{At: 1.5, JPEG: []byte("one")}, {At: 3, JPEG: []byte("two")}, {At: 4.5, JPEG: []byte("three")}}
	seen := []footy.Reading{
		{At: 1.5, Soccer: true, Clock: "67:42", Period: "2ND"},
		{At: 3, Soccer: true, Screen: true, Clock: "90:00", Added: "+6", StoppageClock: "01:48"},
		{At: 4.5},
	}
	test := func(name string, readings []footy.Reading, faults []Fault, check func(t *testing.T, b Bench, s *Script)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &Script{readings: readings, faults: faults}
			check(t, setup(t, s), s)
		})
	}
	read := func(t *testing.T, b Bench) ([]footy.Reading, error) {
		t.Helper()
		out, err := b.Reader.Read(t.Context(), frames)
		if err != nil {
			require.Empty(t, out, "an error comes without readings")
		}
		return out, err
	}

	test("gives one reading per frame, in order, at the frame's time", seen, nil, func(t *testing.T, b Bench, _ *Script) {
		out, err := read(t, b)
		require.NoError(t, err)
		require.Equal(t, seen, out)
		require.NotEmpty(t, b.Reader.Name())
		require.NoError(t, b.Reader.Ready(t.Context()))
	})
	test("nothing shown is a reading, not an error", make([]footy.Reading, 3), nil, func(t *testing.T, b Bench, _ *Script) {
		out, err := read(t, b)
		require.NoError(t, err)
		require.Equal(t, []footy.Reading{{At: 1.5}, {At: 3}, {At: 4.5}}, out)
	})
	test("a look tells what the frames are and leaves their clocks out", seen, nil, func(t *testing.T, b Bench, _ *Script) {
		out, err := b.Reader.Look(t.Context(), frames)
		require.NoError(t, err)
		require.Equal(t, []footy.Reading{{At: 1.5, Soccer: true}, {At: 3, Soccer: true, Screen: true}, {At: 4.5}}, out)
	})
	test("says which of the kinds asked about a frame shows", []footy.Reading{{Soccer: true, Clock: "67:42", Shows: "red_card"}, {Soccer: true, Shows: footy.ShowsNothing}, {}}, nil,
		func(t *testing.T, b Bench, _ *Script) {
			out, err := b.Reader.Read(t.Context(), frames, footy.SeenKinds()...)
			require.NoError(t, err)
			require.Equal(t, []footy.Reading{{At: 1.5, Soccer: true, Clock: "67:42", Shows: "red_card"}, {At: 3, Soccer: true, Shows: footy.ShowsNothing}, {At: 4.5}}, out)
			out, err = b.Reader.Look(t.Context(), frames, footy.SeenKinds()...)
			require.NoError(t, err)
			require.Equal(t, []footy.Reading{{At: 1.5, Soccer: true, Shows: "red_card"}, {At: 3, Soccer: true, Shows: footy.ShowsNothing}, {At: 4.5}}, out)
			out, err = read(t, b)
			require.NoError(t, err)
			require.Empty(t, out[0].Shows, "nobody asked")
		})
	test("a look that is too much at once is had frame by frame, or its trouble is named", seen, []Fault{Narrow, Narrow, Narrow, Narrow}, func(t *testing.T, b Bench, _ *Script) {
		_, err := b.Reader.Look(t.Context(), frames)
		require.Equal(t, footy.ReasonModelContext, footy.ReasonOf(err), "%v", err)
	})
	test("a look at no frames is invalid", seen, nil, func(t *testing.T, b Bench, s *Script) {
		_, err := b.Reader.Look(t.Context(), nil)
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
		require.Zero(t, s.count())
	})
	test("too few readings are an error", seen[:2], nil, refuses(read))
	test("too many readings are an error", append([]footy.Reading{{}}, seen...), nil, refuses(read))
	for _, f := range []Fault{Loading, Busy} {
		test("waits while the model is "+string(f), seen, []Fault{f, f}, func(t *testing.T, b Bench, s *Script) {
			out, err := read(t, b)
			require.NoError(t, err)
			require.Equal(t, seen, out)
			require.Equal(t, 3, s.count())
		})
	}
	for _, f := range []Fault{Junk, Dropped} {
		test("forgives one answer that is "+string(f), seen, []Fault{f}, func(t *testing.T, b Bench, _ *Script) {
			out, err := read(t, b)
			require.NoError(t, err)
			require.Equal(t, seen, out)
		})
		test("gives up on answers that stay "+string(f), seen, []Fault{f, f, f, f, f, f}, func(t *testing.T, b Bench, s *Script) {
			refuses(read)(t, b, s)
			require.Less(t, s.count(), 6)
		})
	}
	for fault, reason := range map[Fault]footy.Reason{Blind: footy.ReasonModelBlind, Narrow: footy.ReasonModelContext,
		Junk: footy.ReasonModelJunk, Dropped: footy.ReasonModelUnreachable} {
		test("names the trouble of a model that is "+string(fault), seen, []Fault{fault, fault, fault, fault, fault, fault}, func(t *testing.T, b Bench, _ *Script) {
			_, err := read(t, b)
			require.Equal(t, reason, footy.ReasonOf(err), "%v", err)
		})
	}
	test("a model that is down is unavailable", seen, nil, func(t *testing.T, b Bench, _ *Script) {
		b.Stop()
		_, err := read(t, b)
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
		require.Equal(t, footy.ReasonModelUnreachable, footy.ReasonOf(err))
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(b.Reader.Ready(t.Context())))
	})
	test("no frames are invalid", seen, nil, func(t *testing.T, b Bench, s *Script) {
		_, err := b.Reader.Read(t.Context(), nil)
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
		require.Zero(t, s.count())
	})
	test("stops when its caller does", seen, slices.Repeat([]Fault{Loading}, 10_000), func(t *testing.T, b Bench, s *Script) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			defer cancel()
			for s.count() == 0 && t.Context().Err() == nil {
				<-time.After(time.Millisecond)
			}
		}()
		out, err := b.Reader.Read(ctx, frames)
		require.ErrorIs(t, err, context.Canceled)
		require.Empty(t, out)
	})
}

func refuses(read func(*testing.T, Bench) ([]footy.Reading, error)) func(*testing.T, Bench, *Script) {
	return func(t *testing.T, b Bench, _ *Script) {
		_, err := read(t, b)
		require.Error(t, err)
		require.NotEqual(t, footy.CodeNotFound, footy.CodeOf(err), "could not look is not nothing found")
	}
}
