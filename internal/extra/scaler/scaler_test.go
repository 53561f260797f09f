package scaler_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/scaler"
	"github.com/found-footy/found-footy/internal/extra/scaler/rule"
)

// fakeEngine is Docker's Engine API on a unix socket, as far as the scaler uses it.
type fakeEngine struct {
	socket string

	mu         sync.Mutex
	containers map[string]map[string]any // by id
	running    map[string]bool
	asked      []string // what was changed
	created    map[string]any
}

func newEngine(t *testing.T) *fakeEngine {
	t.Helper()
	e := &fakeEngine{socket: filepath.Join(t.TempDir(), "d.sock"), containers: map[string]map[string]any{}, running: map[string]bool{}}
	l, err := new(net.ListenConfig).Listen(t.Context(), "unix", e.socket)
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /containers/json", e.list)
	mux.HandleFunc("GET /containers/{id}/json", e.inspect)
	mux.HandleFunc("POST /containers/create", e.create)
	mux.HandleFunc("POST /containers/{id}/start", e.change(true))
	mux.HandleFunc("POST /containers/{id}/stop", e.change(false))
	mux.HandleFunc("POST /networks/{id}/connect", func(w http.ResponseWriter, r *http.Request) {
		e.note("connect to " + r.PathValue("id"))
		w.WriteHeader(http.StatusOK)
	})
	srv := &httptest.Server{Listener: l, Config: &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}}
	srv.Start()
	t.Cleanup(srv.Close)
	return e
}

func (e *fakeEngine) note(what string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked = append(e.asked, what)
}

func (e *fakeEngine) did() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := e.asked
	e.asked = nil
	return out
}

// add makes a container of a project's service.
func (e *fakeEngine) add(project, service string, number int, running bool) {
	id := fmt.Sprintf("%s-%s-%d", project, service, number)
	e.containers[id] = map[string]any{"Name": "/" + id,
		"Config": map[string]any{"Image": "found-footy", "Hostname": id, "Cmd": []string{"worker"}, "Env": []string{"A=b"},
			"Labels": map[string]any{"com.docker.compose.project": project, "com.docker.compose.service": service,
				"com.docker.compose.container-number": strconv.Itoa(number), "com.docker.compose.oneoff": "False"}},
		"HostConfig": map[string]any{"CapDrop": []string{"ALL"}, "PortBindings": map[string]any{"3203/tcp": []any{}}},
		"NetworkSettings": map[string]any{"Networks": map[string]any{
			"a_default": map[string]any{"NetworkID": "n1", "Aliases": []string{service, id}}, "b_database": map[string]any{"NetworkID": "n2", "Aliases": []string{service}}}}}
	e.running[id] = running
}

func (e *fakeEngine) list(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var filter struct{ Label []string }
	_ = json.Unmarshal([]byte(r.URL.Query().Get("filters")), &filter) // else all of them, and the test fails
	out := []map[string]any{}
	for id, c := range e.containers {
		labels := c["Config"].(map[string]any)["Labels"].(map[string]any)
		if slices.ContainsFunc(filter.Label, func(want string) bool {
			k, v, _ := strings.Cut(want, "=")
			return labels[k] != v
		}) {
			continue
		}
		state := "exited"
		if e.running[id] {
			state = "running"
		}
		out = append(out, map[string]any{"Id": id, "Names": []string{c["Name"].(string)}, "Labels": labels, "State": state, "NetworkSettings": c["NetworkSettings"]})
	}
	_ = json.NewEncoder(w).Encode(out)
}

func (e *fakeEngine) inspect(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	_ = json.NewEncoder(w).Encode(e.containers[r.PathValue("id")])
}

func (e *fakeEngine) create(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	e.note("create " + name)
	e.mu.Lock()
	defer e.mu.Unlock()
	var body map[string]any
	_ = json.NewDecoder(r.Body).Decode(&body)
	e.created = body
	e.containers[name] = map[string]any{"Name": "/" + name, "Config": map[string]any{"Labels": body["Labels"]}}
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(map[string]string{"Id": name})
}

func (e *fakeEngine) change(to bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id := r.PathValue("id")
		what := "stop " + id + " within " + r.URL.Query().Get("t")
		if to {
			what = "start " + id
		}
		e.note(what)
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.containers[id] == nil {
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"message":"No such container"}`))
			return
		}
		e.running[id] = to
		w.WriteHeader(http.StatusNoContent)
	}
}

type bench struct {
	*fakeEngine
	*scaler.Scaler
	seen rule.Seen
	now  time.Time
	log  bytes.Buffer
}

func setup(t *testing.T, dry bool) *bench {
	t.Helper()
	t.Parallel()
	b := &bench{fakeEngine: newEngine(t), now: time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)}
	b.Scaler = scaler.New(scaler.Options{Docker: scaler.NewDocker(b.socket), Project: "footy", Look: func(context.Context) (rule.Seen, error) { return b.seen, nil },
		Rule: rule.Options{Min: 2, Max: 8, Up: 5, Down: 2, Cooldown: time.Minute}, Grace: 75 * time.Second, DryRun: dry, Log: slog.New(slog.NewTextHandler(&b.log, nil)), Now: func() time.Time { return b.now }})
	return b
}

func (b *bench) step(t *testing.T) []string {
	t.Helper()
	require.NoError(t, b.Step(t.Context()))
	b.now = b.now.Add(time.Minute)
	return b.did()
}

func TestWorkersAreCopiedStartedAndStopped(t *testing.T) {
	b := setup(t, false)
	b.add("footy", "worker", 1, true)
	b.add("footy", "browser", 1, true)
	b.add("footy", "browser2", 1, false)
	b.add("footy", "web", 1, true)
	b.add("another", "worker", 7, true)
	require.Equal(t, []string{"create footy-worker-2", "connect to n2", "start footy-worker-2", "start footy-browser2-1"}, b.step(t), "the least number of both")
	host, ok := b.created["HostConfig"].(map[string]any)
	require.True(t, ok)
	require.NotContains(t, host, "PortBindings", "a port is published once")
	require.NotContains(t, b.created, "Hostname")
	require.Equal(t, []any{"ALL"}, host["CapDrop"])
	require.Equal(t, []any{"A=b"}, b.created["Env"])
	require.Equal(t, map[string]any{"EndpointsConfig": map[string]any{"a_default": map[string]any{"NetworkID": "n1", "Aliases": []any{"worker"}}}}, b.created["NetworkingConfig"])
	b.seen.Waiting = 11
	require.Equal(t, []string{"create footy-worker-3", "connect to n2", "start footy-worker-3"}, b.step(t))
	b.seen.Waiting, b.seen.Working = 0, true
	require.Empty(t, b.step(t), "never down while work runs")
	b.seen.Working = false
	require.Equal(t, []string{"stop footy-worker-3 within 75"}, b.step(t))
	b.seen.Waiting = 11
	require.Equal(t, []string{"start footy-worker-3"}, b.step(t), "one that is there is not made again")
	b.seen.Goals = 20
	require.Empty(t, slices.DeleteFunc(b.step(t), func(s string) bool { return strings.Contains(s, "worker") }), "a browser is an account: none is copied")
	require.Contains(t, b.log.String(), "browser: 7 wanted")
	require.Contains(t, b.log.String(), "scales worker: 2 -> 3, because 11 tasks wait, more than 5 for each worker")
}

// TestACopyIsOnEveryNetwork: a worker may be cut off from the engine's network, and its copies must not be.
func TestACopyIsOnEveryNetwork(t *testing.T) {
	b := setup(t, false)
	b.add("footy", "worker", 1, true)
	b.add("footy", "worker", 2, true)
	networks, ok := b.containers["footy-worker-1"]["NetworkSettings"].(map[string]any)["Networks"].(map[string]any)
	require.True(t, ok)
	delete(networks, "b_database")
	b.seen.Waiting = 11
	require.Contains(t, b.step(t), "connect to n2")
}

func TestADryRunSaysWhatItWouldDoOnce(t *testing.T) {
	b := setup(t, true)
	b.add("footy", "worker", 1, true)
	b.add("footy", "browser", 1, true)
	b.add("footy", "browser2", 1, true)
	require.Empty(t, b.step(t))
	require.Empty(t, b.step(t))
	require.Equal(t, 1, strings.Count(b.log.String(), "would scale worker: 1 -> 2, because at least 2"))
}

// TestWhatCannotBeHadIsSaidOncePerChange: the line counts goals and matches, and came every round of a busy evening.
func TestWhatCannotBeHadIsSaidOncePerChange(t *testing.T) {
	b := setup(t, false)
	b.add("footy", "worker", 1, true)
	b.add("footy", "worker", 2, true)
	b.add("footy", "browser", 1, true)
	b.add("footy", "browser2", 1, true)
	for goals := 10; goals <= 12; goals++ {
		b.seen.Goals = goals
		require.Empty(t, b.step(t))
	}
	require.Equal(t, 1, strings.Count(b.log.String(), "but there are 2 containers"))
	b.seen.Goals = 13
	b.step(t)
	require.Equal(t, 2, strings.Count(b.log.String(), "but there are 2 containers"), "five are wanted now")
}

func TestNoMoreIsSaidToBeStartedThanThereIs(t *testing.T) {
	b := setup(t, false)
	b.add("footy", "browser", 1, true)
	b.add("footy", "browser2", 1, false)
	b.seen.Goals = 20
	require.Equal(t, []string{"start footy-browser2-1"}, b.step(t))
	require.Contains(t, b.log.String(), "scales browser: 1 -> 2, because 20 goals are searched for")
}

func TestTroubleIsSaidOncePerChange(t *testing.T) {
	t.Parallel()
	b := newEngine(t)
	var log bytes.Buffer
	ctx, stop := context.WithCancel(t.Context())
	rounds := 0
	s := scaler.New(scaler.Options{Docker: scaler.NewDocker(b.socket), Project: "footy", Rule: rule.Options{Min: 2, Max: 8, Up: 5, Down: 2, Cooldown: time.Minute}, Every: time.Millisecond, Log: slog.New(slog.NewTextHandler(&log, nil)), Now: time.Now,
		Look: func(context.Context) (rule.Seen, error) {
			switch rounds++; {
			case rounds <= 3:
				return rule.Seen{}, errors.New("the engine is away")
			case rounds == 5:
				stop()
			}
			return rule.Seen{}, nil
		}})
	s.Run(ctx)
	require.Equal(t, 1, strings.Count(log.String(), "the engine is away"))
	require.Equal(t, 1, strings.Count(log.String(), "scales again"))
}

func TestReadyIsWhoHasLooked(t *testing.T) {
	b := setup(t, true)
	require.ErrorContains(t, b.Ready(t.Context()), "nothing was looked at yet")
	b.add("footy", "worker", 1, true)
	for _, trouble := range []error{nil, errors.New("the database is away")} {
		ctx, stop := context.WithCancel(t.Context())
		looked := make(chan struct{}, 1)
		s := scaler.New(scaler.Options{Docker: scaler.NewDocker(b.socket), Project: "footy", Rule: rule.Options{Min: 2, Max: 8, Up: 5, Down: 2, Cooldown: time.Minute}, Every: time.Hour, DryRun: true, Log: slog.New(slog.DiscardHandler), Now: time.Now,
			Look: func(context.Context) (rule.Seen, error) {
				looked <- struct{}{}
				return rule.Seen{}, trouble
			}})
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			s.Run(ctx)
		}()
		<-looked
		require.Eventually(t, func() bool { return errors.Is(s.Ready(ctx), trouble) }, 30*time.Second, 5*time.Millisecond)
		stop()
		<-ended
	}
}

func TestAnEngineThatDoesNotAnswerIsAnError(t *testing.T) {
	t.Parallel()
	_, err := scaler.NewDocker(filepath.Join(t.TempDir(), "none")).Containers(t.Context(), "footy", "worker", false)
	require.Error(t, err)
	b := newEngine(t)
	require.ErrorContains(t, scaler.NewDocker(b.socket).Start(t.Context(), scaler.Container{ID: "none", Name: "none"}), "No such container")
}

// hanging is an engine that takes calls and never answers.
func hanging(t *testing.T) string {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "d.sock")
	l, err := new(net.ListenConfig).Listen(t.Context(), "unix", socket)
	require.NoError(t, err)
	end := make(chan struct{})
	srv := &httptest.Server{Listener: l, Config: &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-end })}}
	srv.Start()
	t.Cleanup(func() { close(end); srv.Close() })
	return socket
}

func TestACallThatHangsHasAnEnd(t *testing.T) {
	t.Parallel()
	d := scaler.NewDocker(hanging(t))
	d.Within = 20 * time.Millisecond
	_, err := d.Containers(t.Context(), "footy", scaler.Worker, false)
	require.ErrorContains(t, err, "no answer within 20ms")
	require.ErrorContains(t, d.Stop(t.Context(), scaler.Container{ID: "a", Name: "a"}, 30*time.Millisecond), "no answer within 50ms", "stopping has the grace, too")
}

// TestAScalerWhoseStepHangsIsNotReady: it was ready for ever, since its last step had ended well.
func TestAScalerWhoseStepHangsIsNotReady(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	e.add("footy", "worker", 1, true)
	for name, c := range map[string]struct {
		socket string
		look   func(context.Context) error
	}{
		"the engine hangs":   {hanging(t), func(context.Context) error { return nil }},
		"the database hangs": {e.socket, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := scaler.NewDocker(c.socket)
			d.Within = time.Hour // the step's own deadline is the shorter one
			s := scaler.New(scaler.Options{Docker: d, Project: "footy", Rule: rule.Options{Min: 2, Max: 8, Up: 5, Down: 2, Cooldown: time.Minute}, Every: time.Hour, Within: 20 * time.Millisecond, DryRun: true,
				Log: slog.New(slog.DiscardHandler), Now: time.Now, Look: func(ctx context.Context) (rule.Seen, error) { return rule.Seen{}, c.look(ctx) }})
			ctx, stop := context.WithCancel(t.Context())
			var run sync.WaitGroup
			defer run.Wait()
			defer stop()
			run.Go(func() { s.Run(ctx) })
			require.Eventually(t, func() bool {
				err := s.Ready(ctx)
				return err != nil && strings.Contains(err.Error(), "20ms")
			}, time.Minute, 5*time.Millisecond)
		})
	}
}
