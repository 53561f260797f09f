package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// tab is one page of the browser for one search; a fresh one each time, so that nothing stays loaded between searches.
// Its SearchTimeline calls are held until they are let go: a page that loads ahead or tries again spends nothing.
type tab struct {
	ctx    context.Context
	close  context.CancelFunc
	base   string // path X is mounted under
	events chan event

	mu    sync.Mutex
	calls map[network.RequestID]*call
	over  bool // the search has ended: nothing more goes out
}

// event is what the page tells: it wants to make a call, a call was answered, it went to the login, it did not load,
// it died.
type event struct {
	wants *call
	ended *call
	login string
	fails error
	died  bool
}

// call is one SearchTimeline request of the page.
type call struct {
	held    fetch.RequestID
	gone    bool // it was let go
	status  int
	headers network.Headers
	body    []byte
	err     error
}

const (
	// far more than one search can tell: the listener must never block.
	eventRoom = 256
	// short commands to a page that lives.
	pageTimeout = 10 * time.Second
	// a page still on its way shows nothing and does not answer.
	lookTimeout = 3 * time.Second
)

var (
	errDied = errors.New("the page died")
	errHung = errors.New("the browser does not answer")
)

// errPage is a failure to load that the browser itself reports.
type errPage string

func (e errPage) Error() string { return "the page did not load: " + string(e) }

// media is never loaded: the service reads what is said about videos, not the videos.
var media = []string{"*://video.twimg.com/*", "*://pbs.twimg.com/*", "*.mp4", "*.mp4?*", "*.m3u8*", "*.m4s*", "*.jpg", "*.png", "*.webp", "*.woff2"}

// open makes a tab that listens; ctx ends it. A browser that does not open one in time hangs.
func (c *chrome) open(ctx context.Context, base string, timeout time.Duration) (*tab, error) {
	tabCtx, cancel := chromedp.NewContext(c.ctx)
	stop := context.AfterFunc(ctx, cancel)
	t := &tab{ctx: tabCtx, base: base, events: make(chan event, eventRoom), calls: map[network.RequestID]*call{}}
	t.close = func() { stop(); t.shut(); cancel() }
	chromedp.ListenTarget(tabCtx, t.hear)
	// The context of the first run is the tab's life, so it must not carry a time-out.
	timer := time.AfterFunc(timeout, cancel)
	err := chromedp.Run(tabCtx, network.Enable(), network.SetBlockedURLs(media), network.SetBypassServiceWorker(true), page.Enable(),
		fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: "*/SearchTimeline*", RequestStage: fetch.RequestStageRequest}}))
	hung := !timer.Stop()
	if err == nil && !hung {
		return t, nil
	}
	t.close()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case hung:
		return nil, errHung
	}
	return nil, err
}

// shut ends the page while its held calls are still held: to let go of the tab would let go of them, and of those that
// the page makes in its last moment.
func (t *tab) shut() {
	if t.ctx.Err() != nil || chromedp.FromContext(t.ctx).Target == nil {
		return
	}
	_ = t.within(lookTimeout, network.SetBlockedURLs([]string{"*"})) // a page that is gone holds nothing
	t.mu.Lock()
	t.over = true
	var steps []chromedp.Action
	for _, k := range t.calls {
		if !k.gone {
			steps = append(steps, refuse(k))
		}
	}
	t.mu.Unlock()
	steps = append(steps, chromedp.ActionFunc(func(ctx context.Context) error {
		_, _, _, _, err := page.Navigate("about:blank").Do(ctx)
		return err
	}), page.Close())
	_ = t.within(lookTimeout, steps...)
}

func refuse(k *call) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		_ = fetch.FailRequest(k.held, network.ErrorReasonBlockedByClient).Do(ctx) // the page may have given it up
		return nil
	})
}

// visit opens an address without waiting for it: a page that hangs would never be there.
func (t *tab) visit(address string) {
	go func() {
		err := chromedp.Run(t.ctx, chromedp.ActionFunc(func(ctx context.Context) error {
			_, _, failed, _, err := page.Navigate(address).Do(ctx)
			if err == nil && failed != "" && failed != "net::ERR_ABORTED" {
				err = errPage(failed)
			}
			return err
		}))
		if err != nil {
			t.tell(event{fails: err})
		}
	}()
}

// let lets a held call go.
func (t *tab) let(k *call) error {
	t.mu.Lock()
	k.gone = true
	t.mu.Unlock()
	return t.do(fetch.ContinueRequest(k.held))
}

// scroll goes to the end, which makes the page load more; from a little above, because a page that is there already
// would not notice.
func (t *tab) scroll() error {
	return t.do(chromedp.Evaluate(`window.scrollBy(0, -200); window.scrollTo(0, document.documentElement.scrollHeight); 0`, nil))
}

func (t *tab) do(actions ...chromedp.Action) error { return t.within(pageTimeout, actions...) }

func (t *tab) within(limit time.Duration, actions ...chromedp.Action) error {
	ctx, cancel := context.WithTimeout(t.ctx, limit)
	defer cancel()
	return chromedp.Run(ctx, actions...)
}

// hear runs inside the browser's event loop: it may only note and hand on. Bodies are taken at loadingFinished, in a
// goroutine of their own.
func (t *tab) hear(ev any) {
	switch e := ev.(type) {
	case *fetch.EventRequestPaused:
		t.paused(e)
	case *network.EventResponseReceived:
		if k := t.call(e.RequestID, false); k != nil {
			k.status, k.headers = int(e.Response.Status), e.Response.Headers
		}
		if e.Type == network.ResourceTypeDocument && e.Response.Status >= 400 && e.FrameID == t.frame() {
			t.tell(event{fails: errPage(fmt.Sprintf("HTTP %d", e.Response.Status))})
		}
	case *network.EventLoadingFinished:
		if k := t.call(e.RequestID, true); k != nil {
			go t.take(e.RequestID, k)
		}
	case *network.EventLoadingFailed:
		if k := t.call(e.RequestID, true); k != nil {
			k.err = errors.New(e.ErrorText)
			t.tell(event{ended: k})
		}
	case *page.EventFrameNavigated:
		if e.Frame.ParentID == "" {
			t.went(e.Frame.URL)
		}
	case *page.EventNavigatedWithinDocument:
		t.went(e.URL)
	case *inspector.EventTargetCrashed, *inspector.EventDetached:
		t.tell(event{died: true})
	}
}

func (t *tab) paused(e *fetch.EventRequestPaused) {
	k := &call{held: e.RequestID}
	if !isTimeline(e.Request.URL) || e.Request.Method == "OPTIONS" {
		go func() { _ = t.let(k) }() // a page that is gone needs nothing
		return
	}
	t.mu.Lock()
	t.calls[network.RequestID(e.NetworkID)] = k
	over := t.over
	t.mu.Unlock()
	if over {
		go func() { _ = t.do(refuse(k)) }()
		return
	}
	t.tell(event{wants: k})
}

func (t *tab) frame() cdp.FrameID {
	if target := chromedp.FromContext(t.ctx).Target; target != nil {
		return cdp.FrameID(target.TargetID) // the main frame has its target's id
	}
	return ""
}

func (t *tab) call(id network.RequestID, last bool) *call {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.calls[id]
	if last {
		delete(t.calls, id)
	}
	return k
}

func (t *tab) take(id network.RequestID, k *call) {
	executor := cdp.WithExecutor(t.ctx, chromedp.FromContext(t.ctx).Target)
	k.body, k.err = network.GetResponseBody(id).Do(executor)
	t.tell(event{ended: k})
}

func (t *tab) went(address string) {
	if isLogin(address, t.base) {
		t.tell(event{login: address})
	}
}

func (t *tab) tell(e event) {
	select {
	case t.events <- e:
	default: // a page that makes hundreds of calls is cut off by the time-out
	}
}

func isTimeline(address string) bool {
	path, _, _ := strings.Cut(address, "?")
	return strings.HasSuffix(path, "/SearchTimeline")
}

// isLogin tells X's ways to ask for a person: the login, and the page of a locked account.
func isLogin(address, base string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	path := strings.TrimPrefix(u.Path, base)
	for _, p := range []string{"/login", "/i/flow/login", "/account/access", "/logout"} {
		if path == p || strings.HasPrefix(path, p+"/") {
			return true
		}
	}
	return false
}
