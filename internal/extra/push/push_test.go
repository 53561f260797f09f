package push_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/extra/push"
	"github.com/found-footy/found-footy/internal/extra/push/pushtest"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

var noon = time.Date(2026, 11, 14, 16, 20, 0, 0, time.UTC)

// bundle is a service over a real database, and a push service of ours.
type bundle struct {
	t      *testing.T
	store  store.Store
	server *pushtest.Server
	p      *push.Service
	log    *strings.Builder
	now    time.Time
	opt    push.Options
}

func setup(t *testing.T, change ...func(*push.Options)) *bundle {
	t.Helper()
	back, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	b := &bundle{t: t, store: store.New(back), server: pushtest.New(t), now: noon, log: new(strings.Builder)}
	t.Cleanup(func() { _ = b.store.Close() })
	b.opt = push.Options{Store: b.store, Hosts: []string{"127.0.0.1"}, Local: true, Site: "https://footy.example", Now: func() time.Time { return b.now }, Lead: alone,
		Log: slog.New(slog.NewTextHandler(b.log, nil))}
	for _, c := range change {
		c(&b.opt)
	}
	b.p = push.New(b.opt)
	require.NoError(t, b.store.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive, League: footy.League{ID: 39, Name: "Premier League"},
		Teams: footy.Teams{Home: footy.Team{ID: 40, Name: "Liverpool"}, Away: footy.Team{ID: 50, Name: "City"}}, Match: footy.Match{ID: 1, Kickoff: noon.Add(-time.Hour)}}))
	return b
}

// alone is the only process that sends.
func alone(context.Context, string) (bool, error) { return true, nil }

func (b *bundle) change(do func(f *footy.Fixture)) {
	b.t.Helper()
	_, err := b.store.Update(b.t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) { do(f); return nil, nil })
	require.NoError(b.t, err)
}

// goal adds the n-th goal of the match, just now.
func (b *bundle) goal(n int) {
	b.t.Helper()
	b.now = b.now.Add(time.Second)
	b.change(func(f *footy.Fixture) {
		f.Events = append(f.Events, footy.Event{UID: fmt.Sprintf("1-%d", n), ID: fmt.Sprintf("1_40_7_Goal_%d", n), Kind: footy.KindGoal, Player: footy.Person{Name: "Salah"},
			Minute: footy.Minute{Elapsed: 59 + n}, ScoreAfter: footy.ScoreOf(n, 0), CertainAt: b.now})
	})
}

func (b *bundle) clip(n int) {
	b.t.Helper()
	b.now = b.now.Add(time.Second)
	b.change(func(f *footy.Fixture) { f.Events[n-1].Clips = []footy.Clip{{ID: "a", AddedAt: b.now}} })
}

func wish(change ...func(*push.Wish)) *push.Wish {
	w := &push.Wish{Filter: news.Filter{All: true}, Goals: true, Clips: true, Zone: "UTC"}
	for _, c := range change {
		c(w)
	}
	return w
}

// device registers a new browser, which has seen the message that is sent to it then.
func (b *bundle) device(w *push.Wish) *pushtest.Browser {
	b.t.Helper()
	d := b.server.Browser()
	require.NoError(b.t, b.p.Keep(b.t.Context(), subscription(d), w, "", "192.0.2.1"))
	d.Clear()
	return d
}

func subscription(d *pushtest.Browser) (s push.Subscription) {
	s.Endpoint, s.Keys.P256dh, s.Keys.Auth = d.Endpoint, d.P256dh, d.Auth
	return s
}

// look tells everybody and returns the titles that a browser has been told since.
func (b *bundle) look(d *pushtest.Browser) []string {
	b.t.Helper()
	before := len(d.Messages())
	require.NoError(b.t, b.p.SendNew(b.t.Context()))
	return titles(b.t, d)[before:]
}

func titles(t *testing.T, d *pushtest.Browser) []string {
	t.Helper()
	out := []string{}
	for _, raw := range d.Messages() {
		var m push.Message
		require.NoError(t, json.Unmarshal(raw, &m))
		out = append(out, m.Title)
	}
	return out
}

func TestAGoalIsToldToItsDevicesOnceAndItsClipOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.device(wish())
	require.Empty(t, b.look(d))
	b.goal(1)
	require.Equal(t, []string{"Goal: Salah 60'"}, b.look(d))
	require.Empty(t, b.look(d))
	b.clip(1)
	require.Equal(t, []string{"Clip: Salah 60'"}, b.look(d))
	require.Empty(t, b.look(d))
	var first, second push.Message
	require.NoError(t, json.Unmarshal(d.Messages()[0], &first))
	require.NoError(t, json.Unmarshal(d.Messages()[1], &second))
	require.Equal(t, "Liverpool 1–0 City · Premier League", first.Body)
	require.Equal(t, "/g/1_40_7_Goal_1", first.URL)
	require.Equal(t, first.Tag, second.Tag, "one notification per goal")
	require.False(t, first.Again)
	require.True(t, second.Again)
	b.change(func(f *footy.Fixture) { f.Events[0].Removed = true })
	require.Equal(t, []string{"No longer stands: Salah 60'"}, b.look(d))
	b.change(func(f *footy.Fixture) { f.Events[0].Removed = false })
	require.Equal(t, []string{"Stands again: Salah 60'"}, b.look(d))
	require.Empty(t, b.look(d))
	require.NoError(t, b.p.Forget(t.Context(), d.Endpoint))
	b.goal(2)
	require.Empty(t, b.look(d))
}

func TestWhatADeviceWants(t *testing.T) {
	t.Parallel()
	both := []string{"Goal: Salah 60'", "Clip: Salah 60'"}
	quiet := func(from, to, zone string) func(*push.Wish) {
		return func(w *push.Wish) { w.QuietFrom, w.QuietTo, w.Zone = from, to, zone }
	}
	for name, c := range map[string]struct {
		change func(*push.Wish)
		want   []string
	}{
		"everything":                    {func(*push.Wish) {}, both},
		"goals alone":                   {func(w *push.Wish) { w.Clips = false }, both[:1]},
		"first clips alone":             {func(w *push.Wish) { w.Goals = false }, both[1:]},
		"a team that plays":             {func(w *push.Wish) { w.All, w.Teams = false, []int64{50} }, both},
		"a competition":                 {func(w *push.Wish) { w.All, w.Leagues = false, []int64{39} }, both},
		"others":                        {func(w *push.Wish) { w.All, w.Teams, w.Leagues = false, []int64{1}, []int64{2} }, []string{}},
		"favourites, of which are none": {func(w *push.Wish) { w.All = false }, []string{}},
		"quiet now":                     {quiet("16:00", "17:00", "UTC"), []string{}},
		"quiet over midnight":           {quiet("23:00", "07:00", "UTC"), both},
		"quiet there already":           {quiet("23:00", "07:00", "Asia/Tokyo"), []string{}}, // 01:20
		"in German":                     {func(w *push.Wish) { w.Language = "de" }, []string{"Tor: Salah 60'", "Clip: Salah 60'"}},
		"in an unknown language":        {func(w *push.Wish) { w.Language = "xx" }, both},
		"spoiler-free":                  {func(w *push.Wish) { w.SpoilerFree = true }, []string{"Liverpool v City", "Liverpool v City"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			d := b.device(wish())
			require.NoError(t, b.p.Keep(t.Context(), subscription(d), wish(c.change), "", "192.0.2.1"))
			b.goal(1)
			b.look(d)
			b.clip(1)
			b.look(d)
			require.Equal(t, c.want, titles(t, d))
			if name == "spoiler-free" {
				require.NotRegexp(t, `(?i)\d\s*–|salah|goal:|60`, string(d.Messages()[0])[:strings.Index(string(d.Messages()[0]), `"url"`)])
			}
		})
	}
}

func TestWhatHappenedInQuietHoursIsNotToldAfterThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.device(wish(func(w *push.Wish) { w.QuietFrom, w.QuietTo = "16:00", "17:00" }))
	b.goal(1)
	require.Empty(t, b.look(d))
	b.now = noon.Add(45 * time.Minute)
	require.Empty(t, b.look(d))
	b.goal(2)
	require.Equal(t, []string{"Goal: Salah 61'"}, b.look(d))
}

func TestAMessageCallsNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.device(wish())
	b.goal(1)
	b.change(func(f *footy.Fixture) { f.Events[0].Player.Name, f.Teams.Home.Name = "@everyone", "<!channel>" })
	require.Len(t, b.look(d), 1)
	sent := string(d.Messages()[0])
	require.Contains(t, sent, "everyone")
	require.NotRegexp(t, `@everyone|<!channel>|\\u003c!`, sent)
}

func TestAMessageIsNotKeptIntoQuietHours(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.device(wish(func(w *push.Wish) { w.QuietFrom, w.QuietTo = "16:50", "17:00" }))
	other := b.device(wish())
	b.goal(1)
	b.look(d)
	require.Equal(t, "1740", d.Requests()[0].Header.Get("TTL"), "29 minutes: the last whole one before")
	require.Equal(t, "3600", other.Requests()[0].Header.Get("TTL"))
}

func TestWhatWasBeforeADeviceCameIsNoNews(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.goal(1)
	require.Empty(t, b.look(b.device(wish())))
}

func TestWhatWasScoredBeforeARestoreIsNotToldAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.device(wish())
	scored := b.now
	require.NoError(t, b.store.PutState(t.Context(), "restored", map[string]time.Time{"at": scored.Add(time.Minute)}))
	b.now = b.now.Add(2 * time.Minute)
	b.goal(1)
	b.change(func(f *footy.Fixture) { f.Events[0].HappenedAt = scored })
	b.clip(1)
	require.Empty(t, b.look(d))
	b.goal(2)
	require.Equal(t, []string{"Goal: Salah 61'"}, b.look(d))
}

func TestWhatADeviceMayHaveBeenToldIsNotToldAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.device(wish())
	b.goal(1)
	require.Len(t, b.look(d), 1)
	require.NoError(t, b.store.PutState(t.Context(), "push/told/0", 7)) // no record of a device
	b.now = b.now.Add(time.Second)
	require.Empty(t, b.look(d))
	require.True(t, store.HasDamage(b.store, store.ServiceState, "push/told/0"))
	b.goal(2)
	require.Equal(t, []string{"Goal: Salah 61'"}, b.look(d))
}

func TestADeviceThatIsGoneIsDropped(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusNotFound, http.StatusGone} {
		b := setup(t)
		d := b.device(wish())
		d.Answer(status, "")
		b.goal(1)
		require.Empty(t, b.look(d))
		n, err := b.p.Devices(t.Context())
		require.NoError(t, err)
		require.Zero(t, n, status)
		fresh := b.device(wish()) // which gets the slot, and nothing of its past
		b.goal(2)
		require.Equal(t, []string{"Goal: Salah 61'"}, b.look(fresh))
	}
}

func TestAPushServiceThatPutsOffIsAskedWhenItSays(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		b := setup(t)
		d, other := b.device(wish()), b.device(wish())
		d.Answer(status, "120")
		b.goal(1)
		require.ErrorContains(t, b.p.SendNew(t.Context()), fmt.Sprint(status))
		require.Len(t, other.Messages(), 1, "nobody waits for it")
		d.Answer(http.StatusCreated, "")
		b.now = b.now.Add(119 * time.Second)
		require.Empty(t, b.look(d))
		b.clip(1)
		b.now = b.now.Add(2 * time.Second)
		require.Equal(t, []string{"Clip: Salah 60'"}, b.look(d), "both in one: the goal has its clip by now")
		require.Empty(t, b.look(d))
		require.Len(t, d.Requests(), 2)
	}
}

func TestAPushServiceThatCannotBeReachedIsAskedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.device(wish())
	gone := *d
	b.server.Close()
	b.goal(1)
	err := b.p.SendNew(t.Context())
	require.Error(t, err)
	require.NotContains(t, err.Error(), gone.Endpoint, "the address of a device is a secret")
	require.NotContains(t, err.Error(), "127.0.0.1:0")
}

func TestWhatMayHaveArrivedIsNotSentAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.device(wish())
	d.Answer(pushtest.BreaksOff, "")
	b.goal(1)
	require.ErrorContains(t, b.p.SendNew(t.Context()), "may have arrived")
	d.Answer(http.StatusCreated, "")
	b.now = b.now.Add(time.Hour)
	require.Empty(t, b.look(d))
	require.Len(t, d.Requests(), 1)
}

func TestADeviceWhoseMessagesAreRefusedIsDroppedInTheEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.device(wish())
	d.Answer(http.StatusForbidden, "")
	for n := 1; n <= 12; n++ {
		b.goal(n)
		_ = b.p.SendNew(t.Context())
	}
	require.Len(t, d.Requests(), 10, "each message once, and no more after ten")
	left, err := b.p.Devices(t.Context())
	require.NoError(t, err)
	require.Zero(t, left)
}

// dying is a database under a process that is killed: after so many calls nothing of it is heard any more.
type dying struct {
	store.Store
	left *atomic.Int64
}

var errKilled = errors.New("killed")

func (d dying) gone() bool { return d.left.Add(-1) < 0 }

func (d dying) State(ctx context.Context, key string, out any) error {
	if d.gone() {
		return errKilled
	}
	return d.Store.State(ctx, key, out)
}

func (d dying) UpdateState(ctx context.Context, key string, change func(json.RawMessage) (any, error)) error {
	if d.gone() {
		return errKilled
	}
	return d.Store.UpdateState(ctx, key, change)
}

func (d dying) List(ctx context.Context, q store.FixtureQuery) ([]footy.Fixture, error) {
	if d.gone() {
		return nil, errKilled
	}
	return d.Store.List(ctx, q)
}

// TestNothingIsSentTwiceWhereverAProcessIsKilled kills a process after its n-th step, and lets the next one go on. Half of the push
// services' answers are slow or ask to come later.
func TestNothingIsSentTwiceWhereverAProcessIsKilled(t *testing.T) {
	t.Parallel()
	const kills = 50
	b := setup(t)
	d, e := b.device(wish()), b.device(wish(func(w *push.Wish) { w.Clips = false }))
	for n := range kills {
		if n%3 == 2 {
			d.Answer(http.StatusTooManyRequests, "1")
		}
		b.goal(n + 1)
		left := new(atomic.Int64)
		left.Store(int64(n % 9))
		o := b.opt
		o.Store = dying{b.store, left}
		_ = push.New(o).SendNew(t.Context()) // killed somewhere in it
		d.Answer(http.StatusCreated, "")
		b.now = b.now.Add(time.Minute)
		require.NoError(t, push.New(b.opt).SendNew(t.Context()))
		if n%4 == 0 {
			b.clip(n + 1)
			require.NoError(t, push.New(b.opt).SendNew(t.Context()))
		}
	}
	for _, who := range []*pushtest.Browser{d, e} {
		seen := map[string]int{}
		for _, title := range titles(t, who) {
			seen[title]++
			require.Equal(t, 1, seen[title], title)
		}
		require.Greater(t, len(seen), kills*3/4, "and what was not lost in the instant of a kill arrived")
	}
}

func TestOfSeveralProcessesAtOnceOneTells(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.device(wish())
	for n := 1; n <= 5; n++ {
		b.goal(n)
		var all sync.WaitGroup
		for range 4 { // without a lease, as when one process takes another for dead
			all.Go(func() { _ = push.New(b.opt).SendNew(t.Context()) })
		}
		all.Wait()
	}
	require.ElementsMatch(t, []string{"Goal: Salah 60'", "Goal: Salah 61'", "Goal: Salah 62'", "Goal: Salah 63'", "Goal: Salah 64'"}, titles(t, d))
}

func TestKeysAreMadeOnceAndNeverLogged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, err := b.p.Keys(t.Context())
	require.NoError(t, err)
	again, err := push.New(b.opt).Keys(t.Context())
	require.NoError(t, err)
	require.Equal(t, first, again)
	var stored struct{ Private string }
	require.NoError(t, b.store.State(t.Context(), "push/keys", &stored))
	require.NotEmpty(t, stored.Private)
	d := b.device(wish())
	d.Answer(http.StatusGone, "")
	b.goal(1)
	b.look(d)
	require.NotEmpty(t, b.log.String())
	require.NotContains(t, b.log.String(), stored.Private)
	require.NotContains(t, b.log.String(), d.Endpoint)
}

func TestWhatIsNoDeviceIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *push.Options) {
		o.Local, o.Hosts = false, []string{"fcm.googleapis.com", "jmt17.google.com", ".push.example", "127.0.0.1", "10.0.0.1"}
	})
	good := subscription(b.server.Browser())
	good.Endpoint = "https://fcm.googleapis.com/fcm/send/abc"
	unkeyed := good
	unkeyed.Endpoint = "https://jmt17.google.com/fcm/send/abc"
	ended, end := context.WithCancel(t.Context())
	end() // before anything is sent there
	for _, s := range []push.Subscription{good, unkeyed} {
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(b.p.Keep(ended, s, wish(), "", "a")))
	}
	for _, endpoint := range []string{"", "fcm.googleapis.com", "http://fcm.googleapis.com/x", "https://evil.example/x", "https://fcm.googleapis.com:8443/x", "https://user@fcm.googleapis.com/x",
		"https://notpush.example/x", "file:///etc/passwd", "https://fcm.googleapis.com/" + strings.Repeat("x", 3000)} {
		bad := good
		bad.Endpoint = endpoint
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(b.p.Keep(t.Context(), bad, wish(), "", "a")), endpoint)
	}
	for _, change := range []func(*push.Subscription){
		func(s *push.Subscription) { s.Keys.P256dh = "AAAA" }, func(s *push.Subscription) { s.Keys.Auth = "AAAA" }, func(s *push.Subscription) { s.Keys.P256dh = "not base64!" },
	} {
		bad := good
		change(&bad)
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(b.p.Keep(t.Context(), bad, wish(), "", "a")))
	}
	for _, change := range []func(*push.Wish){
		func(w *push.Wish) { w.Zone = "Nowhere/None" }, func(w *push.Wish) { w.Zone = "" }, func(w *push.Wish) { w.QuietFrom = "25:00" }, func(w *push.Wish) { w.QuietFrom = "23:00" },
		func(w *push.Wish) { w.Teams = make([]int64, 1000) },
	} {
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(b.p.Keep(t.Context(), good, wish(change), "", "a")))
	}
}

// TestAPrivateAddressIsNotAsked: a name that is allowed may lead to a private address.
func TestAPrivateAddressIsNotAsked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.device(wish())
	o := b.opt
	o.Local = false
	b.goal(1)
	require.ErrorContains(t, push.New(o).SendNew(t.Context()), "not public")
	require.Empty(t, d.Requests())
}

func TestDevicesAreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *push.Options) { o.PerOwner, o.Devices = 2, 3 })
	keep := func(owner string) error {
		return b.p.Keep(t.Context(), subscription(b.server.Browser()), wish(), "", owner)
	}
	require.NoError(t, keep("a"))
	require.NoError(t, keep("a"))
	require.Equal(t, footy.CodeRateLimited, footy.CodeOf(keep("a")))
	require.NoError(t, keep("b"))
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(keep("c")))
}

func TestABrowserThatChangesItsAddressKeepsItsWish(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old := b.device(wish(func(w *push.Wish) { w.Clips = false }))
	b.goal(1)
	b.look(old)
	next := b.server.Browser()
	require.NoError(t, b.p.Keep(t.Context(), subscription(next), nil, old.Endpoint, "192.0.2.1"))
	n, err := b.p.Devices(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	b.goal(2)
	b.clip(2)
	require.Equal(t, []string{"Goal: Salah 61'"}, b.look(next))
	require.True(t, footy.IsNotFound(b.p.Keep(t.Context(), subscription(b.server.Browser()), nil, old.Endpoint, "192.0.2.1")))
}

func TestATestMessage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.device(wish())
	require.NoError(t, b.p.Test(t.Context(), d.Endpoint))
	require.Equal(t, []string{"Found Footy"}, titles(t, d))
	for range push.AskedMost - 2 { // one was its first message
		require.NoError(t, b.p.Test(t.Context(), d.Endpoint))
	}
	require.Equal(t, footy.CodeRateLimited, footy.CodeOf(b.p.Test(t.Context(), d.Endpoint)))
	require.True(t, footy.IsNotFound(b.p.Test(t.Context(), "https://push.example/other")))
}

// TestOnlyADeviceThatCanBeToldIsKept: the list has room for so many, and anybody may ask to be on it.
func TestOnlyADeviceThatCanBeToldIsKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	known := func() int {
		n, err := b.p.Devices(t.Context())
		require.NoError(t, err)
		return n
	}
	d := b.server.Browser()
	keep := func(w *push.Wish) error { return b.p.Keep(t.Context(), subscription(d), w, "", "a") }
	for name, nothing := range map[string]*push.Wish{
		"nobody":  wish(func(w *push.Wish) { w.All = false }),
		"nothing": wish(func(w *push.Wish) { w.Goals, w.Clips = false, false }),
	} {
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(keep(nothing)), name)
	}
	require.Empty(t, d.Requests())
	for _, status := range []int{http.StatusGone, http.StatusForbidden, http.StatusTooManyRequests, http.StatusInternalServerError} {
		d.Answer(status, "")
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(keep(wish())), status)
	}
	made := subscription(d)
	made.Endpoint += "-made-up"
	require.Error(t, b.p.Keep(t.Context(), made, wish(), "", "a"))
	require.Zero(t, known())
	d.Answer(http.StatusCreated, "")
	require.NoError(t, keep(wish()))
	require.Equal(t, 1, known())
	require.Len(t, d.Messages(), 1)
	require.NoError(t, keep(wish(func(w *push.Wish) { w.All = false })), "its last favourite was removed")
	require.Len(t, d.Messages(), 1, "what it wants changes in silence")
}

// TestFirstMessagesAreBounded: anybody may ask for one, with addresses that are made up.
func TestFirstMessagesAreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.server.Browser()
	made := subscription(d)
	made.Endpoint += "-made-up"
	keep := func(sub push.Subscription, owner string) footy.Code {
		return footy.CodeOf(b.p.Keep(t.Context(), sub, wish(), "", owner))
	}
	for range push.AskedMost {
		require.Equal(t, footy.CodeUnavailable, keep(made, "a"))
	}
	for range 2 {
		require.Equal(t, footy.CodeRateLimited, keep(subscription(d), "a"))
		require.Empty(t, b.look(d), "what was asked is not forgotten by a look")
	}
	require.Empty(t, d.Requests())
	require.Empty(t, keep(subscription(d), "b"), "another address is another matter")
	b.now = b.now.Add(time.Minute)
	require.Empty(t, keep(subscription(b.server.Browser()), "a"))
}
