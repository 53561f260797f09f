package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/source"
)

// cost is what some searches cost together.
type cost struct {
	calls        int
	wall         time.Duration
	self, chrome time.Duration
	peak         float64 // MB
	service      float64 // MB
}

// busy makes n searches, as many at once as there are tabs, and fails where one costs more calls than its pages need.
func busy(ctx context.Context, s *browser.Service, x *site, tabs, n, pages int) (cost, error) {
	calls, err := x.calls(ctx)
	if err != nil {
		return cost{}, err
	}
	before, err := look(x.pid)
	if err != nil {
		return cost{}, err
	}
	c := cost{}
	stop := c.watch(x.pid)
	start := time.Now()
	todo, failed := make(chan int), make(chan error, n)
	var workers sync.WaitGroup
	for range tabs {
		workers.Go(func() {
			for i := range todo {
				failed <- one(ctx, s, pages, i)
			}
		})
	}
	for i := range n {
		todo <- i
	}
	close(todo)
	workers.Wait()
	c.wall = time.Since(start)
	stop()
	for range n {
		if err := <-failed; err != nil {
			return c, err
		}
	}
	after, err := look(x.pid)
	if err != nil {
		return c, err
	}
	c.self, c.chrome, c.service = after.self-before.self, after.chrome-before.chrome, after.service
	total, err := x.calls(ctx)
	c.calls = total - calls
	if want := n * needed(pages); err == nil && c.calls != want {
		err = fmt.Errorf("%d searches of %d pages made %d calls, %d were needed", n, pages, c.calls, want)
	}
	return c, err
}

// needed is one call for each page; where no page reaches below the floor, one more says that it is the end.
func needed(pages int) int {
	if pages == 1 {
		return 1
	}
	return pages + 1
}

func one(ctx context.Context, s *browser.Service, pages, i int) error {
	q := source.Query{Text: fmt.Sprintf("pages%d n%d", pages, i)}
	if pages == 1 {
		q.Since = time.Now().Add(-10 * time.Second) // the first page reaches below it
	}
	r, err := s.Search(ctx, q)
	switch {
	case err != nil:
		return err
	case r.State != source.StateResults || pages > 1 && len(r.Candidates) != 20*pages:
		return fmt.Errorf("a search of %d pages: %s %s, %d posts", pages, r.State, r.Detail, len(r.Candidates))
	}
	return nil
}

// watch notes the most memory that is used until it is stopped.
func (c *cost) watch(except int) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(500 * time.Millisecond)
		defer tick.Stop()
		for {
			if u, err := look(except); err == nil {
				c.peak = max(c.peak, u.mb)
			}
			select {
			case <-done:
				return
			case <-tick.C:
			}
		}
	}()
	return func() { close(done); <-ended }
}
