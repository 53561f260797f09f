package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/connect/machine/trust"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/private"
)

// devstack is one running footy-devstack, started by us or by a process of ours that was killed.
type devstack struct {
	Address   string `json:"address"`
	UI        string `json:"ui"`
	TokenFile string `json:"token_file"`
	PID       int    `json:"pid"`

	dir string
	cmd *exec.Cmd // nil: not our child
}

// errBusy: another footy-devstack holds the database. errDamaged: nothing can be read from it. errUnusable: Temporal does not
// come up on it, or serves nothing from it.
var (
	errBusy     = errors.New("the engine's database is in use")
	errDamaged  = errors.New("the engine's database is damaged")
	errUnusable = errors.New("the engine does not work with its database")
)

const (
	database     = "temporal.db"
	exitInUse    = 3
	exitDamaged  = 4
	exitUnusable = 5
	startWithin  = 90 * time.Second
	stopWithin   = 15 * time.Second
)

// adopt finds the engine that runs on dir; nil if none does or if it does not answer yet.
func adopt(ctx context.Context, dir string) *devstack {
	b, err := trust.Read(filepath.Join(dir, "engine.json"))
	if err != nil {
		return nil
	}
	d := &devstack{dir: dir}
	if json.Unmarshal(b, d) != nil || !d.alive() {
		return nil
	}
	dial, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	c, err := new(net.Dialer).DialContext(dial, "tcp", d.Address)
	if err != nil {
		return nil
	}
	_ = c.Close()
	return d
}

// holderOf is the process that has the database of dir; nil if none has. The process that starts an engine has the state directory to itself, so that
// one which cannot be adopted is frozen, or its note is lost.
func holderOf(dir string) *devstack {
	if pid, held := lockHolder(filepath.Join(dir, database+".lock")); held && pid != 0 {
		return &devstack{dir: dir, PID: pid}
	}
	return nil
}

// alive asks the lock on the database, which the kernel drops with its holder: a process number alone may by now be
// another process's, which would be ended.
func (d *devstack) alive() bool {
	holder, held := lockHolder(filepath.Join(d.dir, database+".lock"))
	return held && d.PID != 0 && holder == d.PID
}

func (d *devstack) signal(s syscall.Signal) {
	switch { // gone already is as good
	case d.cmd != nil:
		_ = d.cmd.Process.Signal(s) // which knows a child that was waited for: its number may be another's by now
	case d.alive():
		_ = syscall.Kill(d.PID, s)
	}
}

// wait returns when the process is gone.
func (d *devstack) wait() error {
	if d.cmd != nil {
		return d.cmd.Wait()
	}
	for d.alive() {
		<-time.After(250 * time.Millisecond)
	}
	return nil
}

// end stops it, kills it if that takes longer, and waits until it is gone.
func (d *devstack) end(within time.Duration) {
	d.signal(syscall.SIGTERM)
	late := time.AfterFunc(within, func() { d.signal(syscall.SIGKILL) })
	defer late.Stop()
	_ = d.wait()
}

func launch(ctx context.Context, o Options, port int) (*devstack, error) {
	const op = "start the workflow engine"
	bin, err := FindBinary(o.Binary)
	if err != nil {
		return nil, err
	}
	if err := private.Dir(o.StateDir); err != nil { // also after a death: a person may have moved it away
		return nil, footy.Errorf(footy.CodeUnavailable, op, "state directory %s: %w; choose another with STATE_DIR", o.StateDir, err)
	}
	logFile := logOf(o.StateDir)
	log, err := os.OpenFile(logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, op, "%w; choose another STATE_DIR", err)
	}
	defer log.Close()
	start, err := log.Seek(0, 2)
	if err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	cmd := program.New(context.WithoutCancel(ctx), bin, "temporal",
		"--db", filepath.Join(o.StateDir, database), "--port", strconv.Itoa(port),
		"--ui-port", strconv.Itoa(o.UIPort), "--ui-port-fallback", "--state-file", filepath.Join(o.StateDir, "engine.json"))
	if err := renewToken(tokenOf(o.StateDir)); err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, op, "%w; choose another STATE_DIR", err)
	}
	cmd.Env = append(program.Environ("GOMAXPROCS", "GOMEMLIMIT", "GOGC", "GODEBUG", "GOTRACEBACK"),
		"TEMPORAL_TOKEN_FILE="+tokenOf(o.StateDir)) // where a flag would end one of an earlier release
	cmd.Stderr = log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is ours to pass on, in order
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, op, "%w; build it with: make devstack", err)
	}
	line := make(chan []byte, 1)
	go func() {
		s, _ := bufio.NewReader(out).ReadBytes('\n') // an early end shows in what was read
		line <- s
	}()
	d := &devstack{dir: o.StateDir, cmd: cmd}
	select {
	case s := <-line:
		if json.Unmarshal(s, d) == nil && d.PID == cmd.Process.Pid {
			return d, nil
		}
		_ = cmd.Process.Kill() // whatever it is, it is no engine
		return nil, startFailure(op, bin, cmd.Wait(), lastWords(logFile, start))
	case <-time.After(startWithin):
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return nil, footy.Errorf(footy.CodeUnavailable, op, "%w: %s is not ready after %s; see %s", errUnusable, bin, startWithin, logFile)
	case <-ctx.Done():
		_ = cmd.Process.Signal(syscall.SIGTERM)
		ended := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
		defer ended.Stop()
		_ = cmd.Wait()
		return nil, ctx.Err()
	}
}

// startFailure says why an engine did not start, in its own words and with our settings' names.
func startFailure(op, bin string, exit error, lastWords string) error {
	switch exitCode(exit) {
	case exitInUse:
		return footy.Errorf(footy.CodeConflict, op, "%w: %s", errBusy, lastWords)
	case exitDamaged:
		why, _, _ := strings.Cut(strings.TrimPrefix(lastWords, "footy-devstack: "), ";") // what to do is done
		return footy.Errorf(footy.CodeUnavailable, op, "%w: %s", errDamaged, why)
	}
	if lastWords == "" {
		return footy.Errorf(footy.CodeUnavailable, op, "%s ended without a word; is it a footy-devstack? build one with: make devstack", bin)
	}
	said, ours := strings.CutPrefix(lastWords, "footy-devstack: ")
	if (exitCode(exit) == exitUnusable || !ours) && !elsewhere(lastWords) { // the server ends the program in its own way
		return footy.Errorf(footy.CodeUnavailable, op, "%w: %s", errUnusable, strings.TrimSuffix(said, "; give another --db"))
	}
	lastWords = strings.NewReplacer("give another --db", "choose another STATE_DIR").Replace(said)
	return footy.Errorf(footy.CodeUnavailable, op, "%s", lastWords)
}

// exitCode is that of a program that ended by itself; 0 if it did not, or well.
func exitCode(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return 0
}

func logOf(dir string) string { return filepath.Join(dir, "engine.log") }

// lastWords are why an engine ended, as its log past an offset has it: the last line, without the server's JSON, or a panic's first.
func lastWords(path string, past int64) string {
	b, err := os.ReadFile(path)
	if err != nil || int64(len(b)) <= past {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(b[past:])), "\n")
	if i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "panic: ") || strings.HasPrefix(l, "fatal error: ") }); i >= 0 {
		return lines[i]
	}
	last := lines[len(lines)-1]
	var said struct{ Msg, Error string }
	if json.Unmarshal([]byte(last), &said) != nil || said.Msg == "" {
		return last
	}
	return strings.TrimSuffix(said.Msg+": "+said.Error, ": ")
}

// FindBinary finds footy-devstack: the one that is named, else the one beside this program or in PATH.
func FindBinary(bin string) (string, error) {
	const op = "find the workflow engine"
	if bin != "" {
		if _, err := os.Stat(bin); err != nil {
			return "", footy.Errorf(footy.CodeUnavailable, op, "FOOTY_DEVSTACK=%s: %w; build it with: make devstack", bin, withoutPath(err))
		}
		return bin, nil
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "footy-devstack")
		if _, err := os.Stat(beside); err == nil {
			return beside, nil
		}
	}
	if p, err := exec.LookPath("footy-devstack"); err == nil {
		return p, nil
	}
	return "", footy.Errorf(footy.CodeUnavailable, op,
		"no footy-devstack beside this program or in PATH; build it with: make devstack, or set TEMPORAL_ADDRESS to a Temporal of yours")
}

// portOf is the port of an address; 0, which asks for a free one, where it has none.
func portOf(address string) int {
	at, _ := netip.ParseAddrPort(address)
	return int(at.Port())
}

// withoutPath drops the path that an operating system's error repeats.
func withoutPath(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
