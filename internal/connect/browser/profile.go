package browser

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// claimProfile returns the profile's directory once no other Chromium has it open: the second one would hand its work to the first
// and end, which looks like a person who closed the window. A browser that was just ended may take a moment.
func claimProfile(dir string) (profile string, err error) {
	const op = "open the browser's profile"
	profile = filepath.Join(dir, "profile")
	if err := os.MkdirAll(profile, 0o700); err != nil {
		return "", footy.Wrap(footy.CodeUnavailable, op, err)
	}
	_ = os.Chmod(profile, 0o700) // a volume may be another user's
	given := time.NewTimer(endTimeout)
	defer given.Stop()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		pid := holder(profile)
		if pid == 0 {
			unlock(profile)
			return profile, nil
		}
		select {
		case <-again.C:
		case <-given.C:
			return "", footy.Errorf(footy.CodeConflict, op, "%s is open in another Chromium (process %d): end the footy x login, footy up or footy browser that has it, or set another BROWSER_DIR", profile, pid)
		}
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
