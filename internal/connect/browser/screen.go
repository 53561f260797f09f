package browser

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// VirtualDisplay stands for a screen in memory that is not there yet.
const VirtualDisplay = "Xvfb"

const xvfb = "Xvfb"

func haveXvfb() bool {
	_, err := exec.LookPath(xvfb)
	return err == nil
}

// screen is a display that only exists in memory. It lives as long as the service: the browser that searches and the one that
// a person logs in with take turns on it.
type screen struct {
	mu      sync.Mutex
	x       *program
	display string
}

// start returns the display's name, and starts it where it does not run.
func (s *screen) start() (display string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.x != nil {
		select {
		case <-s.x.ended:
		default:
			return s.display, nil
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer r.Close()
	x, err := startProgram("", w, xvfb, "-displayfd", "3", "-screen", "0", screenSize+"x24", "-nolisten", "tcp")
	_ = w.Close() // Xvfb has its own copy
	if err != nil {
		return "", err
	}
	_ = r.SetReadDeadline(time.Now().Add(vncTimeout))
	line, err := bufio.NewReader(r).ReadString('\n') // to its end: Xvfb dies where nobody reads it
	number := strings.TrimSpace(line)
	if err == nil {
		_, err = strconv.Atoi(number)
	}
	if err != nil {
		x.end()
		return "", fmt.Errorf("the screen in memory (%s) did not start: %w: %s", xvfb, err, x.stderr)
	}
	s.x, s.display = x, ":"+number
	return s.display, nil
}

// end ends the display.
func (s *screen) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.x != nil {
		s.x.end()
		s.x = nil
	}
}
