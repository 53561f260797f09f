package browser

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// plain is a browser without automation for a person to log in with: X refuses automated ones. It has the profile to
// itself; searches wait meanwhile.
type plain struct {
	mu    sync.Mutex
	procs []*exec.Cmd // the browser last
	dir   string      // secrets of the screen, removed at the end
	done  chan struct{}
}

// noVNC's files as Debian installs them.
const noVNC = "/usr/share/novnc"

// LaunchPlain opens the login page in a plain browser, in a window or through noVNC, and returns where to look: the
// address of noVNC, or "" for a window. When the person closes it, the login is verified and the cookies are kept.
func (s *Service) LaunchPlain(ctx context.Context) (string, error) {
	const op = "launch a browser for a person"
	if s.opts.Display == "" && !s.opts.VNC {
		return "", footy.Errorf(footy.CodeConflict, op, "there is no display: set X_VNC=true for one in your web browser, or bring cookies (footy x import-cookies FILE)")
	}
	s.mu.Lock()
	if s.plain != nil {
		s.mu.Unlock()
		return "", footy.Errorf(footy.CodeConflict, op, "it is open already")
	}
	p := &plain{done: make(chan struct{})}
	running := s.chrome
	s.plain, s.chrome = p, nil
	s.mu.Unlock()
	if running != nil {
		running.close()
	}
	where, err := p.start(s.opts)
	if err != nil {
		p.stop()
		close(p.done)
		s.mu.Lock()
		s.plain = nil
		s.mu.Unlock()
		return "", footy.Wrap(footy.CodeUnavailable, op, err)
	}
	go s.awaitPlain(context.WithoutCancel(ctx), p)
	return where, nil
}

func (s *Service) awaitPlain(ctx context.Context, p *plain) {
	_ = p.browser().Wait() // how a person ends a browser is their business
	p.stop()
	s.mu.Lock()
	mine := s.plain == p
	if mine {
		s.plain, s.by = nil, true
	}
	s.mu.Unlock()
	close(p.done)
	if mine {
		s.Authenticate(ctx)
	}
}

// withPerson tells that a person has the profile.
func (s *Service) withPerson() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plain != nil
}

func (p *plain) start(o Options) (string, error) {
	display, where := o.Display, ""
	if display == "" {
		var err error
		if display, where, err = p.screen(o); err != nil {
			return "", err
		}
	}
	profile := filepath.Join(o.Dir, "profile")
	if err := os.MkdirAll(profile, 0o700); err != nil {
		return "", err
	}
	unlock(profile)
	args := []string{"--user-data-dir=" + profile, "--password-store=basic", "--no-first-run", "--no-default-browser-check", "--window-size=1280,900"}
	if os.Getuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	return where, p.run(display, nil, o.Chromium, append(args, o.BaseURL+"/i/flow/login")...)
}

// screen makes a display that a web browser can show: Xvfb, x11vnc behind a one-time password, noVNC.
func (p *plain) screen(o Options) (display, where string, err error) {
	for _, name := range []string{"Xvfb", "x11vnc", "websockify"} {
		if _, err := exec.LookPath(name); err != nil {
			return "", "", fmt.Errorf("%w; install them (Debian: apt-get install xvfb x11vnc novnc websockify)", err)
		}
	}
	if p.dir, err = os.MkdirTemp("", "footy-vnc-"); err != nil {
		return "", "", err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return "", "", err
	}
	defer r.Close()
	err = p.run("", w, "Xvfb", "-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp")
	w.Close()
	if err != nil {
		return "", "", err
	}
	if display, err = number(r); err != nil {
		return "", "", err
	}
	secret := make([]byte, 4)
	_, _ = rand.Read(secret) // never fails
	password, file := hex.EncodeToString(secret), filepath.Join(p.dir, "password")
	if err := os.WriteFile(file, []byte(password+"\n"), 0o600); err != nil {
		return "", "", err
	}
	port, err := free()
	if err != nil {
		return "", "", err
	}
	if err := p.run(display, nil, "x11vnc", "-display", display, "-localhost", "-rfbport", port, "-passwdfile", file, "-forever", "-quiet"); err != nil {
		return "", "", err
	}
	if err := p.run("", nil, "websockify", "--web", noVNC, o.VNCAddr, "127.0.0.1:"+port); err != nil {
		return "", "", err
	}
	u := url.URL{Scheme: "http", Host: o.VNCAddr, Path: "/vnc.html", RawQuery: "autoconnect=1", Fragment: "password=" + password}
	return display, u.String(), nil
}

// number reads the display that Xvfb chose.
func number(r *os.File) (string, error) {
	_ = r.SetReadDeadline(time.Now().Add(15 * time.Second))
	buf := make([]byte, 16)
	n, err := r.Read(buf)
	if err != nil {
		return "", fmt.Errorf("Xvfb did not start: %w", err)
	}
	if _, err := strconv.Atoi(strings.TrimSpace(string(buf[:n]))); err != nil {
		return "", fmt.Errorf("Xvfb named no display: %w", err)
	}
	return ":" + strings.TrimSpace(string(buf[:n])), nil
}

func free() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}

// run starts one program in a process group of its own; extra is its file 3.
func (p *plain) run(display string, extra *os.File, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if display != "" {
		cmd.Env = append(cmd.Environ(), "DISPLAY="+display)
	}
	if extra != nil {
		cmd.ExtraFiles = []*os.File{extra}
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.procs = append(p.procs, cmd)
	return nil
}

// browser is the last program that was started; nil if none was.
func (p *plain) browser() *exec.Cmd {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.procs) == 0 {
		return nil
	}
	return p.procs[len(p.procs)-1]
}

// stop ends what was started, the browser first, each with its group.
func (p *plain) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.procs) - 1; i >= 0; i-- {
		cmd := p.procs[i]
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		if i < len(p.procs)-1 {
			_ = cmd.Wait()
		}
	}
	p.procs = p.procs[:0]
	if p.dir != "" {
		_ = os.RemoveAll(p.dir)
	}
}

// close ends the browser of a person because the service ends.
func (p *plain) close() {
	select {
	case <-p.done:
		return
	default:
	}
	if cmd := p.browser(); cmd != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
	}
	select {
	case <-p.done:
	case <-time.After(5 * time.Second):
	}
}
