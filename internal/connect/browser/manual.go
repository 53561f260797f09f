package browser

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/footy"
)

// manualBrowser is a browser without automation for a person to log in with: X refuses automated ones. It has the profile to
// itself; searches wait meanwhile.
type manualBrowser struct {
	helpers []*program // what shows the browser where there is no display
	browser *program
	dir     string // secrets of the display, removed at the end
	url     string // address of noVNC; "" for a window
	done    chan struct{}
}

// manualLimit ends a browser that a person forgot: searches wait for it.
const manualLimit = 30 * time.Minute

// LaunchManual opens the login page in a browser without automation, in a window or through noVNC, and returns where to look: the
// address of noVNC, or "" for a window. Where one is open already it is that one's address. When the person closes it, or
// asks to verify, the login is verified and the cookies are kept.
func (s *Service) LaunchManual(ctx context.Context) (string, error) {
	const op = "launch a browser for a person"
	if s.opts.Display == "" && !s.opts.VNC {
		return "", footy.Errorf(footy.CodeConflict, op, "there is no display: set X_VNC=true for one in your web browser, or bring cookies (footy x import-cookies FILE)")
	}
	s.happened(account.Event{Kind: account.Asked}) // ends a search or a check under way
	s.acting.Lock()
	defer s.acting.Unlock()
	s.happened(account.Event{Kind: account.Asked}) // who had the lock may have failed to open one
	s.mu.Lock()
	has, open := s.account.Has, s.manual
	s.mu.Unlock()
	switch {
	case has == account.Ended:
		return "", errClosed
	case open != nil:
		return open.url, nil
	}
	p := &manualBrowser{done: make(chan struct{})}
	err := p.start(ctx, s)
	s.mu.Lock()
	if err == nil && s.account.Has == account.Ended {
		err = errClosed
	}
	if err == nil {
		s.manual = p
	}
	s.mu.Unlock()
	if err != nil {
		p.end()
		s.happened(account.Event{Kind: account.Refused})
		if errors.Is(err, errClosed) {
			s.screen.end()
		}
		return "", footy.Wrap(footy.CodeUnavailable, op, err)
	}
	go s.awaitManual(context.WithoutCancel(ctx), p)
	return p.url, nil
}

// awaitManual waits until the person is done and checks the login then.
func (s *Service) awaitManual(ctx context.Context, p *manualBrowser) {
	forgotten := time.AfterFunc(manualLimit, p.browser.end)
	<-p.browser.ended
	forgotten.Stop()
	s.happened(account.Event{Kind: account.Left})
	close(p.done)
	s.Authenticate(ctx)
}

// endManual takes the profile back: the person says that they are done.
func (s *Service) endManual() {
	s.mu.Lock()
	p := s.manual
	s.mu.Unlock()
	if p != nil {
		p.browser.end()
		<-p.done
	}
}

// start opens the login page in the browser that searches, without remote control and with pictures.
func (p *manualBrowser) start(ctx context.Context, s *Service) error {
	o := s.opts
	profile, err := claimProfile(o.Dir)
	if err != nil {
		return err
	}
	on := display{name: o.Display}
	if on.name == "" {
		if on, err = p.startVNC(ctx, &s.screen, o); err != nil {
			return err
		}
	}
	if on.name == Desktop {
		on.name = ""
	}
	p.browser, err = startProgram(on.env(browsing...), nil, o.Chromium, append(o.sharedFlags(profile), o.BaseURL+"/i/flow/login")...)
	return err
}

// end ends what was started, the browser first.
func (p *manualBrowser) end() {
	if p.browser != nil {
		p.browser.end()
	}
	for i := len(p.helpers) - 1; i >= 0; i-- {
		p.helpers[i].end()
	}
	if p.dir != "" {
		_ = os.RemoveAll(p.dir)
	}
}

// noVNC is where systems install its page.
var noVNC = []string{"/usr/share/novnc", "/usr/share/webapps/novnc", "/usr/share/noVNC"}

const installVNC = "install them (make vnc; Debian: apt-get install xvfb x11vnc novnc websockify)"

// vncTimeout is for programs that start within a second on a machine that is not busy.
const vncTimeout = 20 * time.Second

// startVNC shows the screen in memory to web browsers: x11vnc with a password for this one time, and noVNC.
func (p *manualBrowser) startVNC(ctx context.Context, on *screen, o Options) (is display, err error) {
	page := ""
	for _, dir := range noVNC {
		if _, err := os.Stat(filepath.Join(dir, "vnc.html")); err == nil {
			page = dir
		}
	}
	for _, name := range []string{xvfb, "x11vnc", "websockify"} {
		if _, err := exec.LookPath(name); err != nil {
			return is, fmt.Errorf("%w; %s", err, installVNC)
		}
	}
	if page == "" {
		return is, fmt.Errorf("noVNC is not in %s; %s", strings.Join(noVNC, ", "), installVNC)
	}
	if p.dir, err = os.MkdirTemp("", "footy-vnc-"); err != nil {
		return is, err
	}
	if is, err = on.start(o.Dir); err != nil {
		return is, err
	}
	password, file := rand.Text()[:8], filepath.Join(p.dir, "password") // VNC takes eight characters
	if err := os.WriteFile(file, []byte(password+"\n"), 0o600); err != nil {
		return is, err
	}
	vnc, err := freeAddr(ctx)
	if err != nil {
		return is, err
	}
	_, port, _ := net.SplitHostPort(vnc)
	if err := p.startServer(ctx, vnc, is, "x11vnc", "-display", is.name, "-localhost", "-rfbport", port, "-no6", "-noipv6", "-passwdfile", file, "-forever", "-shared", "-quiet"); err != nil {
		return is, err
	}
	if err := p.startServer(ctx, o.VNCAddr, display{}, "websockify", "--web", page, o.VNCAddr, vnc); err != nil {
		return is, fmt.Errorf("%w; is X_VNC_ADDR=%s free?", err, o.VNCAddr)
	}
	if p.url, err = pageURL(cmp.Or(o.VNCURL, "http://"+publicAddr(o.VNCAddr)), password); err != nil {
		return is, err
	}
	return is, nil
}

// pageURL is the address of noVNC's page below at. What stands behind # stays in the person's browser: no log of a proxy has the password.
func pageURL(at, password string) (string, error) {
	u, err := url.Parse(at)
	if err != nil {
		return "", fmt.Errorf("X_VNC_URL: %w", err)
	}
	u.Fragment = "autoconnect=1&resize=scale&password=" + password
	if below := strings.Trim(u.Path, "/"); below != "" { // noVNC connects to the root of its host unless told otherwise
		u.Fragment = "path=" + below + "/websockify&" + u.Fragment
	}
	return u.JoinPath("vnc.html").String(), nil
}

// publicAddr is the address to look at where addr is one to listen on.
func publicAddr(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		if name, err := os.Hostname(); err == nil {
			return net.JoinHostPort(name, port)
		}
	}
	return addr
}

// startServer starts a program and waits until it listens at addr.
func (p *manualBrowser) startServer(ctx context.Context, addr string, on display, name string, args ...string) error {
	if c, err := new(net.Dialer).DialContext(ctx, "tcp", addr); err == nil {
		_ = c.Close()
		return fmt.Errorf("another program listens at %s already", addr)
	}
	prog, err := startProgram(on.env(), nil, name, args...)
	if err != nil {
		return err
	}
	p.helpers = append(p.helpers, prog)
	ctx, cancel := context.WithTimeout(ctx, vncTimeout)
	defer cancel()
	for {
		if c, err := new(net.Dialer).DialContext(ctx, "tcp", addr); err == nil {
			return c.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s does not listen at %s", name, addr)
		case <-prog.ended:
			return fmt.Errorf("%s ended instead of listening at %s: %s", name, addr, prog.stderr.Short())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// freeAddr is an address of loopback that nobody listens at.
func freeAddr(ctx context.Context) (string, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
