package browser

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	programs "github.com/found-footy/found-footy/internal/connect/machine/program"
)

const xvfb = "Xvfb"

// screen is a display that only exists in memory. It lives as long as the service: the browser that searches and the one that
// a person logs in with take turns on it.
type screen struct {
	mu      sync.Mutex
	x       *program
	display display
}

// display is where windows are shown.
type display struct {
	name      string // as in DISPLAY; "" = none
	authority string // file with the cookie that it wants; "" = the environment's
}

// env is the environment of a program on the display, with those variables of ours beside the ordinary ones.
func (d display) env(also ...string) []string {
	vars := programs.Environ(also...)
	if d.name != "" {
		vars = append(vars, "DISPLAY="+d.name)
	}
	if d.authority != "" {
		vars = append(vars, "XAUTHORITY="+d.authority)
	}
	return vars
}

// start returns the display, and starts it where it does not run; dir is for the file with its cookie.
func (s *screen) start(dir string) (is display, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.x != nil {
		select {
		case <-s.x.ended:
		default:
			return s.display, nil
		}
	}
	s.clear()
	if s.display.authority, err = newAuthority(dir); err != nil {
		return display{}, err
	}
	defer func() {
		if err != nil {
			s.clear()
		}
	}()
	r, w, err := os.Pipe()
	if err != nil {
		return display{}, err
	}
	defer r.Close()
	x, err := startProgram(display{}.env(), []*os.File{w}, xvfb, "-displayfd", "3", "-screen", "0", screenSize+"x24", "-nolisten", "tcp", "-auth", s.display.authority)
	if err != nil {
		return display{}, err
	}
	_ = r.SetReadDeadline(time.Now().Add(vncTimeout))
	line, err := bufio.NewReader(r).ReadString('\n') // to its end: Xvfb dies where nobody reads it
	number := strings.TrimSpace(line)
	if err == nil {
		_, err = strconv.Atoi(number)
	}
	if err != nil {
		x.end()
		return display{}, fmt.Errorf("the screen in memory (%s) did not start: %w: %s", xvfb, err, x.stderr.Short())
	}
	s.x, s.display.name = x, ":"+number
	return s.display, nil
}

// newAuthority writes a cookie for a display: without one every user of the machine sees what is on it and types. A display whose file goes
// opens itself, so it lies where nothing tidies up.
func newAuthority(dir string) (string, error) {
	f, err := os.CreateTemp(dir, "screen-") // for this user alone
	if err != nil {
		return "", err
	}
	const scheme, size = "MIT-MAGIC-COOKIE-1", 16
	row := append([]byte{0xff, 0xff, 0, 0, 0, 0, 0, byte(len(scheme))}, scheme...) // any family, no address, no number: it is not known yet
	row = append(append(row, 0, size), make([]byte, size)...)
	_, _ = rand.Read(row[len(row)-size:]) // never fails
	_, err = f.Write(row)
	return f.Name(), errors.Join(err, f.Close())
}

// clear forgets a display that has ended.
func (s *screen) clear() {
	if s.display.authority != "" {
		_ = os.Remove(s.display.authority)
	}
	s.x, s.display = nil, display{}
}

func (s *screen) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.x != nil {
		s.x.end()
		s.clear()
	}
}
