package state_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/xapi"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/run/state"
)

func openedStore(t *testing.T, path string) store.Store {
	t.Helper()
	db, err := sqlite.Open(path)
	require.NoError(t, err)
	s := store.New(db)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func TestSpending(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	one, other := state.Spending{Store: openedStore(t, path)}, state.Spending{Store: openedStore(t, path)}
	reserve := func(s state.Spending, day string, posts, limit int) bool {
		ok, err := s.Reserve(t.Context(), day, posts, limit)
		require.NoError(t, err)
		return ok
	}
	posts := func(day string) int {
		n, err := one.Posts(t.Context(), day)
		require.NoError(t, err)
		return n
	}
	require.True(t, reserve(one, "2026-11-14", 10, 20))
	require.True(t, reserve(other, "2026-11-14", 10, 20))
	require.False(t, reserve(one, "2026-11-14", 1, 20))
	require.Equal(t, 20, posts("2026-11-14"))
	require.NoError(t, other.Return(t.Context(), "2026-11-14", 4))
	require.True(t, reserve(one, "2026-11-14", 4, 20))
	require.True(t, reserve(one, "2026-11-14", 100, -1))
	require.True(t, reserve(other, "2026-11-15", 3, 20), "a new day is a new purse")
	require.NoError(t, one.Return(t.Context(), "2026-11-14", 100), "an answer that comes after midnight")
	require.Equal(t, 20, posts("2026-11-14"))
	require.Equal(t, 3, posts("2026-11-15"))
	require.True(t, reserve(one, "2026-11-16", 1, 20))
	require.True(t, reserve(one, "2026-11-17", 1, 20))
	require.Zero(t, posts("2026-11-14"), "old days are forgotten")

	_, err := state.Spending{}.Reserve(t.Context(), "2026-11-14", 1, 20)
	require.Error(t, err, "without a database nothing may be spent")
	_, err = state.Spending{}.Posts(t.Context(), "2026-11-14")
	require.Error(t, err)
}

const (
	aDollar  = 200 // posts
	aSearch  = 10  // posts, at most
	searches = 400 // a process tries until it is told to stop
)

// TestSpender is a process that searches: TestFourProcessesNeverSpendMoreThanTheCap starts it, alone it does nothing.
func TestSpender(t *testing.T) {
	t.Parallel()
	if flag.NArg() != 2 {
		return
	}
	src := xapi.New(xapi.Options{URL: flag.Arg(1), BearerToken: "sesame", DailyCap: 1,
		Ledger: state.Spending{Store: openedStore(t, flag.Arg(0))}}, http.DefaultClient)
	for range searches {
		if _, err := src.Search(t.Context(), source.Query{Text: "saka", Max: aSearch}); err != nil {
			t.Log(err)
		}
	}
}

func TestFourProcessesNeverSpendMoreThanTheCap(t *testing.T) {
	t.Parallel()
	var paid, calls atomic.Int64
	asked := make(chan struct{}, 1)
	x := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := rand.N(int64(aSearch + 1))
		paid.Add(n)
		calls.Add(1)
		select {
		case asked <- struct{}{}:
		default:
		}
		answer(w, n)
	}))
	t.Cleanup(x.Close)
	path := filepath.Join(t.TempDir(), "footy.db")
	openedStore(t, path)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var wg sync.WaitGroup
	var killed atomic.Int64
	for range 4 {
		wg.Go(func() {
			for ctx.Err() == nil {
				life, kill := context.WithCancel(ctx)
				p := exec.CommandContext(life, os.Args[0], "-test.run=^TestSpender$", "--", path, x.URL)
				if p.Start() != nil {
					kill()
					return
				}
				go func() { // at any moment: some while after a search
					select {
					case <-asked:
						time.AfterFunc(rand.N(20*time.Millisecond), kill)
					case <-life.Done():
					}
				}()
				_ = p.Wait()
				if life.Err() != nil {
					killed.Add(1)
				}
				kill()
			}
		})
	}
	// Each kill may cost what one search had set aside; in the end all of it is spent or set aside.
	spending := state.Spending{Store: openedStore(t, path)}
	require.Eventually(t, func() bool {
		n, err := spending.Posts(ctx, time.Now().UTC().Format(time.DateOnly))
		return err == nil && n > aDollar-aSearch
	}, time.Minute, 20*time.Millisecond)
	stop()
	wg.Wait()
	t.Logf("%d posts paid for in %d searches, %d processes killed", paid.Load(), calls.Load(), killed.Load())
	require.LessOrEqual(t, paid.Load(), int64(aDollar))
	require.NotZero(t, killed.Load())
}

// answer writes n posts as the API does.
func answer(w http.ResponseWriter, n int64) {
	fmt.Fprint(w, `{"data":[`)
	for i := range n {
		if i > 0 {
			fmt.Fprint(w, ",")
		}
		fmt.Fprintf(w, `{"id":"19%017d","text":"goal","author_id":"7","created_at":"2026-11-14T15:00:00.000Z"}`, i)
	}
	fmt.Fprintf(w, `],"includes":{"users":[{"id":"7","username":"fan"}]},"meta":{"result_count":%d}}`, n)
}
