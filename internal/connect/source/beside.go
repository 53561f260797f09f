package source

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

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
	res.Comments = other.Comments
	switch {
	case ctx.Err() != nil:
		return Result{}, footy.Wrap(footy.CodeUnavailable, "search posts", ctx.Err())
	case otherErr == nil && len(other.Candidates) > 0 && (err != nil || !res.State.Usable()):
		other.Detail = strings.TrimSpace(b.main.Name() + " could not look: " + string(res.State) + " " + detail(res, err))
		other.CallsUsed, other.RetryAfter = res.CallsUsed, 0
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

// Probe implements Fetcher.
func (f ByPlace) Probe(ctx context.Context, c footy.Candidate) error {
	return f[PlaceOf(c.PostID)].Probe(ctx, c)
}
