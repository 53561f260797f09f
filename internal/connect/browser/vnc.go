package browser

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

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
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		if c, err := new(net.Dialer).DialContext(ctx, "tcp", addr); err == nil {
			return c.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s does not listen at %s", name, addr)
		case <-prog.ended:
			return fmt.Errorf("%s ended instead of listening at %s: %s", name, addr, prog.stderr)
		case <-again.C:
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
