package push_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser/devtools"
	"github.com/found-footy/found-footy/internal/extra/push"
	"github.com/found-footy/found-footy/internal/extra/push/pushtest"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/webtest"
)

// pusher is a page that tells devices through a push service on loopback.
type pusher struct {
	server *pushtest.Server
	push   *push.Service
	after  atomic.Int64 // seconds since noon
}

func newPusher(t *testing.T) *pusher {
	t.Helper()
	return &pusher{server: pushtest.New(t)}
}

func (p *pusher) now() time.Time {
	return webtest.Noon.Add(time.Duration(p.after.Load()) * time.Second)
}

func (p *pusher) options(o *web.Options) {
	p.push = push.New(push.Options{Store: o.Store, Hosts: []string{"127.0.0.1"}, Local: true, Now: p.now, Lead: alone, Log: slog.New(slog.DiscardHandler)})
	o.Parts = append(o.Parts, p.push.Part)
}

// badgeDiffers is how far the picture of the badge is from its drawing.
const badgeDiffers = `(async () => {
	const base = document.querySelector("link[rel=icon]").href.replace("icon.svg", ""), data = [];
	for (const name of ["badge.svg", "badge-96.png"]) {
		const p = new Image(); p.src = base + name; await p.decode();
		const c = new OffscreenCanvas(96, 96).getContext("2d");
		c.drawImage(p, 0, 0, 96, 96);
		data.push(c.getImageData(0, 0, 96, 96).data);
	}
	return data[0].reduce((sum, v, i) => sum + Math.abs(v - data[1][i]), 0) / data[0].length;
})()`

func TestADeviceIsNotifiedOfAGoal(t *testing.T) {
	root := webtest.Browser(t)
	mp4, jpg := webtest.MakeClip(t)
	p := newPusher(t)
	webtest.InTab(root, t, mp4, jpg, "in a browser", func(b webtest.Tab) { notified(b, p) }, p.options)
}

// notified turns notifications on with the page's own dialog and lets a goal fall. A headless Chromium has no push service of its own: its
// subscription is of ours, which opens the message and gives it to the browser as its service would.
func notified(b webtest.Tab, p *pusher) {
	device := p.server.Browser()
	var registration atomic.Value // the latest: one whose installation broke off has another name than the next
	b.Hear(func(method string, params json.RawMessage) {
		var e struct {
			Registrations []struct {
				RegistrationID, ScopeURL string
				IsDeleted                bool
			}
		}
		if method != "ServiceWorker.workerRegistrationUpdated" || json.Unmarshal(params, &e) != nil {
			return
		}
		for _, r := range e.Registrations {
			if r.ScopeURL == b.S.HTTP.URL+"/" && !r.IsDeleted {
				registration.Store(r.RegistrationID)
			}
		}
	})
	stub, err := json.Marshal(map[string]any{"endpoint": device.Endpoint, "keys": map[string]string{"p256dh": device.P256dh, "auth": device.Auth}})
	require.NoError(b.T, err)
	b.Command("ServiceWorker.enable", nil, nil)
	b.Before(`(() => { const sub = ` + string(stub) + `, made = { endpoint: sub.endpoint, toJSON: () => sub, unsubscribe: async () => { localStorage.removeItem("test-sub"); return true; } };
		PushManager.prototype.subscribe = async (o) => { window.asked = o; localStorage.setItem("test-sub", "1"); return made; };
		PushManager.prototype.getSubscription = async () => localStorage.getItem("test-sub") ? made : null; })()`)
	require.NoError(b.T, b.Browser.Call(b.T.Context(), "Browser.setPermission", devtools.Params{"permission": devtools.Params{"name": "notifications"}, "setting": "granted", "origin": b.S.HTTP.URL}, nil))
	b.OpenServed("/match/5001")
	require.Less(b.T, webtest.JS[float64](b, badgeDiffers), 3.0, "badge-96.png is another picture than badge.svg")
	b.Click(`.fav[data-team="40"]`)
	b.Click("#open-push")
	b.Appears("#push-on")
	for _, theme := range []string{"light", "dark"} {
		b.Run(`document.documentElement.dataset.theme = "` + theme + `"`)
		require.Empty(b.T, webtest.JS[[]string](b, webtest.FaultsScript), theme)
	}
	b.Click("#push-on")
	b.Appears("#push-off")
	require.Contains(b.T, webtest.JS[string](b, `document.getElementById("push-state").textContent`), "is told of goals")
	require.Equal(b.T, []float64{65, 1}, webtest.JS[[]float64](b, `[asked.applicationServerKey.length, Number(asked.userVisibleOnly)]`))
	n, err := p.push.Devices(b.T.Context())
	require.NoError(b.T, err)
	require.Equal(b.T, 1, n)

	p.after.Store(10)
	b.S.Update(5001, func(f *footy.Fixture) {
		webtest.Goal(f, footy.SideHome, "Darwin Núñez", 70, 3, 1).CertainAt = webtest.Noon.Add(5 * time.Second)
	})
	b.S.Update(5002, func(f *footy.Fixture) {
		webtest.Goal(f, footy.SideHome, "Nobody's favourite", 70, 3, 1).CertainAt = webtest.Noon.Add(5 * time.Second)
	})
	shown := func() string {
		return webtest.JS[string](b, `navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => all.map((n) => [n.title, n.body, n.data.url, n.tag].join(" | ")).join("\n"))`)
	}
	// deliver waits for the one notification that a message makes. To give the browser a message is to ask it: it may be dropped, and is
	// given again; a second one under the same tag takes the place of the first.
	deliver := func(want string) {
		b.T.Helper()
		before := len(device.Messages())
		require.NoError(b.T, p.push.SendNew(b.T.Context()))
		all := device.Messages()
		require.Len(b.T, all, before+1)
		require.Eventually(b.T, func() bool {
			if shown() == want {
				return true
			}
			b.Command("ServiceWorker.deliverPushMessage", devtools.Params{"origin": b.S.HTTP.URL, "registrationId": registration.Load(), "data": string(all[before])}, nil)
			return false
		}, 90*time.Second, time.Second, "%s\n%s", want, all[before])
	}
	deliver("Goal: Darwin Núñez 70' | Liverpool 3–1 Manchester City · Premier League | /g/5001_40_704_Goal_1 | 5001-5")
	b.S.Update(5001, func(f *footy.Fixture) {
		e := f.Event("5001-5")
		webtest.Clip(e, "x", 1, true)
		e.Clips[0].AddedAt = webtest.Noon.Add(6 * time.Second)
	})
	deliver("Clip: Darwin Núñez 70' | Liverpool 3–1 Manchester City · Premier League | /g/5001_40_704_Goal_1 | 5001-5") // in the place of the former

	// What is chosen later is known at once: spoiler-free, and another favourite. The first request is slow: the second passes it if it can.
	b.Open("/match/5002")
	b.Click("#open-push")
	b.Appears("#push-off")
	b.Run(`(() => { const real = fetch; let asked = 0, passed; window.answered = 0;
		window.fetch = async (...of) => {
			if (!String(of[0]).endsWith("/device")) return real(...of);
			if (++asked === 1) await Promise.race([new Promise((done) => { passed = done; }), new Promise((done) => setTimeout(done, 1000))]);
			const answer = await real(...of);
			if (++answered < 2) passed();
			return answer;
		}; })()`)
	b.Click("#push-spoilers")
	b.Until(`JSON.parse(localStorage.getItem("push-wish")).spoilers === true`)
	b.Run(`document.getElementById("push").close()`)
	b.Click(`.fav[data-team="529"]`)
	wished := func() string {
		var all struct {
			List []struct{ Wish push.Wish }
		}
		require.NoError(b.T, b.S.Store.State(b.T.Context(), "push/devices", &all))
		require.Len(b.T, all.List, 1)
		return fmt.Sprint(all.List[0].Wish.Teams, all.List[0].Wish.SpoilerFree)
	}
	b.Until(`answered === 2`)
	require.Equal(b.T, "[40 529] true", wished())
	p.after.Store(20)
	b.S.Update(5002, func(f *footy.Fixture) {
		webtest.Goal(f, footy.SideAway, "Somebody", 71, 3, 2).CertainAt = webtest.Noon.Add(15 * time.Second)
	})
	require.NoError(b.T, p.push.SendNew(b.T.Context()))
	require.Len(b.T, device.Messages(), 5, "what fell before is of a favourite now, too")
	require.NotRegexp(b.T, `Somebody|\d–\d|Goal:`, string(device.Messages()[4]))

	b.Click("#open-push")
	b.Appears("#push-test")
	b.Click("#push-test")
	b.Until(`document.getElementById("push-state").textContent.startsWith("A test is on its way")`)
	for _, width := range []int64{390, 1280} {
		b.Size(width, 900)
		require.True(b.T, webtest.JS[bool](b, `document.documentElement.scrollWidth <= innerWidth`), "%d px", width)
	}
	device.Answer(http.StatusGone, "")
	b.Click("#push-off")
	b.Appears("#push-on")
	n, err = p.push.Devices(b.T.Context())
	require.NoError(b.T, err)
	require.Zero(b.T, n)
}
