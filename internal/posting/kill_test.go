package posting_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/crashpoint"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/posting"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/world/social"
)

// orders are what a process of the test is told.
type orders struct {
	State  string
	URLs   map[string]string // of the stand-ins, by service
	Crash  string
	Start  time.Time
	Faster int // than life
}

// now is the time of processes and services.
func (o orders) now() time.Time {
	return o.Start.Add(time.Since(o.Start) * time.Duration(o.Faster))
}

const ordersIn = "FOOTY_TEST_POSTING"

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
	if err := crashpoint.Arm(o.Crash); err != nil {
		return err
	}
	s, clips, err := openAt(o.State)
	if err != nil {
		return err
	}
	defer s.Close()
	var all sync.WaitGroup
	for name, p := range places() {
		t := posting.New(posting.Options{Service: p.client(o.URLs[name], o.now), Template: posting.DefaultTemplate, Store: s, Blob: clips, BaseURL: "https://goals.example",
			Rules: posting.Rules{Verified: true, Kinds: []footy.Kind{footy.KindGoal}}, Now: o.now, Call: 30 * time.Second})
		all.Go(func() {
			for !settled(s, name) {
				_ = t.SendNew(context.Background())
			}
		})
	}
	all.Wait()
	return nil
}

// settled reports whether a service has what it should have.
func settled(s store.Store, service string) bool {
	f, err := s.Fixture(context.Background(), 1)
	if err != nil {
		return false
	}
	for i := range f.Events {
		e := &f.Events[i]
		p, edits := at(e, service), places()[service].edits
		switch {
		case p.Step == footy.PostingUnsure:
		case e.Removed && p.Step != footy.PostingNone && p.Step != footy.PostingDeleted:
			return false
		case !e.Removed && (p.Step != footy.PostingDone || p.Error != "" || edits && p.Edits == 0 && corrected(e, p)):
			return false
		}
	}
	return true
}

// corrected reports whether the scorer was corrected after it was posted.
func corrected(e *footy.Event, p footy.Posting) bool {
	return e.Player.Name == "Gakpo" && e.UpdatedAt.After(p.At)
}

// at is our post about a goal at a service.
func at(e *footy.Event, service string) footy.Posting {
	for _, p := range e.Postings {
		if p.Service == service {
			return p
		}
	}
	return footy.Posting{}
}

// TestNothingIsPostedTwiceAfterAKill kills the process that posts fifty times, at its steps and in the middle of calls, while the services
// are in trouble now and then, goals fall, are corrected and taken back.
func TestNothingIsPostedTwiceAfterAKill(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano()) //nolint:gosec // any
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // to be repeated
	dir := t.TempDir()
	s, clips := open(t, dir)
	o := orders{State: dir, URLs: map[string]string{}, Start: time.Now(), Faster: 30}

	var mu sync.Mutex
	var child *exec.Cmd
	calls, killAt := 0, 0
	all := places()
	for name, p := range all {
		p.Now = o.now
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
		srv := httptest.NewServer(p.Handler)
		t.Cleanup(srv.Close)
		o.URLs[name] = srv.URL
	}
	run := func(crash string, at int) (killed int) {
		mu.Lock()
		o.Crash, killAt, calls = crash, at, 0
		raw, err := json.Marshal(o)
		require.NoError(t, err)
		child = exec.CommandContext(t.Context(), os.Args[0])
		child.Env = append(os.Environ(), ordersIn+"="+string(raw))
		child.Stderr = os.Stderr
		require.NoError(t, child.Start())
		c := child
		mu.Unlock()
		err = c.Wait()
		var end *exec.ExitError
		if err != nil {
			require.ErrorAs(t, err, &end)
			require.Equal(t, -1, end.ExitCode(), "it was killed and did not fail")
			killed = 1
		}
		return killed
	}
	f := match(1, o.now())
	f.Events = nil
	require.NoError(t, s.Add(t.Context(), f))
	steps := []string{crashpoint.PostingIntended, crashpoint.PostingSent, crashpoint.PostingEdited, crashpoint.PostingDeleted}
	killed := 0
	for i := 0; killed < 50; i++ {
		require.Less(t, i, 200, "kills do not happen")
		mu.Lock()
		what, n, at := rnd.IntN(5), 1+rnd.IntN(3), 1+rnd.IntN(12)
		mu.Unlock()
		_, err := s.Update(t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) {
			e := event(i, o.now())
			e.Clips = []footy.Clip{put(t.Context(), t, clips, fmt.Sprintf("clip%d", i), 1000+i, true)}
			f.Events = append(f.Events, e)
			if i%3 == 1 {
				f.Events[i/2].Player.Name, f.Events[i/2].UpdatedAt = "Gakpo", o.now()
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
			case is.Step == footy.PostingUnsure:
				require.False(t, p.exact, "%s can tell", name)
				require.NotEmpty(t, is.Error)
				unsure++
			case e.Removed:
				require.Empty(t, there[e.UID], "%s: %s no longer stands", name, e.UID)
			default:
				require.Len(t, there[e.UID], 1, "%s lacks %s: %+v", name, e.UID, is)
				require.Equal(t, "video/mp4", there[e.UID][0].File)
				require.Equal(t, is.ID, there[e.UID][0].ID)
				if p.edits {
					require.Contains(t, there[e.UID][0].Text, e.Player.Name)
				}
			}
		}
	}
	t.Logf("%d kills, %d goals at %d services, %d unsure", killed, len(f.Events), len(all), unsure)
}
