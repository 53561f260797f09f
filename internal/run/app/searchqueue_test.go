package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
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

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/xweb"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/run/xaccount"
	"github.com/found-footy/found-footy/internal/world/serve/xsite"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
)

// shop is a Temporal with a worker or more that have no account of X, and one match whose goals are searched for.
type shop struct {
	t     *testing.T
	base  map[string]string // settings that all have
	store store.Store
	c     client.Client
	goals int
}

const oneMatch = 4711

// openShop starts workers that have no account.
func openShop(t *testing.T, workers int) *shop {
	t.Helper()
	at := devtest.Start(t, "temporal", "--db", filepath.Join(t.TempDir(), "temporal.db"), "--ui-port", "-1").Address
	s := &shop{t: t, base: map[string]string{"SOURCES": "xweb,xapi", "FEED": "api-football", "TEMPORAL_ADDRESS": at, "STATE_DIR": t.TempDir(), "TIME_SCALE": "30", "WIKIDATA_URL": "http://127.0.0.1:1",
		"BROWSER_TABS": "2"}}
	for range workers {
		a, err := app.New(t.Context(), s.settings(nil), slog.New(slog.DiscardHandler), "test")
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		ready, ended := make(chan client.Client, 1), make(chan error, 1)
		go func() {
			ended <- a.Run(ctx, app.Roles{Worker: true, Ready: func(r app.Ready) { ready <- r.Client }})
		}()
		t.Cleanup(func() {
			cancel()
			<-ended
			_ = a.Close()
		})
		select {
		case <-ready:
		case err := <-ended:
			require.NoError(t, err)
		}
		s.store = a.Store
	}
	var err error
	s.c, err = engine.Dial(t.Context(), s.settings(nil).Engine, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(s.c.Close)
	s.stock()
	return s
}

// stock stores the match.
func (s *shop) stock() {
	s.t.Helper()
	require.NoError(s.t, s.store.PutAliases(s.t.Context(), footy.TeamAliases{TeamID: 40, Team: "Northgate", UpdatedAt: time.Now()}))
	require.NoError(s.t, s.store.Add(s.t.Context(), footy.Fixture{ID: oneMatch, Stage: footy.StageCompleted, Match: footy.Match{ID: oneMatch, Kickoff: time.Now()},
		Teams: footy.Teams{Home: footy.Team{ID: 40, Name: "Northgate"}, Away: footy.Team{ID: 41, Name: "Seaford"}}}))
}

func (s *shop) settings(more map[string]string) config.Config {
	all := map[string]string{}
	for _, m := range []map[string]string{s.base, more} {
		for k, v := range m {
			all[k] = v
		}
	}
	c, err := config.Parse(all)
	require.NoError(s.t, err)
	return c
}

// score makes n goals certain, each with one search to come; it returns a wait for the end of their searches.
func (s *shop) score(n int) (await func()) {
	s.t.Helper()
	timing := policy.Defaults().Scaled(30)
	timing.Searches, timing.Window = 1, time.Hour
	now := time.Now()
	var runs []client.WorkflowRun
	for range n {
		s.goals++
		uid := fmt.Sprintf("%d-%d", oneMatch, s.goals)
		_, err := s.store.Update(s.t.Context(), oneMatch, func(f *footy.Fixture) ([]footy.Entry, error) {
			f.Events = append(f.Events, footy.Event{UID: uid, ID: fmt.Sprintf("%d_40_%d_Goal_1", oneMatch, s.goals), Kind: footy.KindGoal, FirstSeen: now, CertainAt: now,
				Round: footy.Round{Number: 1, OpenedAt: now, EventID: uid}, Team: f.Teams.Home, Player: footy.Person{ID: int64(s.goals), Name: fmt.Sprintf("Scorer%c", 'A'+s.goals)}})
			return nil, nil
		})
		require.NoError(s.t, err)
		run, err := s.c.ExecuteWorkflow(s.t.Context(), client.StartWorkflowOptions{ID: "twitter-" + uid, TaskQueue: policy.QueueMain}, search.Workflow.Name(),
			search.Input{FixtureID: oneMatch, EventUID: uid, Timing: timing})
		require.NoError(s.t, err)
		runs = append(runs, run)
	}
	return func() {
		s.t.Helper()
		ctx, cancel := context.WithTimeout(s.t.Context(), 3*time.Minute)
		defer cancel()
		for _, run := range runs {
			var out search.Output
			require.NoError(s.t, run.Get(ctx, &out))
			require.Positive(s.t, out.Registered, run.GetID()) // a slow machine may search again before the first search is registered
			require.Empty(s.t, out.End, run.GetID())
		}
	}
}

// answered is how many searches were.
func (s *shop) answered() (n int) {
	rows, err := s.store.Entries(s.t.Context(), store.LogQuery{FixtureID: oneMatch})
	require.NoError(s.t, err)
	for _, r := range rows {
		if r.Kind == footy.EntryQuery && r.Data.Looked() {
			n++
		}
	}
	return n
}

// unusable are the searches that were no answer, of all goals.
func (s *shop) unusable() (out []footy.SearchState) {
	rows, err := s.store.Entries(s.t.Context(), store.LogQuery{FixtureID: oneMatch})
	require.NoError(s.t, err)
	for _, r := range rows {
		if r.Kind == footy.EntryQuery && !r.Data.Looked() {
			out = append(out, r.Data.State)
		}
	}
	return out
}

// account is an account of X with footy browser, each with an X of its own, so that its searches can be told apart.
type account struct {
	t    *testing.T
	site *xsite.Site
	set  map[string]string
	url  string
	log  lines
	over atomic.Bool // it ended

	mu   sync.Mutex
	now  int
	most int // searches at once
}

// lines is what a process says.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// account makes one; hold, if not nil, is called by each search before it is answered.
func (s *shop) account(session string, set map[string]string, hold func()) *account {
	s.t.Helper()
	a := &account{t: s.t}
	a.site = xsite.New(xsite.Options{Prefix: "/x", Sessions: []string{"fan"}, Search: func(string) []xsite.Post {
		a.mu.Lock()
		a.now++
		a.most = max(a.most, a.now)
		a.mu.Unlock()
		if hold != nil {
			hold()
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		a.now--
		return nil
	}})
	srv := httptest.NewServer(a.site)
	s.t.Cleanup(srv.Close)
	l := devtest.FreeAddr(s.t)
	a.set = map[string]string{"X_URL": srv.URL + "/x", "BROWSER_DIR": s.t.TempDir(), "BROWSER_ADDR": l, "CHROMIUM": devtest.Chromium(s.t)}
	for k, v := range set {
		a.set[k] = v
	}
	a.url = "http://" + l
	if session != "" {
		_, err := browser.ImportCookies(cookies(s.t, session), xaccount.ServiceOptions(s.settings(a.set), slog.New(slog.DiscardHandler)))
		require.NoError(s.t, err)
	}
	return a
}

func cookies(t *testing.T, session string) []byte {
	t.Helper()
	until := time.Now().AddDate(1, 0, 0).Unix()
	raw, err := json.Marshal([]map[string]any{
		{"name": "auth_token", "value": session, "domain": "127.0.0.1", "path": "/", "httpOnly": true, "expirationDate": until},
		{"name": "ct0", "value": xsite.CSRF(session), "domain": "127.0.0.1", "path": "/", "expirationDate": until},
	})
	require.NoError(t, err)
	return raw
}

// run runs footy browser until the test ends, and waits until it takes searches.
func (a *account) run(s *shop) {
	a.t.Helper()
	a.start(s)
	a.await("takes searches of found-footy-search, 2 at once")
}

// start runs footy browser until the test ends.
func (a *account) start(s *shop) {
	a.t.Helper()
	ctx, cancel := context.WithCancel(a.t.Context())
	ended := make(chan error, 1)
	go func() {
		err := app.RunBrowser(ctx, s.settings(a.set), slog.New(slog.NewTextHandler(&a.log, nil)), "test", nil)
		_, _ = fmt.Fprintln(&a.log, "ended:", err)
		a.over.Store(true)
		ended <- err
	}()
	a.t.Cleanup(func() {
		cancel()
		require.NoError(a.t, <-ended)
	})
}

// await waits for a line of the log.
func (a *account) await(line string) {
	a.t.Helper()
	require.Eventually(a.t, func() bool { return a.over.Load() || strings.Contains(a.log.String(), line) }, time.Minute, 50*time.Millisecond, "%s", line)
	require.Contains(a.t, a.log.String(), line)
}

func (a *account) client() *xweb.Source {
	return xweb.New(xweb.Options{URL: a.url}, http.DefaultClient)
}

// TestAccountsShareTheSearchesThroughTheQueue: three workers must not make six searches on the two tabs of one browser, nor
// count a wait as a search that failed.
func TestAccountsShareTheSearchesThroughTheQueue(t *testing.T) {
	t.Parallel()
	s := openShop(t, 3)
	var both sync.WaitGroup
	both.Add(2)
	once := func() func() {
		var first sync.Once
		return func() {
			first.Do(both.Done)
			both.Wait() // nobody gets an answer before each account has a search
		}
	}
	accounts := []*account{s.account("fan", nil, once()), s.account("fan", nil, once())}
	for _, a := range accounts {
		a.run(s)
	}
	s.score(12)()
	require.Empty(t, s.unusable())
	calls := 0
	for _, a := range accounts {
		calls += len(a.site.Calls())
		require.LessOrEqual(t, a.most, 2, "no more at once than tabs")
	}
	require.GreaterOrEqual(t, calls, 12)
}

func TestAnAccountWithoutBudgetLeavesTheSearchesToAnother(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	spent, other := s.account("fan", map[string]string{"X_BUDGET": "1", "TIME_SCALE": "1"}, nil), s.account("fan", nil, nil)
	spent.run(s)
	// A program spends the one call before there is anything to take.
	require.Eventually(t, func() bool {
		res, err := spent.client().Search(t.Context(), source.Query{Text: "goal"})
		return err == nil && res.State == source.StateEmpty
	}, time.Minute, 50*time.Millisecond)
	require.Len(t, spent.site.Calls(), 1)
	other.run(s)
	s.score(6)()
	require.Empty(t, s.unusable())
	require.Len(t, spent.site.Calls(), 1)
	require.GreaterOrEqual(t, len(other.site.Calls()), 6)
}

func TestSearchesWaitInTheQueueForALogin(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	a := s.account("", nil, nil)
	a.run(s)
	await := s.score(2)
	require.Eventually(t, func() bool {
		h, err := a.client().Health(t.Context())
		return err == nil && h.Login == source.LoginMissing
	}, time.Minute, 50*time.Millisecond)
	a.await("takes no searches: X wants a login") // it looks now and then: a login that comes first is all it sees
	_, err := a.client().Authenticate(t.Context(), cookies(t, "fan"))
	require.NoError(t, err)
	await()
	require.Empty(t, s.unusable(), "nobody tried in vain")
	a.await("takes searches: logged in to X")
	var all source.Searchers
	require.NoError(t, s.store.State(t.Context(), source.SearchersKey, &all))
	present := all.Present(time.Now())
	require.Len(t, present, 1)
	require.Empty(t, present[0].Waits)
	require.Equal(t, xsite.User, present[0].Health.Account)
}

// TestABrowserSaysThatItWaitsForItsEngine: its search service is there meanwhile.
func TestABrowserSaysThatItWaitsForItsEngine(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	temporal := s.base["TEMPORAL_ADDRESS"]
	s.base["TEMPORAL_ADDRESS"], s.base["METRICS_ADDR"] = devtest.FreeAddr(t), devtest.FreeAddr(t)
	a := s.account("fan", nil, nil)
	a.start(s)
	a.await("takes no searches from found-footy-search yet: connect to Temporal: nothing answers as Temporal at TEMPORAL_ADDRESS=" + s.base["TEMPORAL_ADDRESS"])
	require.Equal(t, "takes no searches from the queue: database or workflow engine unavailable\n", readyz(s.base["METRICS_ADDR"]))
	require.Eventually(t, func() bool { h, err := a.client().Health(t.Context()); return err == nil && h.Ready }, time.Minute, 50*time.Millisecond)
	cableAt(t, s.base["TEMPORAL_ADDRESS"], temporal)
	a.await("takes searches of found-footy-search")
	require.Eventually(t, func() bool { return readyz(s.base["METRICS_ADDR"]) == "ready\n" }, time.Minute, 50*time.Millisecond)
	require.Equal(t, 1, strings.Count(a.log.String(), "takes no searches from found-footy-search yet"))
}

// TestABrowserThatIsKilledLosesNoSearch kills a process in the middle of its searches.
func TestABrowserThatIsKilledLosesNoSearch(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	begun := make(chan struct{}, 10)
	dies := s.account("fan", nil, func() {
		begun <- struct{}{}
		<-t.Context().Done() // it never answers
	})
	cmd := exec.CommandContext(t.Context(), self(t), "-test.run=^TestABrowserOfItsOwn$")
	cmd.Env = append(os.Environ(), ofItsOwn+"=1")
	for _, m := range []map[string]string{s.base, dies.set} {
		for k, v := range m {
			cmd.Env = append(cmd.Env, k+"="+v)
		}
	}
	require.NoError(t, cmd.Start())
	await := s.score(2)
	<-begun
	<-begun
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	lives := s.account("fan", nil, nil)
	lives.run(s)
	await()
	require.Empty(t, s.unusable())
	require.GreaterOrEqual(t, len(lives.site.Calls()), 2)
}

// TestABrowserThatIsToldToStopAnswersTheSearchesThatItHasBegun: footy up closed its browser at once, and what it searched for came to nothing.
func TestABrowserThatIsToldToStopAnswersTheSearchesThatItHasBegun(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(context.Context, *app.App) error{
		"footy browser": func(ctx context.Context, a *app.App) error { return app.RunBrowser(ctx, a.Config, a.Log, "test", nil) },
		"footy up beside others": func(ctx context.Context, a *app.App) error {
			return a.Run(ctx, app.Roles{Worker: true, Browser: true})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openShop(t, 1)
			begun, answer := make(chan struct{}, 10), make(chan struct{})
			x := s.account("fan", nil, func() {
				begun <- struct{}{}
				<-answer
			})
			a, err := app.New(t.Context(), s.settings(x.set), slog.New(slog.NewTextHandler(&x.log, nil)), "test")
			require.NoError(t, err)
			t.Cleanup(func() { _ = a.Close() })
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			ended := make(chan error, 1)
			go func() { ended <- run(ctx, a) }()
			x.await("takes searches of found-footy-search")
			s.score(1)
			<-begun
			stop()
			close(answer)
			if err := <-ended; err != nil {
				require.ErrorIs(t, err, context.Canceled) // its own worker was about to start
			}
			require.Equal(t, 1, s.answered(), "written down before the process ended")
			require.Empty(t, s.unusable())
		})
	}
}

// ofItsOwn makes the test binary a footy browser.
const ofItsOwn = "FOOTY_TEST_BROWSER"

// TestABrowserOfItsOwn is the process that is killed above.
func TestABrowserOfItsOwn(t *testing.T) {
	if os.Getenv(ofItsOwn) == "" {
		return
	}
	c, err := config.Load()
	require.NoError(t, err)
	require.NoError(t, app.RunBrowser(t.Context(), c, slog.New(slog.DiscardHandler), "test", nil))
}
