package browser_test

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/world/serve/xsite"
	"github.com/found-footy/found-footy/tools/devtest"
)

// family is a process with everything below it.
func family(t *testing.T, root int) (pids []int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	parents := map[int]int{}
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		_, rest, _ := strings.Cut(string(stat), ") ")
		parents[pid], err = strconv.Atoi(strings.Fields(rest)[1])
		require.NoError(t, err)
	}
	for pid := range parents {
		for p := pid; p > 1; p = parents[p] {
			if p == root {
				pids = append(pids, pid)
				break
			}
		}
	}
	require.NotEmpty(t, pids)
	return pids
}

// listening are the ports that processes accept TCP connections at.
func listening(t *testing.T, pids []int) (ports []int) {
	t.Helper()
	owned := map[string]bool{}
	for _, pid := range pids {
		files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid)) // it may have ended since
		for _, file := range files {
			target, _ := os.Readlink(file)
			owned[target] = true
		}
	}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		require.NoError(t, err)
		rows := bufio.NewScanner(f)
		for rows.Scan() {
			col := strings.Fields(rows.Text())
			if col[3] == "0A" && owned["socket:["+col[9]+"]"] {
				port, err := strconv.ParseInt(col[1][strings.LastIndexByte(col[1], ':')+1:], 16, 32)
				require.NoError(t, err)
				ports = append(ports, int(port))
			}
		}
		require.NoError(t, rows.Err())
		require.NoError(t, f.Close())
	}
	return ports
}

// Whoever reaches Chromium's debugging port has the session: Storage.getCookies asks for nothing.
func TestNoOtherUserOfTheMachineCanDriveTheBrowser(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(3))}, nil)
	profile := filepath.Join(b.opts.Dir, "profile")
	require.NoError(t, os.Mkdir(profile, 0o700))
	require.NoError(t, os.Chmod(profile, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(profile, "DevToolsActivePort"), []byte("18000\n/devtools/browser/1\n"), 0o600)) // an earlier version's
	for _, text := range []string{"goal", "goal after a crash"} {
		require.Equal(t, source.StateResults, b.find(t, source.Query{Text: text, Max: 3}).State, b.log())
		require.Empty(t, listening(t, family(t, b.pid(t))))
		require.NoFileExists(t, filepath.Join(profile, "DevToolsActivePort"))
		info, err := os.Stat(profile)
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, "its cookies lie there")
		b.killBrowser(t)
	}
}

// The screen of a log-in shows a password being typed.
func TestAScreenIsForThoseWhoHaveItsCookie(t *testing.T) {
	t.Parallel()
	needs(t, "Xvfb", "x11vnc", "websockify")
	dir := t.TempDir()
	b := setupSerial(t, xsite.Options{}, func(o *browser.Options) {
		o.VNC, o.VNCAddr, o.Chromium = true, devtest.FreeAddr(t), devtest.Script(t, "browser", fmt.Sprintf(`echo "$DISPLAY" "$XAUTHORITY" >%[1]q/new; mv %[1]q/new %[1]q/screen
trap 'exit 0' INT
while :; do sleep 0.05; done
`, dir))
	})
	_, err := b.LaunchManual(t.Context())
	require.NoError(t, err)
	var screen []string
	require.Eventually(t, func() bool {
		raw, err := os.ReadFile(filepath.Join(dir, "screen"))
		screen = strings.Fields(string(raw))
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	require.Len(t, screen, 2, "a display and the file with its cookie")
	info, err := os.Stat(screen[1])
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	require.Equal(t, b.opts.Dir, filepath.Dir(screen[1]))
	raw, err := os.ReadFile(screen[1])
	require.NoError(t, err)
	cookie := raw[len(raw)-16:]
	require.True(t, admits(t, screen[0], "MIT-MAGIC-COOKIE-1", cookie))
	require.False(t, admits(t, screen[0], "", nil), "without the cookie")
	require.False(t, admits(t, screen[0], "MIT-MAGIC-COOKIE-1", make([]byte, 16)), "with another")
	b.Close()
	require.NoFileExists(t, screen[1])
}

// admits reports whether an X server lets a program in that sends these credentials.
func admits(t *testing.T, display, scheme string, secret []byte) bool {
	t.Helper()
	c, err := net.Dial("unix", "/tmp/.X11-unix/X"+strings.TrimPrefix(display, ":"))
	require.NoError(t, err)
	defer c.Close()
	hello := []byte{'l', 0, 11, 0, 0, 0}
	hello = binary.LittleEndian.AppendUint16(hello, uint16(len(scheme)))
	hello = binary.LittleEndian.AppendUint16(hello, uint16(len(secret)))
	hello = append(hello, 0, 0)
	for _, part := range []string{scheme, string(secret)} {
		hello = append(hello, part...)
		hello = append(hello, make([]byte, (4-len(part)%4)%4)...)
	}
	_, err = c.Write(hello)
	require.NoError(t, err)
	answer := make([]byte, 1)
	_, err = io.ReadFull(c, answer)
	require.NoError(t, err)
	return answer[0] == 1
}
