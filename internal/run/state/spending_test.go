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
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/xapi"
	"github.com/found-footy/found-footy/internal/connect/source/x/xapi/bill"
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
	now := time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)
	purse := func(limit bill.Money) bill.Purse {
		return bill.Purse{Ledger: state.Spending{Store: openedStore(t, path)}, Cap: limit, Now: func() time.Time { return now }}
	}
	one, other := purse(20), purse(20)
	begin := func(p bill.Purse, most bill.Money) (bill.Call, bool) {
		call, stop, err := p.Begin(t.Context(), most)
		require.NoError(t, err)
		return call, stop == nil
	}
	spent := func() bill.Money {
		n, _, err := one.State(t.Context(), 0)
		require.NoError(t, err)
		return n
	}
	_, ok := begin(one, 10)
	require.True(t, ok)
	late, ok := begin(other, 10)
	require.True(t, ok)
	_, ok = begin(one, 1)
	require.False(t, ok)
	require.Equal(t, bill.Money(20), spent())
	_, ok = begin(purse(-1), 100)
	require.True(t, ok)
	now = now.Add(24 * time.Hour)
	_, ok = begin(other, 3)
	require.True(t, ok, "a new day is a new purse")
	require.NoError(t, late.End(t.Context(), 6), "an answer that comes after midnight")
	require.Equal(t, bill.Money(3), spent())
	now = now.Add(-24 * time.Hour)
	require.Equal(t, bill.Money(116), spent())
	for range 3 {
		now = now.Add(24 * time.Hour)
		_, ok = begin(one, 1)
		require.True(t, ok)
	}
	now = now.Add(-72 * time.Hour)
	require.Zero(t, spent(), "old days are forgotten")

	nobody := bill.Purse{Ledger: state.Spending{}, Cap: 20, Now: time.Now}
	_, _, err := nobody.Begin(t.Context(), 1)
	require.Error(t, err, "without a database nothing may be spent")
	_, _, err = nobody.State(t.Context(), 1)
	require.Error(t, err)
}

const (
	aDollar  = 1000            // in its thousandths
	aSearch  = 10              // posts, at most
	atMost   = aSearch * 5 * 5 // thousandths: a post has up to four videos
	searches = 400             // a process tries until it is told to stop
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
		paid.Add(n*5 + n*5 + 10)
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
	spending := bill.Purse{Ledger: state.Spending{Store: openedStore(t, path)}, Now: time.Now}
	require.Eventually(t, func() bool {
		n, _, err := spending.State(ctx, 0)
		return err == nil && n > aDollar-atMost
	}, time.Minute, 20*time.Millisecond)
	stop()
	wg.Wait()
	t.Logf("%d thousandths of a dollar paid in %d searches, %d processes killed", paid.Load(), calls.Load(), killed.Load())
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
		fmt.Fprintf(w, `{"id":"19%017d","text":"goal","created_at":"2026-11-14T15:00:00.000Z"}`, i)
	}
	media := strings.TrimSuffix(strings.Repeat("{},", int(n)), ",")
	fmt.Fprintf(w, `],"includes":{"users":[{"id":"7","username":"fan"}],"media":[%s]},"meta":{"result_count":%d}}`, media, n)
}

// What was spent is not known any more: nothing more may be spent that day.
func TestABookThatCannotBeReadCountsAsSpentUntilTomorrow(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "{", "{}", "null", `{"value":7}`, `{"value":null}`, `{"value":{"days":"many"}}`} {
		path := filepath.Join(t.TempDir(), "footy.db")
		db, err := sqlite.Open(path)
		require.NoError(t, err)
		require.NoError(t, db.Upsert(t.Context(), store.ServiceState, []store.Doc{{ID: state.SpentOnSearches, Body: []byte(body)}}))
		require.NoError(t, db.Close())
		s, now := openedStore(t, path), time.Now().UTC()
		purse := func(limit bill.Money) bill.Purse {
			return bill.Purse{Ledger: state.Spending{Store: s}, Cap: limit, Now: func() time.Time { return now }}
		}
		for range 2 {
			_, stop, err := purse(20).Begin(t.Context(), 1)
			require.NoError(t, err, body)
			require.NotNil(t, stop, body)
			require.True(t, stop.Until.After(now))
		}
		require.True(t, store.HasDamage(s, store.ServiceState, state.SpentOnSearches), "it is told")
		_, stop, err := purse(-1).Begin(t.Context(), 1)
		require.NoError(t, err)
		require.Nil(t, stop, "without a limit nothing is counted")
		now = now.Add(24 * time.Hour)
		_, stop, err = purse(20).Begin(t.Context(), 20)
		require.NoError(t, err)
		require.Nil(t, stop, "it is another day")
		_, stop, err = purse(20).Begin(t.Context(), 1)
		require.NoError(t, err)
		require.NotNil(t, stop)
	}
}
