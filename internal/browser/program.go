package browser

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// program is a process that this one started, in a group of its own.
type program struct {
	cmd   *exec.Cmd
	said  *said
	ended chan struct{}
}

// said is the end of what a program complained of.
type said struct {
	mu   sync.Mutex
	text []byte
}

const saidLimit = 400

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = append(s.text, p...)
	s.text = s.text[max(len(s.text)-saidLimit, 0):]
	return len(p), nil
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(strings.Fields(string(s.text)), " ")
}

// endTimeout is what a program has to end in order: Chromium writes its cookies then.
const endTimeout = 5 * time.Second

// run starts a program; extra is its file 3.
func run(display string, extra *os.File, name string, args ...string) (*program, error) {
	cmd := exec.Command(name, args...) //nolint:noctx // it outlives the request that started it; end ends it
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if display != "" {
		cmd.Env = append(cmd.Environ(), "DISPLAY="+display)
	}
	if extra != nil {
		cmd.ExtraFiles = []*os.File{extra}
	}
	words := new(said)
	cmd.Stderr, cmd.WaitDelay = words, endTimeout
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &program{cmd: cmd, said: words, ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		_ = cmd.Wait() // how it ended changes nothing
	}()
	return p, nil
}

// end asks the program itself to end, so that it may save what it has; its group is killed where it does not, and what
// it left behind in any case.
func (p *program) end() {
	_ = syscall.Kill(p.cmd.Process.Pid, syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(endTimeout):
	}
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	<-p.ended
}
