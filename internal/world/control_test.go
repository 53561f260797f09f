package world_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
)

func turn(t *testing.T, w *world.World, order string) {
	t.Helper()
	require.Equal(t, 204, do(t, "POST", w.ControlURL()+"/control/fault", order, nil), order)
}

func TestFaultsAreSwitchedOnForAWhile(t *testing.T) {
	t.Parallel()
	w := setup(t, onlyBig(), t.TempDir(), 40)
	turn(t, w, `{"fault":"fetch_refused","for_s":600}`)
	turn(t, w, `{"fault":"fetch_gone","for_s":0.01,"clip":"1300101/first/master"}`)
	var list struct {
		Faults []struct {
			Fault, Clip string
			LeftS       float64 `json:"left_s"`
		}
	}
	require.Eventually(t, func() bool {
		require.Equal(t, 200, do(t, "GET", w.ControlURL()+"/control/fault", "", &list))
		return len(list.Faults) == 1
	}, time.Minute, 5*time.Millisecond, "one is over by itself")
	require.Equal(t, "fetch_refused", list.Faults[0].Fault)
	require.InDelta(t, 600, list.Faults[0].LeftS, 30)
	turn(t, w, `{"fault":"fetch_refused","for_s":0}`)
	require.Equal(t, 200, do(t, "GET", w.ControlURL()+"/control/fault", "", &list))
	require.Empty(t, list.Faults)
	for _, bad := range []string{`{"fault":"rain","for_s":1}`, `{"fault":"model_down"}`, `{"fault":"model_down","for_s":-1}`,
		`{"fault":"model_down","for_s":1,"clips":"x"}`, `{`,
		`{"fault":"fetch_gone","for_s":1,"clip":"1300101/nobody/master"}`, `{"fault":"list_down","for_s":1,"day":99}`,
		`{"fault":"list_down","for_s":1,"day":-2}`, `{"fault":"model_down","for_s":1,"day":0}`} {
		require.Equal(t, 400, do(t, "POST", w.ControlURL()+"/control/fault", bad, nil), bad)
	}
	require.Equal(t, 405, do(t, "PUT", w.ControlURL()+"/control/fault", "", nil))
	require.Equal(t, 404, do(t, "POST", w.URL()+"/control/fault", `{"fault":"model_down","for_s":1}`, nil), "the services do not serve the switches")
}

func TestTheAddressesItPrintsCanBeAsked(t *testing.T) {
	t.Parallel()
	w, err := world.New(world.Options{Script: onlyBig(), ClipDir: t.TempDir(), Addr: "foo"})
	require.NoError(t, err)
	require.ErrorContains(t, w.Start(t.Context()), `the address "foo" is not HOST:PORT; write it like`)
	w, err = world.New(world.Options{Script: onlyBig(), ClipDir: t.TempDir(), Addr: "0.0.0.0:0"})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	require.Contains(t, w.URL(), "http://127.0.0.1:")
}

func TestTheSwitchesAreOnLoopbackOnlyAndFoundInTheState(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "nonsense"} {
		w, err := world.New(world.Options{Script: onlyBig(), ClipDir: t.TempDir(), Control: addr})
		require.NoError(t, err)
		require.ErrorContains(t, w.Start(t.Context()), "loopback", addr)
	}
	dir := t.TempDir()
	w, err := world.New(world.Options{Script: onlyBig(), ClipDir: t.TempDir(), StateDir: dir})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	raw, err := os.ReadFile(filepath.Join(dir, world.AddressFile))
	require.NoError(t, err)
	var a world.Addresses
	require.NoError(t, json.Unmarshal(raw, &a))
	require.Equal(t, world.Addresses{URL: w.URL(), Control: w.ControlURL()}, a)
}

func TestFetchFaultsBefallEverybodyOrOneClip(t *testing.T) {
	t.Parallel()
	w := setup(t, onlyBig(), t.TempDir(), 40)
	one, other := byKind(t, w, script.Master), byKind(t, w, script.Watermarked)
	status := func(id string) int {
		_, code := lookup(t, w, id)
		return code
	}
	require.Equal(t, []int{200, 200}, []int{status(one.ID), status(other.ID)})
	for fault, want := range map[string]int{"fetch_refused": 403, "fetch_gone": 404} {
		turn(t, w, fmt.Sprintf(`{"fault":%q,"for_s":600}`, fault))
		require.Equal(t, []int{want, want}, []int{status(one.ID), status(other.ID)}, fault)
		turn(t, w, fmt.Sprintf(`{"fault":%q,"for_s":0}`, fault))
		for _, name := range []string{one.ID, one.Clip.Name(), fmt.Sprintf("1300101/%s/master", one.Event)} {
			turn(t, w, fmt.Sprintf(`{"fault":%q,"for_s":600,"clip":%q}`, fault, name))
			require.Equal(t, []int{want, 200}, []int{status(one.ID), status(other.ID)}, "%s of %s", fault, name)
			turn(t, w, fmt.Sprintf(`{"fault":%q,"for_s":0,"clip":%q}`, fault, name))
		}
	}
	turn(t, w, `{"fault":"cdn_refused","for_s":600}`)
	found, _ := lookup(t, w, one.ID)
	code, _, err := fetch(t, found.MediaDetails[0].VideoInfo.Variants[2].URL, "")
	require.NoError(t, err)
	require.Equal(t, 403, code)
}

func TestXSendsEverybodyToItsLogIn(t *testing.T) {
	t.Parallel()
	w := setup(t, onlyBig(), t.TempDir(), 40)
	page := func() *http.Response {
		client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.URL()+"/x/search?q=marlowe&f=live", nil)
		require.NoError(t, err)
		req.AddCookie(&http.Cookie{Name: "auth_token", Value: "simulated-session"})
		res, err := client.Do(req)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res
	}
	require.Equal(t, 200, page().StatusCode)
	turn(t, w, `{"fault":"x_logged_out","for_s":600}`)
	require.Equal(t, "login_required", search(t, w, "marlowe", "").State)
	var st struct{ Login string }
	do(t, "GET", w.URL()+"/x-search/status", "", &st)
	require.Equal(t, "expired", st.Login)
	out := page()
	require.Equal(t, 302, out.StatusCode)
	require.Contains(t, out.Header.Get("Location"), "/x/i/flow/login")
	turn(t, w, `{"fault":"x_logged_out","for_s":0}`)
	require.Equal(t, 200, page().StatusCode, "the session is good again")
	require.Equal(t, "results", search(t, w, "marlowe", "").State)

	turn(t, w, `{"fault":"x_rate_limited","for_s":600}`)
	limited := search(t, w, "marlowe", "")
	require.Equal(t, "rate_limited", limited.State)
	require.InDelta(t, 600, limited.RetryAfter, 30)
}

func TestTheFeedAnswersAsItsGatewayDoesWithoutIt(t *testing.T) {
	t.Parallel()
	w := setup(t, onlyBig(), t.TempDir(), 1)
	turn(t, w, `{"fault":"feed_down","for_s":600}`)
	require.Equal(t, 502, do(t, "GET", w.URL()+"/football/fixtures?ids=1300101", "", nil))
	require.Zero(t, w.Status().Polls[1300101], "no poll has passed")
	turn(t, w, `{"fault":"feed_down","for_s":0}`)
	require.Equal(t, 200, do(t, "GET", w.URL()+"/football/fixtures?ids=1300101", "", nil))
}

func TestTheListOfADateFailsWhilePollsAreAnswered(t *testing.T) {
	t.Parallel()
	w := setup(t, onlyBig(), t.TempDir(), 1)
	list := func(days int) int {
		return do(t, "GET", w.URL()+"/football/fixtures?date="+time.Now().UTC().AddDate(0, 0, days).Format(time.DateOnly), "", nil)
	}
	turn(t, w, `{"fault":"list_down","for_s":600,"day":-1}`)
	require.Equal(t, 500, list(-1))
	require.Equal(t, 200, list(0))
	turn(t, w, `{"fault":"list_down","for_s":600}`)
	require.Equal(t, 500, list(0))
	require.Equal(t, 500, list(2))
	require.Equal(t, 200, do(t, "GET", w.URL()+"/football/fixtures?ids=1300101", "", nil))
	turn(t, w, `{"fault":"list_down","for_s":0}`)
	require.Equal(t, 200, list(0))
	require.Equal(t, 500, list(-1), "each order stands for itself")
}

func TestAScriptsModesHoldByProductTime(t *testing.T) {
	t.Parallel()
	s := onlyBig()
	s.Modes = []script.Mode{{Mode: "blocked_fetch", From: 30, Minutes: 500}, {Mode: "blind_model", From: 0, Minutes: 10}}
	w := setup(t, s, t.TempDir(), 40)
	_, code := lookup(t, w, byKind(t, w, script.Master).ID)
	require.Equal(t, 403, code)
	var list struct{ Faults []map[string]any }
	do(t, "GET", w.ControlURL()+"/control/fault", "", &list)
	require.Equal(t, []map[string]any{{"fault": "fetch_refused", "script": true}}, list.Faults)
}

func TestAModeThatIsKeptUpEndsWhenItIsLetGo(t *testing.T) {
	t.Parallel()
	s := onlyBig()
	s.Modes = []script.Mode{{Mode: "blocked_fetch", From: 30, Minutes: 5}, {Mode: "blind_model", From: 60, Minutes: 5}}
	w := setup(t, s, t.TempDir(), 40)
	id := byKind(t, w, script.Master).ID
	code := func() int { _, code := lookup(t, w, id); return code }
	require.Equal(t, 200, code(), "its minutes are over")
	w.KeepUp("blocked_fetch")
	w.KeepUp("blind_model")
	require.Equal(t, 403, code())
	var list struct{ Faults []map[string]any }
	do(t, "GET", w.ControlURL()+"/control/fault", "", &list)
	require.Len(t, list.Faults, 1, "what is to come has not begun")
	w.LetGo("blocked_fetch")
	require.Equal(t, 200, code())
}

func TestAStaleStartFindsAMatchUnderWay(t *testing.T) {
	t.Parallel()
	s := onlyBig()
	require.NoError(t, s.With(script.StaleStart))
	dir := t.TempDir()
	w, err := world.New(world.Options{Script: s, ClipDir: t.TempDir(), StateDir: dir})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	var got struct {
		Response []struct {
			Fixture struct {
				ID     int
				Status struct{ Elapsed int }
			}
		}
	}
	require.Equal(t, 200, do(t, "GET", fmt.Sprintf("%s/football/fixtures?ids=%d", w.URL(), s.Fixtures[0].ID), "", &got))
	require.InDelta(t, 60, got.Response[0].Fixture.Status.Elapsed, 2)
}
