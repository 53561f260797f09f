package browser

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/footy"
)

// chrome is one running Chromium. Its context ends when the process dies or is closed.
type chrome struct {
	ctx      context.Context
	program  *program
	stop     context.CancelFunc
	disguise chromedp.Action // makes a page of a browser without a window look as it would with one
}

// startTimeout bounds the start of Chromium on a busy machine.
const startTimeout = 60 * time.Second

var (
	errManual = footy.Errorf(footy.CodeAuthRequired, "start chromium", account.LogsIn)
	errClosed = footy.Errorf(footy.CodeUnavailable, "start chromium", "the search service is ending")
)

// browser returns the running Chromium and starts it where it is not running, or no longer.
func (s *Service) browser() (*chrome, error) {
	if c, err := s.running(); c != nil || err != nil {
		return c, err
	}
	s.acting.Lock()
	defer s.acting.Unlock()
	return s.start()
}

// start is browser for who acts already.
func (s *Service) start() (*chrome, error) {
	if c, err := s.running(); c != nil || err != nil {
		return c, err
	}
	c, err := s.launch()
	if err != nil {
		return nil, err
	}
	if err := s.restore(c); err != nil {
		c.stop()
		return nil, err
	}
	if s.step(account.Event{Kind: account.Started}, c) {
		return c, nil
	}
	c.close() // a person or the end came first
	_, err = s.running()
	if errors.Is(err, errClosed) {
		s.screen.end()
	}
	return nil, err
}

// running is the living Chromium, nil where there is none.
func (s *Service) running() (*chrome, error) {
	s.mu.Lock()
	has, c := s.account.Has, s.chrome
	s.mu.Unlock()
	switch {
	case has == account.Ended:
		return nil, errClosed
	case has == account.Person:
		return nil, errManual
	case c == nil || c.ctx.Err() == nil:
		return c, nil
	}
	if s.step(account.Event{Kind: account.Died}, c) {
		s.opts.Log.Warn("chromium died and is started again", "module", "browser", "action", "restart")
	}
	return nil, nil //nolint:nilnil // none and nothing wrong
}

// launch starts Chromium and makes it look as the person's browser does.
func (s *Service) launch() (*chrome, error) {
	const op = "start chromium"
	if err := s.startable(); err != nil {
		return nil, err
	}
	profile, err := claimProfile(s.opts.Dir)
	if err != nil {
		return nil, err
	}
	c, err := s.program(profile, s.place())
	if err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	// The context of the first run is the browser's life, so it must not carry a time-out.
	timer := time.AfterFunc(startTimeout, c.stop)
	if err = c.openFirst(); err == nil {
		err = chromedp.Run(c.ctx, chromedp.ActionFunc(pauseCalls), chromedp.ActionFunc(func(ctx context.Context) error { return c.identify(ctx, s.opts) }))
	}
	if !timer.Stop() && err == nil {
		err = context.DeadlineExceeded
	}
	if err != nil {
		c.stop()
		return nil, footy.Errorf(footy.CodeUnavailable, op, "%w: %s", err, c.program.stderr.Short())
	}
	return c, nil
}

// program starts Chromium and leads chromedp to it. The context ends when Chromium does.
func (s *Service) program(profile string, at display) (*chrome, error) {
	in, out, theirs, err := newPipes()
	if err != nil {
		return nil, err
	}
	life, cancel := context.WithCancel(context.Background())
	address, err := relay(life, in, out)
	if err == nil {
		var p *program
		if p, err = startProgram(at.env(browsing...), theirs, s.opts.Chromium, s.flags(profile, at)...); err == nil {
			alloc, release := chromedp.NewRemoteAllocator(life, address, chromedp.NoModifyURL)
			ctx, forget := chromedp.NewContext(alloc)
			context.AfterFunc(ctx, func() { forget(); release() })
			return &chrome{ctx: ctx, program: p, stop: func() { cancel(); p.kill() }, disguise: chromedp.Tasks{}}, nil
		}
	}
	cancel()
	closeAll(theirs)
	return nil, err
}

// openFirst opens the page that keeps the browser alive and speaks for all of it.
func (c *chrome) openFirst() error {
	if _, err := chromedp.Targets(c.ctx); err != nil { // connects
		return err
	}
	all := cdp.WithExecutor(c.ctx, chromedp.FromContext(c.ctx).Browser)
	if err := target.SetDiscoverTargets(true).Do(all); err != nil { // tells of pages that die
		return err
	}
	id, err := target.CreateTarget("about:blank").WithNewWindow(true).Do(all)
	if err != nil {
		return err
	}
	ctx, forget := chromedp.NewContext(c.ctx, chromedp.WithTargetID(id))
	context.AfterFunc(ctx, forget)
	c.ctx = ctx
	return nil
}

// pauseCalls pauses every SearchTimeline call until it is released. The browser pauses them, not the tab: what is paused
// for a tab is sent when the tab closes, and so is what its page asks for while it ends.
func pauseCalls(ctx context.Context) error {
	return fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: "*/SearchTimeline*", RequestStage: fetch.RequestStageRequest}}).
		Do(cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser))
}

func (s *Service) startable() error {
	if _, err := exec.LookPath(s.opts.Chromium); err != nil {
		return footy.Errorf(footy.CodeUnavailable, "start chromium", "%w; install it (Debian: apt-get install chromium)", err)
	}
	return nil
}

// flags are those of both browsers, and what a page does not see: no pictures, no media, nothing in the background. A browser that is
// driven would say so to pages, which the person's does not: AutomationControlled.
func (s *Service) flags(profile string, at display) []string {
	args := append(s.opts.sharedFlags(profile), "--remote-debugging-pipe", "--disable-blink-features=AutomationControlled", "--no-startup-window",
		"--mute-audio", "--disable-sync", "--disable-background-networking",
		"--disable-component-update", "--disable-default-apps", "--disable-breakpad", "--autoplay-policy=user-gesture-required",
		"--blink-settings=imagesEnabled=false", "--disk-cache-size="+strconv.Itoa(64<<20),
		// Windows lie on top of each other; none may sleep.
		"--disable-renderer-backgrounding", "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows")
	if at.name == "" {
		args = append(args, "--headless=new", "--disable-gpu", "--screen-info={"+screenSize+"}")
	}
	return args
}

// close lets Chromium end by itself, so that it writes its profile, and kills it where it does not.
func (c *chrome) close() {
	c.program.end()
	c.stop()
}

// do runs an action on the browser as a whole, bounded by ctx.
func (c *chrome) do(ctx context.Context, f func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(c.ctx, 20*time.Second)
	defer cancel()
	stop := context.AfterFunc(ctx, cancel)
	defer stop()
	err := chromedp.Run(bounded, chromedp.ActionFunc(f))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// browserFailed reports whether an error means that the browser or its page failed, not X.
func (c *chrome) browserFailed(err error) bool {
	return c.ctx.Err() != nil || errors.Is(err, errCrashed) || errors.Is(err, errHung) ||
		errors.Is(err, chromedp.ErrInvalidContext) || errors.Is(err, chromedp.ErrChannelClosed)
}

// A debugging port is open to every user of the machine, and whoever reaches it can read the session's cookies. So Chromium is
// driven through two pipes, its files 3 and 4, which only this process holds.

func newPipes() (in io.ReadCloser, out io.WriteCloser, theirs []*os.File, err error) {
	commands, out, err := os.Pipe()
	if err != nil {
		return nil, nil, nil, err
	}
	in, answers, err := os.Pipe()
	if err != nil {
		_ = commands.Close()
		_ = out.Close()
		return nil, nil, nil, err
	}
	return in, out, []*os.File{commands, answers}, nil
}

// relay leads to the pipes from an address for chromedp, which speaks WebSocket alone. The address has an unguessable name and takes
// one connection; then nothing listens at it any more. The pipes are closed when the connection ends, or ctx before there is one.
func relay(ctx context.Context, in io.ReadCloser, out io.WriteCloser) (address string, err error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	name := "/" + rand.Text()
	srv := &http.Server{ReadHeaderTimeout: 10 * time.Second}
	unused := context.AfterFunc(ctx, func() {
		_ = srv.Close()
		_ = in.Close()
		_ = out.Close()
	})
	srv.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.URL.Path), []byte(name)) != 1 || !unused() {
			http.NotFound(w, r)
			return
		}
		_ = l.Close()
		defer in.Close()
		defer out.Close()
		conn, _, _, err := ws.UpgradeHTTP(r, w)
		if err != nil {
			return // and chromedp's call fails
		}
		go forward(conn, in)
		drive(conn, out)
	})
	go func() { _ = srv.Serve(l) }()
	return "ws://" + l.Addr().String() + name, nil
}

// forward sends what Chromium says. Its messages end with a zero byte.
func forward(conn net.Conn, in io.Reader) {
	defer conn.Close()
	for messages := bufio.NewReader(in); ; {
		m, err := messages.ReadBytes(0)
		if err != nil || wsutil.WriteServerText(conn, m[:len(m)-1]) != nil {
			return
		}
	}
}

// drive sends what chromedp says, until either side has ended.
func drive(conn net.Conn, out io.Writer) {
	defer conn.Close()
	for {
		m, err := wsutil.ReadClientText(conn)
		if err == nil {
			_, err = out.Write(append(m, 0))
		}
		if err != nil {
			return
		}
	}
}
