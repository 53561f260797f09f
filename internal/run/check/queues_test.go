package check_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/xapi/bill"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/health"
)

func TestAWorkerServesTheQueuesThatItCan(t *testing.T) {
	t.Parallel()
	const noModel, noAccount = "LLAMA_URL is not set: only where another worker has a model, or PROOF=clock, is a clip judged", "footy browser takes searches, with the account of X that it has"
	for name, tc := range map[string]struct {
		set  map[string]string
		want map[string]string
	}{
		"with an engine of its own nobody else does it": {nil, map[string]string{}},
		"it leaves what it cannot do to others": {map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:7233"},
			map[string]string{policy.QueueVision: noModel, policy.QueueSearch: noAccount}},
		"a model":                     {map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:7233", "LLAMA_URL": "http://127.0.0.1:1"}, map[string]string{policy.QueueSearch: noAccount}},
		"no model, and none is asked": {map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:7233", "PROOF": "clock"}, map[string]string{policy.QueueSearch: noAccount}},
		"a search service": {map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:7233", "TWITTER_SERVICE_URL": "http://127.0.0.1:1"},
			map[string]string{policy.QueueVision: noModel}},
		"a token":                           {map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:7233", "X_BEARER_TOKEN": "sesame"}, map[string]string{policy.QueueVision: noModel}},
		"a service that SOURCES leaves out": {map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:7233", "LLAMA_URL": "http://127.0.0.1:1", "SOURCES": "xapi", "X_BEARER_TOKEN": "sesame"}, map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := opened(t, parsed(t, tc.set))
			c := check.New(check.Options{Config: a.Config, Source: a.Source, Reader: a.Reader})
			require.Equal(t, tc.want, c.Unserved())
		})
	}
}

func TestDoctorNamesTheQueues(t *testing.T) {
	t.Parallel()
	for _, f := range app.Doctor(t.Context(), parsed(t, map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:1", "X_BEARER_TOKEN": "sesame"}), "test") {
		if f.Name == "worker queues" {
			require.Equal(t, health.StateOK, f.State)
			require.Equal(t, "footy worker takes found-footy, found-footy-search, found-footy-media; it leaves to others found-footy-vision (LLAMA_URL is not set: only where another worker has a model, or PROOF=clock, is a clip judged); footy browser takes found-footy-search, 2 at once while its account can search", f.Reason)
			return
		}
	}
	require.Fail(t, "doctor says nothing of the queues")
}

// TestBrowsersOfTheQueueAreTheSearch: a page without an account must not say that nobody is logged in while browsers elsewhere search.
func TestBrowsersOfTheQueueAreTheSearch(t *testing.T) {
	t.Parallel()
	a := opened(t, parsed(t, map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:1"}))
	c := check.New(check.Options{Config: a.Config, Store: a.Store, Source: a.Source, Follows: a.Follows})
	search := func() health.Part { return c.Search(t.Context()) }
	put := func(waits source.State, login source.Login) {
		all := source.Searchers{}.Put(source.Searcher{Name: "one :8888", At: time.Now(), Tabs: 2,
			Health: source.Health{Ready: true, Login: source.LoginOK, Account: "ada", BudgetLeft: 12, BudgetLimit: 40}})
		all = all.Put(source.Searcher{Name: "two :8888", At: time.Now(), Tabs: 2, Waits: waits,
			Health: source.Health{Ready: waits == "", Login: login, Account: "bob", BudgetLeft: 40, BudgetLimit: 40, Detail: "log in again"}})
		require.NoError(t, a.Store.PutState(t.Context(), source.SearchersKey, all))
	}
	put("", source.LoginOK)
	require.Equal(t, health.StateOK, search().State)
	require.Equal(t, "ada", search().Facts["account"])
	require.Equal(t, "bob: ok, 40 of 40 calls left", search().Facts["more_accounts"])
	put(source.StateLoginRequired, source.LoginExpired)
	require.Equal(t, health.StateDegraded, search().State, "the other goes on")
	require.Contains(t, search().Reason, "X wants a login")
	require.NoError(t, a.Store.PutState(t.Context(), source.SearchersKey, source.Searchers{}))
	require.Equal(t, health.StateMissing, search().State)
}

// TestAWantOfMoneyIsToldWithItsRemedy: also by a process that made no search.
func TestAWantOfMoneyIsToldWithItsRemedy(t *testing.T) {
	t.Parallel()
	for why, says := range map[source.State][2]string{
		footy.SearchNoCredits:  {"X's paid API has no credits left", "Add credits"},
		footy.SearchMonthlyCap: {"the monthly cap of X's paid API is spent", "Raise the monthly cap"},
	} {
		a := opened(t, parsed(t, map[string]string{"SOURCES": "xapi", "X_BEARER_TOKEN": "sesame"}))
		purse := bill.Purse{Ledger: state.Spending{Store: a.Store}, Cap: bill.Dollars(5), Now: time.Now}
		call, _, err := purse.Begin(t.Context(), bill.PostRead)
		require.NoError(t, err)
		require.NoError(t, call.Refused(t.Context(), why))
		p := check.New(check.Options{Config: a.Config, Store: a.Store, Source: a.Source, Follows: a.Follows}).Search(t.Context())
		require.Equal(t, health.StateDown, p.State)
		require.Contains(t, p.Reason, says[0])
		require.Contains(t, p.Remedy, says[1])
		require.Equal(t, "$0.00 of the day's $5.00 spent", p.Facts["paid_api"])
	}
}
