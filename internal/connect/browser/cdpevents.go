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
