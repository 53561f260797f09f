package browser_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/world/serve/xsite"
)

// dial is a clock that a test sets.
type dial struct{ at atomic.Int64 }

func (d *dial) now() time.Time { return time.Unix(0, d.at.Load()) }

func (d *dial) forward(by time.Duration) { d.at.Add(int64(by)) }

func TestTheBrowserIsThereForMatchesOnly(t *testing.T) {
	var clock dial
	clock.forward(time.Duration(time.Now().UnixNano()))
	hanging, hang := make(chan struct{}, 1), atomic.Bool{}
	b := setup(t, xsite.Options{Search: always(posts(3)), Fault: func(int, string, string) xsite.Fault {
		if !hang.CompareAndSwap(true, false) {
			return xsite.None
		}
		hanging <- struct{}{}
		return xsite.Hang
	}}, func(o *browser.Options) { o.Now = clock.now })
	finds := func() {
		require.Equal(t, source.StateResults, b.find(t, source.Query{Text: "goal " + clock.now().String(), Max: 3}).State)
	}
	runs := func(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

	b.Need(t.Context(), true)
	first := b.pid(t)
	require.Equal(t, source.LoginOK, b.Status().Login, "its login is checked before anything is searched")
	clock.forward(59 * time.Minute)
	b.Need(t.Context(), false)
	require.True(t, runs(first), "the last match is less than an hour ago")
	finds()
	clock.forward(time.Minute)

	b.SetSearchTimeout(10 * time.Second)
	hang.Store(true)
	answer := b.begin(t, source.Query{Text: "goal", Max: 3})
	<-hanging
	b.Need(t.Context(), false)
	require.True(t, runs(first), "a search is under way")
	<-answer

	b.Need(t.Context(), false)
	require.False(t, runs(first))
	require.Equal(t, source.LoginOK, b.Status().Login)
	require.Empty(t, b.Waits(), "searches are taken all the same")
	finds()
	late := b.pid(t)
	require.NotEqual(t, first, late)
	b.Need(t.Context(), false)
	require.False(t, runs(late), "no match needs it still")

	clock.forward(5 * time.Hour)
	b.Need(t.Context(), true)
	require.True(t, runs(b.pid(t)), "it is there before the next kick-off")
	finds()
	require.Empty(t, b.told())
	require.NotContains(t, strings.ToLower(b.log()), "died")
}
