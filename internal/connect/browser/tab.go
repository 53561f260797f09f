package browser

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/devtools"
)

// tab is one page of the browser for one search; a fresh one each time, so that nothing stays loaded between searches.
// Its SearchTimeline calls are paused until they are released: a page that loads ahead or tries again spends nothing,
// nor does one that ends: nobody releases its calls.
type tab struct {
	devtools.Session
	chrome *chrome
	page   string          // its name, and that of its main frame
	base   string          // path X is mounted under
	ctx    context.Context // ends with the page; its cause says why
	end    context.CancelCauseFunc
	left   func() bool // the caller need not be watched any more
	events chan pageEvent
	calls  map[string]*call // under way, by the network's name for them; only listeners read it, one at a time
}

// pageEvent is what happened on the page; one field is set.
type pageEvent struct {
	request *call
	answer  *call
	login   string
	loadErr error
}

// call is one SearchTimeline request of the page.
type call struct {
	paused string
	status int
	header http.Header
	body   []byte
	err    error
}

const (
	// far more events than one search has: the listener must never block.
	eventRoom = 256
	// short commands to a page that lives.
	pageTimeout = 10 * time.Second
	// a page that is still loading does not answer.
	stateTimeout = 3 * time.Second
	// what a page that is closed may still take; a browser that hangs is ended.
	closeTimeout = time.Second
)

var errCrashed = errors.New("the page died")

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

func (c *chrome) openOnce(ctx context.Context, base string, timeout time.Duration) (*tab, error) {
	t := &tab{chrome: c, base: base, events: make(chan pageEvent, eventRoom), calls: map[string]*call{}}
	t.ctx, t.end = context.WithCancelCause(c.Life)
	hung := time.AfterFunc(timeout, func() { t.end(errHung) })
	var made struct{ TargetID string }
	// In a window of its own: a page behind another one sleeps.
	if err := c.Call(t.ctx, "Target.createTarget", devtools.Params{"url": "about:blank", "newWindow": true}, &made); err != nil {
		t.end(err)
		return nil, err
	}
	t.page = made.TargetID
	c.tabs.Store(t.page, t)
	t.left = context.AfterFunc(ctx, func() { t.end(ctx.Err()) })
	if err := t.attach(); !hung.Stop() || err != nil {
		t.close()
		return nil, cmp.Or(err, errHung)
	}
	return t, nil
}

// attach switches on what a search reads. Inspector is first: it says at once that a page is dead, to which all else would wait for ever.
func (t *tab) attach() (err error) {
	if t.Session, err = t.chrome.Attach(t.ctx, t.page, t.onEvent); err != nil {
		return err
	}
	for _, domain := range []string{"Inspector", "Network", "Page"} {
		if err = t.Call(t.ctx, domain+".enable", nil, nil); err != nil {
			return err
		}
	}
	err = t.Call(t.ctx, "Network.setBlockedURLs", devtools.Params{"urls": media}, nil)
	if err == nil {
		err = t.Call(t.ctx, "Network.setBypassServiceWorker", devtools.Params{"bypass": true}, nil)
	}
	if err == nil && t.chrome.agent != nil {
		err = t.Call(t.ctx, "Emulation.setUserAgentOverride", t.chrome.agent, nil)
	}
	return err
}

func (t *tab) close() {
	t.left()
	t.end(context.Canceled)
	t.chrome.tabs.Delete(t.page)
	ctx, cancel := context.WithTimeout(t.chrome.Life, closeTimeout)
	defer cancel()
	_ = t.chrome.Call(ctx, "Target.closeTarget", devtools.Params{"targetId": t.page}, nil) // a browser that hangs is ended
}

// visit opens an address without waiting for it: a page that hangs would never be there.
func (t *tab) visit(address string) {
	go func() {
		var answer struct{ ErrorText string }
		err := t.Call(t.ctx, "Page.navigate", devtools.Params{"url": address}, &answer)
		if err == nil && answer.ErrorText != "" && answer.ErrorText != "net::ERR_ABORTED" {
			err = errPage(answer.ErrorText)
		}
		if err != nil {
			t.emit(pageEvent{loadErr: err})
		}
	}()
}

// await has the page's events handled until that is done, or the time is up. The page ends when the one who opened it leaves.
func (t *tab) await(limit time.Duration, handle func(pageEvent) (done bool, err error)) (done bool, err error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for !done && err == nil {
		select {
		case <-t.ctx.Done():
			return false, context.Cause(t.ctx)
		case <-timer.C:
			return false, nil
		case e := <-t.events:
			done, err = handle(e)
		}
	}
	return done, err
}

// release sends a paused call. The browser paused it, not the tab.
func (t *tab) release(k *call) error {
	ctx, cancel := context.WithTimeout(t.ctx, pageTimeout)
	defer cancel()
	return t.chrome.Call(ctx, "Fetch.continueRequest", devtools.Params{"requestId": k.paused}, nil)
}

// scroll goes to the end, which makes the page load more; from a little above, because a page that is there already
// would not notice.
func (t *tab) scroll() error {
	return t.evaluate(pageTimeout, `window.scrollBy(0, -200); window.scrollTo(0, document.documentElement.scrollHeight); 0`, nil)
}

func (t *tab) evaluate(limit time.Duration, script string, result any) error {
	ctx, cancel := context.WithTimeout(t.ctx, limit)
	defer cancel()
	return t.Evaluate(ctx, script, result)
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
	if err := t.evaluate(stateTimeout, stateScript, &out); err != nil {
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

// onEvent hears of the page. It must not wait, so each body is read in a goroutine of its own.
func (t *tab) onEvent(method string, params json.RawMessage) {
	var e struct {
		RequestID, FrameID, Type, ErrorText, URL string
		Response                                 struct {
			Status  int
			Headers map[string]string
		}
		Frame struct{ ParentID, URL string }
	}
	switch method {
	case "Inspector.targetCrashed", "Inspector.detached":
		t.end(errCrashed)
		return
	case "Network.responseReceived", "Network.loadingFinished", "Network.loadingFailed", "Page.frameNavigated", "Page.navigatedWithinDocument":
	default:
		return
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	k := t.calls[e.RequestID]
	switch {
	case method == "Page.frameNavigated" && e.Frame.ParentID == "":
		t.onNavigated(e.Frame.URL)
	case method == "Page.navigatedWithinDocument":
		t.onNavigated(e.URL)
	case method == "Network.responseReceived" && k != nil:
		k.status, k.header = e.Response.Status, http.Header{}
		for name, value := range e.Response.Headers {
			k.header.Set(name, value)
		}
	case method == "Network.responseReceived" && e.Type == "Document" && e.Response.Status >= 400 && e.FrameID == t.page:
		t.emit(pageEvent{loadErr: errPage(fmt.Sprintf("HTTP %d", e.Response.Status))})
	case method == "Network.loadingFinished" && k != nil:
		delete(t.calls, e.RequestID)
		go t.readBody(e.RequestID, k)
	case method == "Network.loadingFailed" && k != nil:
		delete(t.calls, e.RequestID)
		k.err = errors.New(e.ErrorText)
		t.emit(pageEvent{answer: k})
	}
}

// paused is a call that the browser has paused.
type paused struct {
	RequestID, FrameID, NetworkID string
	Request                       struct{ URL, Method string }
}

func (t *tab) onPaused(e paused) {
	k := &call{paused: e.RequestID}
	if !isTimeline(e.Request.URL) || e.Request.Method == http.MethodOptions {
		go func() { _ = t.release(k) }() // a page that is gone needs nothing
		return
	}
	t.calls[e.NetworkID] = k
	t.emit(pageEvent{request: k})
}

func (t *tab) readBody(id string, k *call) {
	var answer struct {
		Body          string
		Base64Encoded bool
	}
	k.err = t.Call(t.ctx, "Network.getResponseBody", devtools.Params{"requestId": id}, &answer)
	if k.body = []byte(answer.Body); k.err == nil && answer.Base64Encoded {
		k.body, k.err = base64.StdEncoding.DecodeString(answer.Body)
	}
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
