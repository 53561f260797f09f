package target_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/extra/posting/target"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

// orders are what a process of the test is told.
type orders struct {
	State string
	URLs  map[string]string // of the stand-ins, by service
	Crash string
	Clock string        // address of the test's clock
	Ahead time.Duration // of that clock, when the process starts
}

// clock is the time of the processes and of the services. It runs with the real one, and skips what nobody needs to wait for.
type clock struct {
	ahead atomic.Int64
	test  string // address of the test's clock in a process that posts; "" in the test
}

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

// skipTo moves the clock on; it never goes back. The services are told first: their posts are never older than we wrote down.
func (c *clock) skipTo(at time.Time) error {
	ahead := int64(time.Until(at))
	if c.test != "" {
		resp, err := http.Get(c.test + "/?ahead=" + strconv.FormatInt(ahead, 10))
		if err != nil {
			return err
		}
		_ = resp.Body.Close()
	}
	for {
		was := c.ahead.Load()
		if ahead <= was || c.ahead.CompareAndSwap(was, ahead) {
			return nil
		}
	}
}

// ServeHTTP moves the test's clock on for a process.
func (c *clock) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	if ahead, err := strconv.ParseInt(r.URL.Query().Get("ahead"), 10, 64); err == nil {
		_ = c.skipTo(time.Now().Add(time.Duration(ahead)))
	}
}

const (
	ordersIn = "FOOTY_TEST_POSTING"
	seedIn   = "FOOTY_TEST_SEED" // repeats the kills, troubles and goals of a run that failed
)

// TestMain lets the test's own program be the process that posts, and that is killed.
func TestMain(m *testing.M) {
	if raw := os.Getenv(ordersIn); raw != "" {
		if err := post(raw); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// post does what the page's process does, until nothing is left to do.
func post(raw string) error {
	var o orders
	if err := json.Unmarshal([]byte(raw), &o); err != nil {
		return err
	}
	if err := crashpoint.Arm(o.Crash, target.Steps()...); err != nil {
		return err
	}
	s, clips, err := openAt(o.State)
	if err != nil {
		return err
	}
	defer s.Close()
	c := &clock{test: o.Clock}
	c.ahead.Store(int64(o.Ahead))
	var all errgroup.Group
	for name, p := range places() {
		t := target.New(target.Options{Service: p.client(o.URLs[name]), Template: rule.DefaultTemplate, Store: s, Blob: clips, BaseURL: "https://goals.example",
			Verified: true, Now: c.now, Call: 30 * time.Second, Filter: allGoals, Lead: alone, Page: unseen{}})
		all.Go(func() error { return postAll(s, t, name, c) })
	}
	return all.Wait()
}

// postAll looks until a service has what it should have. After a look that did nothing, the clock skips to the next try.
func postAll(s store.Store, t *target.Target, service string, c *clock) error {
	var before []rule.Posting
	for {
		f, err := s.Fixture(context.Background(), 1)
		if err != nil {
			return err
		}
		if settled(f, service) {
			return nil
		}
		var is []rule.Posting
		next := c.now().Add(time.Hour)
		for i := range f.Events {
			p := at(&f.Events[i], service)
			is = append(is, p)
			for _, wait := range []time.Time{p.NextTry, p.Until} {
				if wait.After(c.now()) && wait.Before(next) {
					next = wait
				}
			}
		}
		if reflect.DeepEqual(before, is) {
			if next.After(c.now().Add(30 * time.Minute)) { // it waits for something that is not written down
				next = c.now().Add(time.Second)
			}
			if err := c.skipTo(next); err != nil {
				return err
			}
		}
		before = is
		_ = t.SendNew(context.Background())
	}
}

// settled reports whether a service has what it should have.
func settled(f footy.Fixture, service string) bool {
	for i := range f.Events {
		e := &f.Events[i]
		p, edits := at(e, service), places()[service].edits
		switch {
		case p.Step == rule.Unsure:
		case e.Removed && p.Step != rule.None && p.Step != rule.Deleted:
			return false
		case !e.Removed && (p.Step != rule.Done || p.Error != "" || edits && p.Edits == 0 && corrected(e, p)):
			return false
		}
	}
	return true
}

// corrected reports whether the scorer was corrected after it was posted.
func corrected(e *footy.Event, p rule.Posting) bool {
	return e.Player.Name == "Gakpo" && e.UpdatedAt.After(p.At)
}

// at is our post about a goal at a service.
func at(e *footy.Event, service string) rule.Posting {
	for _, p := range all(e) {
		if p.Service == service {
			return p
		}
	}
	return rule.Posting{}
}

// TestNothingIsPostedTwiceAfterAKill kills the process that posts fifty times, at its steps and in the middle of calls, while the services
// are in trouble now and then, goals fall, are corrected and taken back.
func TestNothingIsPostedTwiceAfterAKill(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano()) //nolint:gosec // any
	if given := os.Getenv(seedIn); given != "" {
		var err error
		seed, err = strconv.ParseUint(given, 10, 64)
		require.NoError(t, err, seedIn)
	}
	t.Logf("to repeat it: %s=%d", seedIn, seed)
	rnd := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // to be repeated
	dir := t.TempDir()
	s, clips := open(t, dir)
	c := &clock{}
	o := orders{State: dir, URLs: map[string]string{}, Clock: serve(t, c)}

	var mu sync.Mutex
	var child *exec.Cmd
	calls, killAt := 0, 0
	all := places()
	for name, p := range all {
		p.Now = c.now
		p.SetTrouble(func(string) social.Fault {
			mu.Lock()
			defer mu.Unlock()
			if rnd.IntN(6) > 0 {
				return social.None
			}
			return social.Fault(1 + rnd.IntN(5))
		})
		p.Asked = func(string) {
			mu.Lock()
			defer mu.Unlock()
			if calls++; calls == killAt && child != nil {
				_ = child.Process.Kill() // what was asked for is done all the same, or not: as the service decides
			}
		}
		o.URLs[name] = serve(t, p.Handler)
	}
	run := func(crash string, at int) (killed int) {
		mu.Lock()
		o.Crash, o.Ahead, killAt, calls = crash, time.Duration(c.ahead.Load()), at, 0
		raw, err := json.Marshal(o)
		require.NoError(t, err)
		child = exec.CommandContext(t.Context(), os.Args[0])
		child.Env = append(os.Environ(), ordersIn+"="+string(raw))
		child.Stderr = os.Stderr
		require.NoError(t, child.Start())
		running := child
		mu.Unlock()
		err = running.Wait()
		var end *exec.ExitError
		if err != nil {
			require.ErrorAs(t, err, &end)
			require.Equal(t, -1, end.ExitCode(), "it was killed and did not fail")
			killed = 1
		}
		return killed
	}
	f := match(1, c.now())
	f.Events = nil
	require.NoError(t, s.Add(t.Context(), f))
	steps := target.Steps()
	killed := 0
	for i := 0; killed < 50; i++ {
		require.Less(t, i, 200, "kills do not happen")
		mu.Lock()
		what, n, at := rnd.IntN(5), 1+rnd.IntN(3), 1+rnd.IntN(12)
		mu.Unlock()
		_, err := s.Update(t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) {
			e := event(i, c.now())
			e.Clips = []footy.Clip{put(t.Context(), t, clips, fmt.Sprintf("clip%d", i), 1000+i, true)}
			f.Events = append(f.Events, e)
			if i%3 == 1 {
				f.Events[i/2].Player.Name, f.Events[i/2].UpdatedAt = "Gakpo", c.now()
			}
			if i%5 == 4 {
				f.Events[i-2].Removed = true
			}
			return nil, nil
		})
		require.NoError(t, err)
		if what == 4 {
			killed += run("", at)
		} else {
			killed += run(fmt.Sprintf("%s:%d", steps[what], n), 0)
		}
	}
	run("", 0)

	f, err := s.Fixture(t.Context(), 1)
	require.NoError(t, err)
	unsure := 0
	for name, p := range all {
		there := map[string][]social.Message{}
		for _, m := range p.Standing() {
			for i := range f.Events {
				if strings.HasSuffix(m.Text, "/g/"+f.Events[i].UID) {
					there[f.Events[i].UID] = append(there[f.Events[i].UID], m)
				}
			}
		}
		for i := range f.Events {
			e := &f.Events[i]
			is := at(e, name)
			require.LessOrEqual(t, len(there[e.UID]), 1, "%s has %s twice", name, e.UID)
			switch {
			case is.Step == rule.Unsure:
				require.NotEmpty(t, is.Error)
				unsure++
			case e.Removed:
				require.Empty(t, there[e.UID], "%s: %s no longer stands", name, e.UID)
			default:
				require.Len(t, there[e.UID], 1, "%s lacks %s: %+v", name, e.UID, is)
				require.Equal(t, p.pictures, there[e.UID][0].File == "image/jpeg")
				require.Equal(t, is.ID, there[e.UID][0].ID)
				if p.edits {
					require.Contains(t, there[e.UID][0].Text, e.Player.Name)
				}
			}
		}
	}
	t.Logf("%d kills, %d goals at %d services, %d unsure, %s skipped", killed, len(f.Events), len(all), unsure, time.Duration(c.ahead.Load()).Round(time.Second))
}
