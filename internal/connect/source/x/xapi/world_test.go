package xapi_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/xapi"
	"github.com/found-footy/found-footy/internal/connect/source/x/xapi/bill"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestTheBookAgreesWithTheBillOfX: what the simulated X bills is what was counted, and no more than the cap, whoever searches at once.
func TestTheBookAgreesWithTheBillOfX(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	begun := fmt.Sprintf(`{"start":%q,"scale":30,"polls":{},"listed":{}}`, time.Now().Add(-time.Hour).UTC().Format(time.RFC3339Nano))
	require.NoError(t, os.WriteFile(filepath.Join(state, "world.json"), []byte(begun), 0o600))
	w, err := world.New(world.Options{ClipDir: t.TempDir(), StateDir: state})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	now, ledger := time.Now(), newMemory()
	src := xapi.New(xapi.Options{URL: w.URL() + "/x-api", BearerToken: "sesame", DailyCap: 1, Ledger: ledger, Now: func() time.Time { return now }}, httpx.New(httpx.Options{}))
	search := func() source.Result {
		r, err := src.Search(t.Context(), source.Query{Text: "goal OR Salah OR Celtic", Max: 20})
		require.NoError(t, err)
		return r
	}
	fault := func(name string, seconds int) {
		resp, err := devtest.Client.Post(w.ControlURL()+"/control/fault", "application/json", strings.NewReader(fmt.Sprintf(`{"fault":%q,"for_s":%d}`, name, seconds)))
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Less(t, resp.StatusCode, 300)
	}

	for name, want := range map[string]source.State{"x_no_credits": footy.SearchNoCredits, "x_monthly_cap": footy.SearchMonthlyCap} {
		before := w.Bill()
		fault(name, 600)
		require.Equal(t, want, search().State)
		require.Equal(t, before, w.Bill())
		fault(name, 0)
		now = now.Add(bill.AskAgain)
		r := search()
		require.Equal(t, source.StateResults, r.State, r.Detail)
		require.NotEmpty(t, r.Candidates)
		require.NotZero(t, r.Candidates[0].DurationMS)
	}
	var wg sync.WaitGroup
	for range 12 {
		wg.Go(func() {
			for range 4 {
				_, _ = src.Search(t.Context(), source.Query{Text: "goal OR Salah OR Celtic", Max: 20})
			}
		})
	}
	wg.Wait()
	require.Equal(t, footy.SearchDayCap, search().State)
	billed := w.Bill()
	require.InDelta(t, billed.Dollars, float64(spent(t, ledger, now))/1000, 1e-9)
	require.LessOrEqual(t, billed.Dollars, 1.0)
	require.NotZero(t, billed.Items["media_read"])
	require.Zero(t, billed.Items["user_read"], "authors are not needed")
}
