package draw

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/found-footy/found-footy/internal/world/film/clip"
)

// Missing lists the files of a day that the cache does not hold yet.
func Missing(dir string, clips []clip.Clip) []clip.Clip {
	var out []clip.Clip
	for _, c := range clips {
		if _, err := os.Stat(filepath.Join(dir, c.Name())); err != nil {
			out = append(out, c)
		}
	}
	return out
}

// All draws what is missing, as many at once as there are cores. A file appears under its name only when it is whole,
// so an interrupted run leaves nothing half-drawn. progress may be nil.
func All(ctx context.Context, dir string, clips []clip.Clip, progress func(done, total int)) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("create clip cache: %w", err)
	}
	todo := Missing(dir, clips)
	a := &artist{dir: dir, grounds: map[int]*groundOnce{}, total: len(todo), progress: progress}
	var drawn, edited []clip.Clip
	for _, c := range todo {
		if c.Edit == "" {
			drawn = append(drawn, c)
		} else {
			edited = append(edited, c)
		}
	}
	if err := a.each(ctx, drawn, a.film); err != nil { // edits need the films
		return err
	}
	return a.each(ctx, edited, a.edit)
}

type artist struct {
	dir      string
	mu       sync.Mutex
	grounds  map[int]*groundOnce
	done     int
	total    int
	progress func(done, total int)
}

type groundOnce struct {
	sync.Once
	g *ground
}

func (a *artist) each(ctx context.Context, clips []clip.Clip, make func(context.Context, clip.Clip, string) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	jobs := gen(ctx, clips)
	errs := []error{}
	var wg sync.WaitGroup
	for range runtime.NumCPU() {
		wg.Go(func() {
			for c := range jobs {
				if err := a.one(ctx, c, make); err != nil {
					a.mu.Lock()
					errs = append(errs, err)
					a.mu.Unlock()
					cancel()
				}
			}
		})
	}
	wg.Wait()
	if len(errs) > 0 {
		return errs[0]
	}
	return ctx.Err()
}

func gen(ctx context.Context, clips []clip.Clip) <-chan clip.Clip {
	out := make(chan clip.Clip)
	go func() {
		defer close(out)
		for _, c := range clips {
			select {
			case out <- c:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func (a *artist) one(ctx context.Context, c clip.Clip, make func(context.Context, clip.Clip, string) error) error {
	final := filepath.Join(a.dir, c.Name())
	tmp := fmt.Sprintf("%s.%d.part", final, os.Getpid())
	if err := make(ctx, c, tmp); err != nil {
		_ = os.Remove(tmp) // best effort: the error below is the news
		if errors.Is(ctx.Err(), context.Canceled) {
			return fmt.Errorf("draw %s: %w", c.Name(), ctx.Err())
		}
		return fmt.Errorf("draw %s: %w", c.Name(), err)
	}
	if err := os.Rename(tmp, final); err != nil {
		return fmt.Errorf("draw %s: %w", c.Name(), err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done++
	if a.progress != nil {
		a.progress(a.done, a.total)
	}
	return nil
}

func (a *artist) film(ctx context.Context, c clip.Clip, path string) error {
	return film(ctx, c, a.ground(c.Scenes[0]), path)
}

func (a *artist) edit(ctx context.Context, c clip.Clip, path string) error {
	var sources []string
	for _, s := range c.Sources() {
		sources = append(sources, filepath.Join(a.dir, s.Name()))
	}
	return edit(ctx, c, sources, path)
}

// ground draws a match's stadium once.
func (a *artist) ground(s clip.Scene) *ground {
	a.mu.Lock()
	once, ok := a.grounds[s.Match]
	if !ok {
		once = &groundOnce{}
		a.grounds[s.Match] = once
	}
	a.mu.Unlock()
	once.Do(func() { once.g = newGround(s.Match, s.Shirts) })
	return once.g
}
