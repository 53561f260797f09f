package browser

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/chromedp/cdproto/fetch"
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
	live  bool // it was opened
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
	t := &tab{ctx: tabCtx, base: base, events: make(chan event, eventRoom), calls: map[network.RequestID]*call{}}
	stop := context.AfterFunc(ctx, func() { t.shut(); cancel() })
	t.close = func() { stop(); t.shut(); cancel() }
	chromedp.ListenTarget(tabCtx, t.hear)
	// The context of the first run is the tab's life, so it must not carry a time-out.
	timer := time.AfterFunc(timeout, cancel)
	err := chromedp.Run(tabCtx, network.Enable(), network.SetBlockedURLs(media), network.SetBypassServiceWorker(true), page.Enable(),
		fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: "*/SearchTimeline*", RequestStage: fetch.RequestStageRequest}}))
	hung := !timer.Stop()
	if err == nil && !hung {
		t.mu.Lock()
		t.live = true
		t.mu.Unlock()
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
	t.mu.Lock()
	live := t.live && !t.over
	t.mu.Unlock()
	if !live || t.ctx.Err() != nil {
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
