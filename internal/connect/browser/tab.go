package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// tab is one page of the browser for one search; a fresh one each time, so that nothing stays loaded between searches.
// Its SearchTimeline calls are paused until they are released: a page that loads ahead or tries again spends nothing,
// nor does one that ends: nobody releases its calls.
type tab struct {
	ctx    context.Context
	close  context.CancelFunc
	base   string // path X is mounted under
	events chan pageEvent

	mu    sync.Mutex
	calls map[network.RequestID]*call
}

// pageEvent is what happened on the page; one field is set.
type pageEvent struct {
	request *call
	answer  *call
	login   string
	loadErr error
	crashed bool
}

// call is one SearchTimeline request of the page.
type call struct {
	paused  fetch.RequestID
	status  int
	headers network.Headers
	body    []byte
	err     error
}

const (
	// far more events than one search has: the listener must never block.
	eventRoom = 256
	// short commands to a page that lives.
	pageTimeout = 10 * time.Second
	// a page that is still loading does not answer.
	stateTimeout = 3 * time.Second
)

var (
	errCrashed = errors.New("the page died")
	errHung    = errors.New("the browser does not answer")
)

// errPage is a failure to load that the browser itself reports.
type errPage string

func (e errPage) Error() string { return "the page did not load: " + string(e) }

// media is never loaded: the service reads about videos, it does not watch them.
var media = []string{"*://video.twimg.com/*", "*://pbs.twimg.com/*", "*.mp4", "*.mp4?*", "*.m3u8*", "*.m4s*", "*.jpg", "*.png", "*.webp", "*.woff2"}

// openTries is how often a page that dies while it opens is opened again: nothing was asked of it yet, and what kills one (too
// little memory) kills the one kept ready for the next as well.
const openTries = 3

// open makes a tab; ctx ends it. A browser that does not open one within the timeout hangs.
func (c *chrome) open(ctx context.Context, base string, timeout time.Duration) (t *tab, err error) {
	for range openTries {
		if t, err = c.openOnce(ctx, base, timeout); !errors.Is(err, errCrashed) {
			break
		}
	}
	return t, err
}

// openOnce hears at once of a page that dies: its own commands would wait for ever.
func (c *chrome) openOnce(ctx context.Context, base string, timeout time.Duration) (*tab, error) {
	life, end := context.WithCancelCause(c.ctx)
	timer := time.AfterFunc(timeout, func() { end(errHung) })
	defer timer.Stop()
	stop := context.AfterFunc(ctx, func() { end(ctx.Err()) })
	id, err := c.newTarget(life, func() { end(errCrashed) })
	if err == nil {
		tabCtx, cancel := chromedp.NewContext(life, chromedp.WithTargetID(id))
		t := &tab{ctx: tabCtx, base: base, events: make(chan pageEvent, eventRoom), calls: map[network.RequestID]*call{}}
		t.close = func() { stop(); end(context.Canceled); cancel() }
		chromedp.ListenTarget(tabCtx, t.onEvent)
		// The context of the first run is the tab's life, so it must not carry a time-out.
		err = chromedp.Run(tabCtx, network.Enable(), network.SetBlockedURLs(media), network.SetBypassServiceWorker(true), page.Enable(), c.disguise)
		if timer.Stop() && err == nil && life.Err() == nil {
			chromedp.ListenBrowser(tabCtx, t.onPaused)
			return t, nil
		}
		t.close()
		if chromedp.FromContext(tabCtx).Target == nil { // else closing the tab has closed it
			c.closeTarget(id)
		}
	}
	stop()
	cause := context.Cause(life)
	end(context.Canceled)
	if cause != nil && c.ctx.Err() == nil {
		return nil, cause
	}
	return nil, err
}

// newTarget makes a page in a window of its own: a page behind another one sleeps. crashed is called when it dies, also if it does
// before anybody knows its name.
func (c *chrome) newTarget(ctx context.Context, crashed func()) (target.ID, error) {
	var mu sync.Mutex
	var mine target.ID
	dead := map[target.ID]bool{}
	chromedp.ListenBrowser(ctx, func(ev any) {
		if e, ok := ev.(*target.EventTargetCrashed); ok {
			mu.Lock()
			defer mu.Unlock()
			if dead[e.TargetID] = true; e.TargetID == mine {
				crashed()
			}
		}
	})
	id, err := target.CreateTarget("about:blank").WithNewWindow(true).Do(cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser))
	mu.Lock()
	defer mu.Unlock()
	if mine = id; dead[id] {
		crashed()
	}
	return id, err
}

// closeTarget closes a page that nobody is attached to.
func (c *chrome) closeTarget(id target.ID) {
	ctx, cancel := context.WithTimeout(c.ctx, time.Second)
	defer cancel()
	_ = target.CloseTarget(id).Do(cdp.WithExecutor(ctx, chromedp.FromContext(c.ctx).Browser)) // a browser that hangs is ended
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
			t.emit(pageEvent{loadErr: err})
		}
	}()
}

func (t *tab) release(k *call) error {
	return t.do(chromedp.ActionFunc(func(ctx context.Context) error {
		return fetch.ContinueRequest(k.paused).Do(cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser))
	}))
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

// What a page can show.
const (
	pageLogin = "login"
	pageError = "error"
	pageEmpty = "empty"
	pagePosts = "posts"
	pageHome  = "home"
)

// pageState asks the page what it shows. Results never come from the page, only from its calls.
func (t *tab) pageState() (seen, account string) {
	var out struct{ Seen, Account string }
	if err := t.within(stateTimeout, chromedp.Evaluate(stateScript, &out)); err != nil {
		return "", ""
	}
	return out.Seen, out.Account
}

const stateScript = `(() => {
	const has = s => !!document.querySelector(s);
	const link = document.querySelector('[data-testid="AppTabBar_Profile_Link"]');
	const account = link ? new URL(link.href).pathname.split("/").pop() : "";
	let seen = "";
	if (has('[data-testid="tweet"]')) seen = "posts";
	else if (has('[data-testid="emptyState"]')) seen = "empty";
	else if (has('[data-testid="error-detail"]') || /something went wrong/i.test(document.body ? document.body.innerText : "")) seen = "error";
	else if (has('input[autocomplete="username"], [data-testid="loginButton"], [data-testid="LoginForm_Login_Button"]')) seen = "login";
	else if (link) seen = "home";
	return {Seen: seen, Account: account};
})()`

// onEvent runs inside the browser's event loop, so it must not wait: it notes what happened, and each body is read in a
// goroutine of its own.
func (t *tab) onEvent(ev any) {
	switch e := ev.(type) {
	case *network.EventResponseReceived:
		if k := t.call(e.RequestID, false); k != nil {
			k.status, k.headers = int(e.Response.Status), e.Response.Headers
		}
		if e.Type == network.ResourceTypeDocument && e.Response.Status >= 400 && e.FrameID == t.frame() {
			t.emit(pageEvent{loadErr: errPage(fmt.Sprintf("HTTP %d", e.Response.Status))})
		}
	case *network.EventLoadingFinished:
		if k := t.call(e.RequestID, true); k != nil {
			go t.readBody(e.RequestID, k)
		}
	case *network.EventLoadingFailed:
		if k := t.call(e.RequestID, true); k != nil {
			k.err = errors.New(e.ErrorText)
			t.emit(pageEvent{answer: k})
		}
	case *page.EventFrameNavigated:
		if e.Frame.ParentID == "" {
			t.onNavigated(e.Frame.URL)
		}
	case *page.EventNavigatedWithinDocument:
		t.onNavigated(e.URL)
	case *inspector.EventTargetCrashed, *inspector.EventDetached:
		t.emit(pageEvent{crashed: true})
	}
}

// onPaused hears of the paused calls of all tabs and takes its own.
func (t *tab) onPaused(ev any) {
	e, ok := ev.(*fetch.EventRequestPaused)
	if !ok || e.FrameID != t.frame() {
		return
	}
	k := &call{paused: e.RequestID}
	if !isTimeline(e.Request.URL) || e.Request.Method == http.MethodOptions {
		go func() { _ = t.release(k) }() // a page that is gone needs nothing
		return
	}
	t.mu.Lock()
	t.calls[e.NetworkID] = k
	t.mu.Unlock()
	t.emit(pageEvent{request: k})
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

func (t *tab) readBody(id network.RequestID, k *call) {
	executor := cdp.WithExecutor(t.ctx, chromedp.FromContext(t.ctx).Target)
	k.body, k.err = network.GetResponseBody(id).Do(executor)
	t.emit(pageEvent{answer: k})
}

func (t *tab) onNavigated(address string) {
	if isLogin(address, t.base) {
		t.emit(pageEvent{login: address})
	}
}

func (t *tab) emit(e pageEvent) {
	select {
	case t.events <- e:
	default: // a page that makes hundreds of calls is cut off by the time-out
	}
}

func isTimeline(address string) bool {
	path, _, _ := strings.Cut(address, "?")
	return strings.HasSuffix(path, "/SearchTimeline")
}

// isLogin recognizes the pages where X asks for a person: the login, and that of a locked account.
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
