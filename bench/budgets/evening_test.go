package budgets_test

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
)

// Evening is a bad moment for a goal: many fixtures that wait for their kickoff and are asked in the same cycle, housekeeping
// that is due, and a Wikidata that accepts and never answers.
type Evening struct {
	*Rig
	feed   *Feed
	asked  *firstCalls
	staged int
	polls  int
	close  []func()
}

// The evening's fixtures beside the staged ones. Housekeeping works at the first; the goals fall in the others.
const (
	chores    = int64(FirstID)
	firstGoal = chores + 1
	firstWait = int64(10_000) // staged fixtures
)

// NewEvening seeds as many live matches as goals shall fall, one for the housekeeping, and the staged fixtures. set are further settings.
func NewEvening(ctx context.Context, temporal, dir string, staged, goals int, set map[string]string) (*Evening, error) {
	v := &Evening{feed: NewFeed(), staged: staged}
	if err := v.start(ctx, temporal, dir, set); err != nil {
		v.Stop()
		return nil, err
	}
	if err := v.seed(ctx, goals); err != nil {
		v.Stop()
		return nil, err
	}
	return v, nil
}

func (v *Evening) start(ctx context.Context, temporal, dir string, set map[string]string) error {
	feed, err := v.listen(ctx, v.feed)
	if err != nil {
		return err
	}
	wikidata, err := v.deaf(ctx)
	if err != nil {
		return err
	}
	outside, err := NewOutside(ctx, dir)
	if err != nil {
		return err
	}
	v.asked = &firstCalls{Source: outside, at: map[string]time.Time{}}
	state := filepath.Join(dir, "state")
	if err := os.Mkdir(state, 0o755); err != nil {
		return err
	}
	all := map[string]string{"API_FOOTBALL_URL": feed, "API_FOOTBALL_KEY": "bench", "WIKIDATA_URL": wikidata}
	maps.Copy(all, set)
	v.Rig, err = Start(ctx, Options{Temporal: temporal, Dir: state, Set: all,
		Change: func(a *app.App) {
			outside.Install(a)
			a.Source = v.asked
		}})
	return err
}

func (v *Evening) seed(ctx context.Context, goals int) error {
	if err := v.Seed(ctx, v.feed, goals+1); err != nil {
		return err
	}
	kickoff := time.Now().UTC().Add(3 * time.Hour).Truncate(time.Minute)
	v.feed.Wait(firstWait, kickoff)
	for id := firstWait; id < firstWait+int64(v.staged); id++ {
		f := footy.Fixture{ID: id, Stage: footy.StageStaging, IngestedAt: time.Now()}
		f.Match = footy.Match{ID: id, Kickoff: kickoff, Status: footy.Status{Code: "NS"}}
		if err := v.App.Store.Add(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// Certain lets the n-th goal (from 0) fall and runs the three cycles that make it certain; in the last of them everything is
// due at once.
func (v *Evening) Certain(ctx context.Context, n int) (Certainty, error) {
	id := firstGoal + int64(n)
	v.feed.Goal(id)
	for i := range 3 {
		if i == 2 {
			if err := v.allDue(ctx, n); err != nil {
				return Certainty{}, err
			}
		}
		v.polls++
		cycle, err := v.Cycle(ctx, v.feed, fmt.Sprintf("evening-%d", v.polls), v.staged)
		if err != nil {
			return Certainty{}, err
		}
		if i == 2 {
			return v.certainty(ctx, id, cycle)
		}
	}
	panic("unreachable")
}

// Certainty is what became of a goal that is certain.
type Certainty struct {
	Event    footy.Event
	Cycle    Cycle         // that made it certain
	CycleID  string        // its workflow
	Searched time.Duration // from the time of the row that says it is certain to the first call of the search
}

func (v *Evening) certainty(ctx context.Context, fixture int64, cycle Cycle) (Certainty, error) {
	c := Certainty{Cycle: cycle, CycleID: fmt.Sprintf("evening-%d", v.polls)}
	f, err := v.App.Store.Fixture(ctx, fixture)
	if err != nil {
		return c, err
	}
	c.Event = f.Events[len(f.Events)-1]
	if c.Event.CertainAt.IsZero() {
		return c, fmt.Errorf("goal %s is not certain after three polls", c.Event.ID)
	}
	for {
		if at, ok := v.asked.of(fmt.Sprint(fixture)); ok {
			c.Searched = at.Sub(c.Event.CertainAt)
			return c, nil
		}
		select {
		case <-ctx.Done():
			return c, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// allDue makes everything due that a cycle may have to do beside its decisions: each staged fixture's poll of the quarter of
// an hour, the sweep, posts whose next try has come, and a search that died.
func (v *Evening) allDue(ctx context.Context, n int) error {
	now := time.Now().UTC()
	for id := firstWait; id < firstWait+int64(v.staged); id++ {
		if _, err := v.App.Store.Update(ctx, id, func(f *footy.Fixture) ([]footy.Entry, error) {
			f.LastMonitor = now.Add(-time.Hour)
			return nil, nil
		}); err != nil {
			return err
		}
	}
	if err := v.App.Store.PutState(ctx, "sweep", map[string]time.Time{"at": now.Add(-time.Hour)}); err != nil {
		return err
	}
	f, err := v.App.Store.Update(ctx, chores, func(f *footy.Fixture) ([]footy.Entry, error) {
		e := &f.Events[0]
		e.DownloadComplete, e.CertainAt, e.FirstSeen = false, now, now
		e.Round.OpenedAt, e.Round.EndedAt, e.Round.TakenUpBy = now, time.Time{}, fmt.Sprintf("a-search-that-died-%d", n)
		return nil, nil
	})
	if err != nil {
		return err
	}
	var waiting []footy.Post
	for i := range 20 {
		id := snowflake.At(now, 100*n+i)
		waiting = append(waiting, footy.Post{EventUID: f.Events[1].UID, PostID: id, FixtureID: f.ID, State: footy.PostWaiting, Reason: footy.ReasonFetchFailed,
			FirstSeen: now, ChangedAt: now, WaitingSince: now, NextTry: now, Tries: 1,
			Candidate: footy.Candidate{PostID: id, URL: "https://x.com/fan/status/" + id, PostedAt: now, DurationMS: 3500, Width: 160, Height: 90}})
	}
	return v.App.Store.AddPosts(ctx, waiting)
}

// Stop ends the product and what stood in for the outside.
func (v *Evening) Stop() {
	if v.Rig != nil {
		v.Rig.Stop()
	}
	for _, end := range slices.Backward(v.close) {
		end()
	}
}

// listen serves h on a free port of this machine.
func (v *Evening) listen(ctx context.Context, h http.Handler) (url string, err error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = srv.Serve(l) }() // always ends with ErrServerClosed
	v.close = append(v.close, func() { _ = srv.Close() })
	return "http://" + l.Addr().String(), nil
}

// deaf accepts connections and never answers.
func (v *Evening) deaf(ctx context.Context) (url string, err error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	var mu sync.Mutex
	var held []net.Conn
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			held = append(held, c)
			mu.Unlock()
		}
	}()
	v.close = append(v.close, func() {
		_ = l.Close()
		mu.Lock()
		defer mu.Unlock()
		for _, c := range held {
			_ = c.Close()
		}
	})
	return "http://" + l.Addr().String(), nil
}

// firstCalls notes when each match was searched first.
type firstCalls struct {
	source.Source
	mu sync.Mutex
	at map[string]time.Time
}

func (s *firstCalls) Search(ctx context.Context, q source.Query) (source.Result, error) {
	s.mu.Lock()
	if _, ok := s.at[q.Group]; !ok {
		s.at[q.Group] = time.Now()
	}
	s.mu.Unlock()
	return s.Source.Search(ctx, q)
}

func (s *firstCalls) of(match string) (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.at[match]
	return at, ok
}
