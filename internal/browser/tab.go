package browser

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// tab is one page of the browser for one search; a fresh one each time, so that nothing stays loaded between searches.
type tab struct {
	ctx    context.Context
	close  context.CancelFunc
	base   string // path X is mounted under
	events chan event

	mu    sync.Mutex
	calls map[network.RequestID]*call
}

// event is what the page tells: a call began, a call was answered, the page went to the login, the page died.
type event struct {
	started *call
	ended   *call
	login   string
	died    bool
}

// call is one SearchTimeline request of the page.
type call struct {
	url     string
	status  int
	headers network.Headers
	body    []byte
	err     error
}

// eventRoom is far more than one search can tell: the listener must never block.
const eventRoom = 256

// media is never loaded: the service reads what is said about videos, not the videos.
var media = []string{"*://video.twimg.com/*", "*://pbs.twimg.com/*", "*.mp4", "*.mp4?*", "*.m3u8*", "*.m4s*", "*.jpg", "*.png", "*.webp", "*.woff2"}

// open makes a tab that listens; ctx ends it.
func (c *chrome) open(ctx context.Context, base string) (*tab, error) {
	tabCtx, cancel := chromedp.NewContext(c.ctx)
	stop := context.AfterFunc(ctx, cancel)
	t := &tab{ctx: tabCtx, base: base, events: make(chan event, eventRoom), calls: map[network.RequestID]*call{}}
	t.close = func() { stop(); cancel() }
	chromedp.ListenTarget(tabCtx, t.hear)
	err := chromedp.Run(tabCtx, network.Enable(), network.SetBlockedURLs(media), page.Enable())
	if err != nil {
		t.close()
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, err
	}
	return t, nil
}

// hear runs inside the browser's event loop: it may only note and hand on. Bodies are taken at loadingFinished, in a
// goroutine of their own.
func (t *tab) hear(ev any) {
	switch e := ev.(type) {
	case *network.EventRequestWillBeSent:
		if isTimeline(e.Request.URL) && e.Request.Method != "OPTIONS" {
			k := &call{url: e.Request.URL}
			t.mu.Lock()
			t.calls[e.RequestID] = k
			t.mu.Unlock()
			t.tell(event{started: k})
		}
	case *network.EventResponseReceived:
		if k := t.call(e.RequestID, false); k != nil {
			k.status, k.headers = int(e.Response.Status), e.Response.Headers
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

// visit opens an address without waiting for it to load: a page that hangs would never be.
func (t *tab) visit(address string) error {
	return chromedp.Run(t.ctx, chromedp.ActionFunc(func(ctx context.Context) error {
		_, _, failed, _, err := page.Navigate(address).Do(ctx)
		if err == nil && failed != "" && failed != "net::ERR_ABORTED" {
			err = errPage(failed)
		}
		return err
	}))
}

// errPage is a failure to load that the browser itself reports.
type errPage string

func (e errPage) Error() string { return "the page did not load: " + string(e) }

// scroll goes to the end, which makes the page load more.
func (t *tab) scroll() error {
	return chromedp.Run(t.ctx, chromedp.Evaluate(`window.scrollTo(0, document.documentElement.scrollHeight); 0`, nil))
}

// look asks the page what it shows.
func (t *tab) look() (seen string, account string) {
	var out struct{ Seen, Account string }
	if err := chromedp.Run(t.ctx, chromedp.Evaluate(lookScript, &out)); err != nil {
		return "", ""
	}
	return out.Seen, out.Account
}

// What a page can show.
const (
	seenLogin = "login"
	seenError = "error"
	seenEmpty = "empty"
	seenPosts = "posts"
	seenHome  = "home"
)

const lookScript = `(() => {
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
