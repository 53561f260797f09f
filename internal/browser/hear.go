package browser

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

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
	if !isTimeline(e.Request.URL) || e.Request.Method == http.MethodOptions {
		go func() { _ = t.let(k) }() // a page that is gone needs nothing
		return
	}
	t.mu.Lock()
	t.calls[e.NetworkID] = k
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
