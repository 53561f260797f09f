package browser

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	programs "github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
)

// program is a process that this one started, in a group of its own.
type program struct {
	cmd    *exec.Cmd
	stderr *programs.Tail
	ended  chan struct{}
}

// endTimeout is how long a program may take to end by itself: Chromium writes its cookies then.
const endTimeout = 5 * time.Second

// browsing are the variables that a browser needs for its windows, and to find its way out.
var browsing = []string{"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_*", "DBUS_SESSION_BUS_ADDRESS", "GTK_*", "GDK_*", "CHROME_*", "CHROMIUM_FLAGS",
	"http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"}

// startProgram starts a program; extra are its files from 3 on, and no longer ours.
func startProgram(env []string, extra []*os.File, name string, args ...string) (*program, error) {
	cmd := programs.New(context.Background(), name, args...) // it outlives the request that started it; end ends it
	cmd.SysProcAttr = group()
	cmd.Env, cmd.ExtraFiles = env, extra
	tail := new(programs.Tail)
	cmd.Stderr, cmd.WaitDelay = tail, endTimeout
	err := cmd.Start()
	for _, f := range extra {
		_ = f.Close()
	}
	if err != nil {
		return nil, err
	}
	p := &program{cmd: cmd, stderr: tail, ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		_ = (&programs.Cmd{Cmd: cmd}).Wait() // how it ended changes nothing; what it left behind ends with it
	}()
	return p, nil
}

// politely is the signal on which Chromium saves its cookies before it ends; on SIGTERM it loses those of the last half minute,
// which a person may have just logged in for.
const politely = syscall.SIGINT

// end asks the program to end, so that it can save its state, and kills it where it does not.
func (p *program) end() {
	_ = p.cmd.Process.Signal(politely)
	select {
	case <-p.ended:
	case <-time.After(endTimeout):
	}
	p.kill()
}

// kill kills the program's process group. One that has ended has no number any more: another may have it.
func (p *program) kill() {
	select {
	case <-p.ended:
	default:
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
		<-p.ended
	}
}

// claimProfile returns the profile's directory once no other Chromium has it open: the second one would hand its work to the first
// and end, which looks like a person who closed the window. A browser that was just ended may take a moment.
func claimProfile(dir string) (profile string, err error) {
	const op = "open the browser's profile"
	profile = filepath.Join(dir, "profile")
	if err := os.MkdirAll(profile, 0o700); err != nil {
		return "", footy.Wrap(footy.CodeUnavailable, op, err)
	}
	_ = os.Chmod(profile, 0o700) // a volume may be another user's
	for given := time.Now().Add(endTimeout); ; {
		pid := holder(profile)
		if pid == 0 {
			unlock(profile)
			return profile, nil
		}
		if time.Now().After(given) {
			return "", footy.Errorf(footy.CodeConflict, op, "%s is open in another Chromium (process %d): end the footy x login, footy up or footy browser that has it, or set another BROWSER_DIR", profile, pid)
		}
		_ = network.Pause(context.Background(), 50*time.Millisecond)
	}
}

const lockName = "SingletonLock"

// holder is the process of this machine that has a profile open; 0 = none. A lock may be left by one that was killed, or by
// another container, and its number may be another program's by now.
func holder(profile string) int {
	target, err := os.Readlink(filepath.Join(profile, lockName))
	if err != nil {
		return 0
	}
	i := strings.LastIndexByte(target, '-')
	host, _ := os.Hostname()
	pid, err := strconv.Atoi(target[i+1:])
	if err != nil || i <= 0 || target[:i] != host || syscall.Kill(pid, 0) != nil {
		return 0
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err == nil && !bytes.Contains(line, []byte(profile)) {
		return 0
	}
	return pid
}

// unlock removes a lock that no process holds any more, which would keep the profile closed for ever, and where an earlier version could
// be driven.
func unlock(profile string) {
	for _, name := range []string{lockName, "SingletonCookie", "SingletonSocket", "DevToolsActivePort"} {
		_ = os.Remove(filepath.Join(profile, name)) // what is not there need not go
	}
}
