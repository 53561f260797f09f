package browser_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/world/serve/xsite"
)

// pid is the Chromium of this bench and no other: its process is found by its profile's lock.
func (b *bench) pid(t *testing.T) int {
	t.Helper()
	target, err := os.Readlink(filepath.Join(b.opts.Dir, "profile", "SingletonLock"))
	require.NoError(t, err)
	pid, err := strconv.Atoi(target[strings.LastIndexByte(target, '-')+1:])
	require.NoError(t, err)
	return pid
}

func (b *bench) signal(t *testing.T, sig syscall.Signal) {
	t.Helper()
	require.NoError(t, syscall.Kill(b.pid(t), sig))
}

// killBrowser kills the browser and waits until the service knows.
func (b *bench) killBrowser(t *testing.T) {
	t.Helper()
	pid := b.pid(t)
	b.signal(t, syscall.SIGKILL)
	require.Eventually(t, func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }, time.Minute, 5*time.Millisecond)
}

// restarts is how often a browser was found dead.
func (b *bench) restarts() int { return strings.Count(b.log(), "chromium died and is started again") }

// killPages ends the processes that draw this bench's pages, as running out of memory does; all at once, not the one that
// opens the next page as well.
func (b *bench) killPages(t *testing.T) {
	t.Helper()
	pages := b.renderers(t)
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

// renderers are the processes that draw this bench's pages.
func (b *bench) renderers(t *testing.T) (pids []int) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, file := range all {
		line, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(line, []byte("--type=renderer")) || !bytes.Contains(line, []byte(b.opts.Dir)) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		require.NoError(t, err)
		pids = append(pids, pid)
	}
	return pids
}

// killWhileItOpens searches, and ends the processes of all pages while the page of this search waits for one that was stopped. It
// tells whether it came to that; the search ends well either way.
func (b *bench) killWhileItOpens(t *testing.T) (caught bool) {
	t.Helper()
	before, err := b.Pages(t.Context())
	require.NoError(t, err)
	stopped := b.renderers(t)
	for _, pid := range stopped {
		require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
	}
	kill := sync.OnceFunc(func() {
		for _, pid := range stopped {
			_ = syscall.Kill(pid, syscall.SIGKILL) // the page that opens may have another
		}
	})
	defer kill()
	answer := b.begin(t, source.Query{Text: "goal", Max: 3})
	tooLate := time.After(time.Minute)
	for {
		select {
		case g := <-answer:
			require.NoError(t, g.err)
			require.Equal(t, source.StateResults, g.r.State)
			return caught
		case <-tooLate:
			t.Fatal("the search waits for a page that died")
		case <-time.After(10 * time.Millisecond):
		}
		if caught {
			continue
		}
		now, err := b.Pages(t.Context())
		require.NoError(t, err)
		for id := range now { // not their number: a page that was closed before may still be there for a moment
			caught = caught || !before[id]
		}
		if caught {
			kill()
		}
	}
}

func TestAPageThatDiesWhileItOpensIsNoBrowserThatHangs(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(3))}, nil)
	login, detail := b.Authenticate(t.Context())
	require.Equal(t, source.LoginOK, login, detail)
	b.SetSearchTimeout(10 * time.Minute) // who waits for it finds nothing in time
	// Where no process was kept ready for the next page, it opens in a new one and the search just ends: then once more.
	for tries := 0; !b.killWhileItOpens(t); tries++ {
		require.Less(t, tries, 20, "no page was ever caught while it opens")
	}
	require.NotContains(t, b.log(), "made again", "nothing was asked of that page yet")
	require.Zero(t, b.restarts())
}

func TestABrowserThatHangsTwiceIsNotLeftHanging(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(3))}, nil)
	b.find(t, source.Query{Text: "goal", Max: 3})
	hung := b.pid(t)
	b.signal(t, syscall.SIGSTOP)
	b.SetSearchTimeout(time.Nanosecond) // too short for any tab: the second browser hangs as well, as far as anybody can tell
	_, err := b.Search(t.Context(), source.Query{Text: "goal two", Max: 3})
	require.ErrorContains(t, err, "does not answer")
	require.ErrorIs(t, syscall.Kill(hung, 0), syscall.ESRCH)
	b.SetSearchTimeout(30 * time.Second)
	require.Equal(t, source.StateResults, b.find(t, source.Query{Text: "goal three", Max: 3}).State)
	require.Equal(t, 2, b.restarts(), "the second one was ended, too")
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
