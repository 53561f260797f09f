package limit_test

import (
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/limit"
)

// builder is a guarded page that is built anew for each request; to build it takes as long as took says of the clock.
func builder(t *testing.T, took func(s *setup)) *setup {
	t.Helper()
	s := newSetup(t, nil)
	s.handler = s.limits.Guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := s.limits.Work(r.Context(), func() error {
			took(s)
			return nil
		})
		if err != nil {
			no, _ := answer.ErrorOf(err)
			w.WriteHeader(no.Status)
		}
	}))
	return s
}

// TestWhatIsBuiltIsCountedByItsTime: pages that take 84 ms cost one address eight cores, since each counted as one request.
func TestWhatIsBuiltIsCountedByItsTime(t *testing.T) {
	t.Parallel()
	const page = 84 * time.Millisecond
	s, built := builder(t, func(s *setup) { s.pass(page) }), 0
	for range 1000 {
		if s.get("192.0.2.1", "/day/2026-11-14") == http.StatusOK {
			built++
		}
		s.pass(page / 8) // eight at once, all the time
	}
	b := limit.Defaults()
	lasted := time.Duration(built)*page + 1000*page/8
	allowed := time.Duration(b.Burst)*100*time.Microsecond + time.Duration(b.PerSecond*lasted.Seconds())*100*time.Microsecond
	require.Less(t, time.Duration(built)*page, allowed+page)
	require.Greater(t, built, 40, "what is allowed is given")
	require.Equal(t, http.StatusOK, s.get("192.0.2.2", "/day/2026-11-14"), "another address is another matter")
	require.Equal(t, http.StatusOK, s.get("192.0.2.1", "/day/2026-11-14", "Cookie", "session"))
}

// TestThreeHundredAddressesBuildFewAtOnce: each keeps its limits, and all together take some cores.
func TestThreeHundredAddressesBuildFewAtOnce(t *testing.T) {
	t.Parallel()
	var now, most, done atomic.Int64
	s := builder(t, func(*setup) {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		runtime.Gosched()
		now.Add(-1)
		done.Add(1)
	})
	var group sync.WaitGroup
	for i := range 300 {
		group.Go(func() {
			for j := range 4 {
				s.get(fmt.Sprintf("10.1.%d.%d", i/250, i%250), fmt.Sprint("/day/", j))
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 1200, done.Load(), "all are served")
	require.LessOrEqual(t, most.Load(), int64(max(2, runtime.GOMAXPROCS(0)/2)))
}

func TestPicturesCostLittleAndPagesMore(t *testing.T) {
	t.Parallel()
	served := func(path string) (n int) {
		s := newSetup(t, func(o *limit.Options) { o.Bounds.Burst = 400 })
		for s.get("192.0.2.1", path) == http.StatusOK {
			n++
		}
		return n
	}
	pictures, page, goal, search := served("/logo/team/40"), served("/day/2026-11-14"), served("/g/1"), served("/api/v1/search?q=a")
	require.Equal(t, 400, pictures)
	require.Greater(t, pictures, page)
	require.Greater(t, page, goal)
	require.Greater(t, goal, search)
	require.Equal(t, search, served("/api/v1/fixtures?q=a"), "that is a search, too")
}
