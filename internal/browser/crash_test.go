package browser_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/world/xsite"
)

// signal reaches the Chromium of this bench and no other: its process is found by its profile's lock.
func (b *bench) signal(t *testing.T, sig syscall.Signal) {
	t.Helper()
	target, err := os.Readlink(filepath.Join(b.opts.Dir, "profile", "SingletonLock"))
	require.NoError(t, err)
	pid, err := strconv.Atoi(target[strings.LastIndexByte(target, '-')+1:])
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, sig))
}

// killPages ends the processes that draw this bench's pages, as running out of memory does; all at once, not the one that
// opens the next page as well.
func (b *bench) killPages(t *testing.T) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	var pages []int
	for _, file := range all {
		line, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(line, []byte("--type=renderer")) || !bytes.Contains(line, []byte(b.opts.Dir)) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		require.NoError(t, err)
		pages = append(pages, pid)
	}
	require.NotEmpty(t, pages)
	for _, pid := range pages {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended since
	}
}

func TestABrowserThatDiesInTheMiddleOfASearchLosesNothing(t *testing.T) {
	for name, end := range map[string]func(*bench, *testing.T){
		"the browser":    func(b *bench, t *testing.T) { b.signal(t, syscall.SIGKILL) },
		"only its pages": func(b *bench, t *testing.T) { b.killPages(t) },
	} {
		t.Run(name, func(t *testing.T) {
			hanging := make(chan struct{}, 1)
			b := setup(t, xsite.Options{Search: always(posts(3)), Fault: func(call int, _, _ string) xsite.Fault {
				if call == 1 {
					hanging <- struct{}{}
					return xsite.Hang
				}
				return xsite.None
			}}, nil)
			answer := b.begin(t, source.Query{Text: "goal", Max: 3})
			<-hanging
			end(b, t)
			g := <-answer
			require.NoError(t, g.err)
			require.Equal(t, source.StateResults, g.r.State)
			require.Len(t, g.r.Candidates, 3)
			require.Equal(t, 2, g.r.CallsUsed, "X counts the lost call too")
			require.Equal(t, 38, b.Status().Budget.Remaining)
		})
	}
}

func TestABrowserThatHangsIsStartedAgain(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(3))}, nil)
	b.find(t, source.Query{Text: "goal", Max: 3})
	b.signal(t, syscall.SIGSTOP)
	b.SetSearchTimeout(10 * time.Second)
	r := b.find(t, source.Query{Text: "goal", Max: 3})
	require.Equal(t, source.StateResults, r.State, r.Detail)
	require.Len(t, b.site.Calls(), 2)
}

func TestTheSessionOutlivesTheBrowser(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(3)), Renew: true}, nil)
	kept := func() string {
		raw, err := os.ReadFile(filepath.Join(b.opts.Dir, "cookies.json"))
		require.NoError(t, err)
		return string(raw)
	}
	before := kept()
	require.Contains(t, before, xsite.CSRF(token))
	for i := range 2 {
		r := b.find(t, source.Query{Text: fmt.Sprint("goal ", i), Max: 3})
		require.Equal(t, source.StateResults, r.State, r.Detail)
		require.NotEqual(t, before, kept(), "X renewed a cookie, so the file was written anew")
		before = kept()
		b.signal(t, syscall.SIGKILL)
	}
	require.NotContains(t, before, xsite.CSRF(token))
	info, err := os.Stat(filepath.Join(b.opts.Dir, "cookies.json"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	require.Empty(t, b.told())
}
