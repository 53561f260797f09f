package budgets_test

import (
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/tools/devtest"
)

// What a cycle may take that has nothing to do, beside a season of matches that are over.
const (
	IdleBytes      = 400_000 // that the engine writes
	IdleReads      = 0       // documents of ours that are decoded in lists
	IdleActivities = 1
)

var idles = flag.Duration("idle", 10*time.Minute, "how long BenchmarkIdle idles at each pace")

// season is the product on an engine of its own, with 500 matches that are over and today's list.
func season(t testing.TB) (r *Rig, feed *Feed, engine int) {
	t.Helper()
	at := devtest.Start(t, "temporal", "--db", filepath.Join(t.TempDir(), "engine.db"), "--ui-port", "-1")
	if _, err := written(at.PID); err != nil {
		t.Skip("this system does not say what a process writes")
	}
	feed = NewFeed()
	srv := httptest.NewServer(feed)
	t.Cleanup(srv.Close)
	r, err := Start(t.Context(), Options{Temporal: at.Address, Dir: t.TempDir(), Set: map[string]string{"API_FOOTBALL_URL": srv.URL, "API_FOOTBALL_KEY": "bench"}})
	require.NoError(t, err)
	t.Cleanup(r.Stop)
	require.NoError(t, r.Seed(t.Context(), feed, 0))
	for n := range 500 {
		id := int64(1 + n)
		require.NoError(t, r.App.Store.Add(t.Context(), footy.Fixture{ID: id, Stage: footy.StageCompleted,
			Events: []footy.Event{{UID: fmt.Sprint(n), ID: fmt.Sprint(n), CertainAt: time.Now(), DownloadComplete: true}},
			Match:  footy.Match{ID: id, Kickoff: time.Now().Add(-time.Duration(26+n/2) * time.Hour), Status: footy.Status{Code: "FT"}}}))
	}
	return r, feed, at.PID
}

func TestAnIdleCycleStaysInItsBudget(t *testing.T) {
	r, feed, engine := season(t)
	b := &bodies{Backend: r.Writes.Backend}
	r.Writes.Backend = b
	cycle := func(n int) Cycle {
		c, err := r.Cycle(t.Context(), feed, fmt.Sprint("idle-", n), 0)
		require.NoError(t, err)
		return c
	}
	cycle(0) // sweeps, which is due every quarter of an hour
	before, err := written(engine)
	require.NoError(t, err)
	b.read.Store(0)
	const cycles = 20
	for n := range cycles {
		require.LessOrEqual(t, cycle(n+1).Cost.Activities, IdleActivities)
	}
	after, err := written(engine)
	require.NoError(t, err)
	each := (after - before) / cycles
	t.Logf("an idle cycle: the engine writes %d bytes, %d documents are read", each, b.read.Load()/cycles)
	require.LessOrEqual(t, each, int64(IdleBytes))
	require.LessOrEqual(t, b.read.Load(), int64(IdleReads*cycles))
}

// BenchmarkIdle says what idling takes at each pace of cycles: go test ./bench/budgets -run '^$' -bench Idle -idle 10m -timeout 30m.
func BenchmarkIdle(b *testing.B) {
	for _, pace := range []time.Duration{30 * time.Second, lifecycle.Defaults().IdlePoll} {
		b.Run(pace.String(), func(b *testing.B) {
			r, _, engine := season(b)
			_, err := pipeline.Schedules{Monitor: pace, Canary: 6 * time.Hour, Timing: policy.Defaults()}.Ensure(b.Context(), r.Client, time.Now())
			require.NoError(b, err)
			a := r.App
			look := check.New(check.Options{Config: a.Config, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source, Temporal: r.Client, Log: a.Log})
			go look.Watch(b.Context())
			<-time.After(30 * time.Second) // what a start writes is no idling
			var bytes, own int64
			var cpu time.Duration
			both := func() (engines, ours int64) {
				engines, err := written(engine)
				require.NoError(b, err)
				ours, err = written(os.Getpid())
				require.NoError(b, err)
				return engines, ours
			}
			for b.Loop() {
				wrote, ours := both()
				used := burnt(b, engine)
				<-time.After(*idles)
				now, oursNow := both()
				bytes, own, cpu = bytes+now-wrote, own+oursNow-ours, cpu+burnt(b, engine)-used
			}
			share := float64(24*time.Hour) / float64(*idles) / float64(b.N)
			b.ReportMetric(float64(bytes)*share/1e9, "GB/day")
			b.ReportMetric(float64(own)*share/1e9, "own-GB/day")
			b.ReportMetric(100*cpu.Seconds()/(idles.Seconds()*float64(b.N)), "%core")
		})
	}
}

// written is how many bytes a process has had written to disk since it began.
func written(pid int) (int64, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(b), "\nwrite_bytes: ")
	line, _, _ := strings.Cut(rest, "\n")
	return strconv.ParseInt(line, 10, 64)
}

// burnt is the processor time of this process and of the engine.
func burnt(t testing.TB, engine int) time.Duration {
	t.Helper()
	var nanos int64
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", engine))
	require.NoError(t, err)
	for _, task := range tasks {
		if b, err := os.ReadFile(task); err == nil { // a thread may have ended
			ran, _, _ := strings.Cut(string(b), " ")
			n, err := strconv.ParseInt(ran, 10, 64)
			require.NoError(t, err)
			nanos += n
		}
	}
	var own syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &own))
	return time.Duration(nanos) + time.Duration(own.Utime.Nano()+own.Stime.Nano())
}
