package source

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/found-footy/found-footy/internal/footy"
)

// ChainOptions say when a source is left alone for a while.
type ChainOptions struct {
	Failures int           // failures in a row that open a source's circuit; 0 = 3
	Rest     time.Duration // how long it then stays open; 0 = 2 min
}

// Chain asks sources in order until one gives a usable answer; each has its own circuit breaker.
type Chain struct{ links []link }

type link struct {
	Source
	is      func() bool // nil: always
	breaker *gobreaker.CircuitBreaker[Result]
}

// While is a source of a chain while Is says so.
type While struct {
	Source
	Is func() bool
}

var _ Source = (*Chain)(nil)

// NewChain makes a chain; the order is the order of preference.
func NewChain(opts ChainOptions, sources ...Source) *Chain {
	opts.Failures, opts.Rest = cmp.Or(opts.Failures, 3), cmp.Or(opts.Rest, 2*time.Minute)
	c := &Chain{}
	for _, s := range sources {
		w, ok := s.(While)
		if !ok {
			w.Source = s
		}
		c.links = append(c.links, link{w.Source, w.Is, gobreaker.NewCircuitBreaker[Result](gobreaker.Settings{
			Name: s.Name(), Timeout: opts.Rest,
			ReadyToTrip: func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= uint32(opts.Failures) },
			// A caller that gave up says nothing about the source.
			IsExcluded: func(err error) bool { return errors.Is(err, context.Canceled) },
		})})
	}
	return c
}

// present are the links that take part now; without any it is None that answers.
func (c *Chain) present() []link {
	out := slices.DeleteFunc(slices.Clone(c.links), func(l link) bool { return l.is != nil && !l.is() })
	if len(out) == 0 {
		return []link{{Source: None{}}}
	}
	return out
}

// Name lists the sources in order.
func (c *Chain) Name() string {
	var names []string
	for _, l := range c.present() {
		names = append(names, l.Name())
	}
	return strings.Join(names, ",")
}

// failed makes a failure of X count for the breaker without becoming an error for the caller. Being rate limited or
// logged out is no failure: the source says so at once and knows when it will work again.
type failed struct{ res Result }

func (f failed) Error() string { return string(f.res.State) }

func (l link) search(ctx context.Context, q Query) (Result, error) {
	res, err := l.breaker.Execute(func() (Result, error) {
		res, err := l.Source.Search(ctx, q)
		if err == nil && (res.State == StateUpstreamError || res.State == StateTimeout) {
			err = failed{res}
		}
		return res, err
	})
	var f failed
	switch {
	case errors.As(err, &f):
		return f.res, nil
	case errors.Is(err, gobreaker.ErrOpenState), errors.Is(err, gobreaker.ErrTooManyRequests):
		return Result{State: StateUpstreamError, Detail: "rests after failures in a row"}, nil
	}
	return res, err
}

// Search returns the first usable answer. Without one it returns the state that costs the goal least: waiting for budget
// or login before failures of X, those before an error; RetryAfter is when the first source may work again.
func (c *Chain) Search(ctx context.Context, q Query) (Result, error) {
	links := c.present()
	if len(links) == 1 {
		return links[0].Source.Search(ctx, q) // resting would only turn failures into refusals
	}
	var worst Result
	var says []string
	var wait time.Duration
	var errs []error
	calls := 0
	for _, l := range links {
		res, err := l.search(ctx, q)
		calls += res.CallsUsed
		if err != nil {
			if ctx.Err() != nil {
				return Result{}, err
			}
			errs = append(errs, err)
			says = append(says, l.Name()+": "+err.Error())
			continue
		}
		if res.State.Usable() {
			res.CallsUsed = calls
			return res, nil
		}
		says = append(says, l.Name()+": "+strings.TrimSpace(string(res.State)+" "+res.Detail))
		if res.RetryAfter > 0 && (wait == 0 || res.RetryAfter < wait) {
			wait = res.RetryAfter
		}
		if worst.State == "" || res.State.Waits() && !worst.State.Waits() {
			worst = res
		}
	}
	if worst.State == "" {
		return Result{}, footy.Wrap(footy.CodeUnavailable, "search posts", errors.Join(errs...))
	}
	worst.RetryAfter, worst.CallsUsed, worst.Detail = wait, calls, strings.Join(says, "; ")
	return worst, nil
}

// Health is that of the first source that can work, else of the first.
func (c *Chain) Health(ctx context.Context) (Health, error) { return firstReady(c.Each(ctx)) }

// Each is the health of every source, in order.
func (c *Chain) Each(ctx context.Context) []Named {
	var out []Named
	for _, l := range c.present() {
		n := Named{Name: l.Name()}
		n.Health, n.Err = l.Source.Health(ctx)
		if n.Err == nil && l.breaker != nil && l.breaker.State() == gobreaker.StateOpen {
			n.Ready, n.Detail = false, "rests after failures in a row"
		}
		out = append(out, n)
	}
	return out
}

// Canary is that of the first source that can check X's shape.
func (c *Chain) Canary(ctx context.Context) (Canary, error) {
	for _, l := range c.present() {
		if found, err := CanaryOf(ctx, l.Source); !errors.Is(err, ErrNoCanary) {
			return found, err
		}
	}
	return Canary{}, ErrNoCanary
}

// Beside asks a second source with every search, not in place of the first: other people post there.
type Beside struct {
	main   Source // None where there is no other
	second Source
}

// NewBeside joins two sources.
func NewBeside(main, second Source) *Beside { return &Beside{main, second} }

// alone reports whether the second is all there is.
func (b *Beside) alone() bool { return b.main.Name() == (None{}).Name() }

// Name lists both.
func (b *Beside) Name() string {
	if b.alone() {
		return b.second.Name()
	}
	return b.main.Name() + "," + b.second.Name()
}

// listEvery is how often the second's list may have something new where it does not say.
const listEvery = time.Minute

// Search asks both at once. Posts of either are results; without any the first decides, because nothing found is only an answer where
// it could look. Calls are those of the first: the second's are counted by itself.
func (b *Beside) Search(ctx context.Context, q Query) (Result, error) {
	if b.alone() {
		res, err := b.second.Search(ctx, q)
		res.CallsUsed = 0
		return res, err
	}
	var other Result
	var otherErr error
	var wg sync.WaitGroup
	wg.Go(func() {
		defer func() { // nobody else catches it here, and it would end the process
			if p := recover(); p != nil {
				otherErr = footy.Errorf(footy.CodeUnavailable, "search "+b.second.Name(), "panic: %v", p)
			}
		}()
		other, otherErr = b.second.Search(ctx, q)
	})
	res, err := b.main.Search(ctx, q)
	wg.Wait()
	res.Comments = append(res.Comments, other.Comments...)
	switch {
	case ctx.Err() != nil:
		return Result{}, footy.Wrap(footy.CodeUnavailable, "search posts", ctx.Err())
	case otherErr == nil && len(other.Candidates) > 0 && (err != nil || !res.State.Usable()):
		other.Detail = strings.TrimSpace(b.main.Name() + " could not look: " + string(res.State) + " " + detail(res, err))
		other.CallsUsed, other.RetryAfter, other.Comments = res.CallsUsed, 0, res.Comments
		return other, nil
	case err != nil:
		return res, err
	case len(other.Candidates) > 0:
		res.State, res.Candidates = StateResults, append(res.Candidates, other.Candidates...)
	case !res.State.Usable() && otherErr == nil && other.State.Usable():
		res.RetryAfter = min(res.RetryAfter, cmp.Or(other.RetryAfter, listEvery)) // the second can look again, however long the first cannot
	case otherErr != nil || !other.State.Usable():
		if res.State.Usable() { // else the first's own trouble is told
			res.Reason = cmp.Or(res.Reason, other.Reason)
		}
		res.Detail = strings.TrimSpace(res.Detail + " " + b.second.Name() + " could not look: " + string(other.State) + " " + detail(other, otherErr))
	}
	return res, nil
}

func detail(r Result, err error) string {
	if err != nil {
		return footy.UserMessage(err)
	}
	return r.Detail
}

// Health is that of the first that can work.
func (b *Beside) Health(ctx context.Context) (Health, error) { return firstReady(b.Each(ctx)) }

// Each is the health of every source.
func (b *Beside) Each(ctx context.Context) []Named {
	if b.alone() {
		return Each(ctx, b.second)
	}
	return append(Each(ctx, b.main), Each(ctx, b.second)...)
}

// Canary checks both; what it tells is the first's, since the second's health tells its own.
func (b *Beside) Canary(ctx context.Context) (Canary, error) {
	second, err := CanaryOf(ctx, b.second)
	first, mainErr := CanaryOf(ctx, b.main)
	if errors.Is(mainErr, ErrNoCanary) {
		return second, err
	}
	return first, mainErr
}

// ByPlace fetches posts with the fetcher of the place they lie at; every place has one.
type ByPlace map[Place]Fetcher

// Fetch implements Fetcher.
func (f ByPlace) Fetch(ctx context.Context, c footy.Candidate, w io.Writer) (Fetched, error) {
	return f[PlaceOf(c.PostID)].Fetch(ctx, c, w)
}
