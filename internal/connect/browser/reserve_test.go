package browser_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/world/serve/xsite"
)

// permit is one, if there is one at once.
func (b *bench) permit(t *testing.T, besides func(context.Context) bool) *browser.Permit {
	t.Helper()
	now, cancel := context.WithCancel(t.Context())
	cancel()
	p, err := b.Reserve(now, besides)
	if err != nil {
		require.ErrorIs(t, err, context.Canceled)
		require.Nil(t, p)
	}
	return p
}

func TestPermitsAreForWhatTheAccountCanDo(t *testing.T) {
	var later atomic.Int64
	b := setup(t, xsite.Options{Search: always(posts(3))}, func(o *browser.Options) {
		o.Tabs, o.Scrolls, o.Budget = 3, -1, quota.Options{Limit: 2}
		o.Now = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	})
	require.Nil(t, b.permit(t, nil), "nobody has looked whether X accepts the session")
	require.Equal(t, source.StateUpstreamError, b.Waits())

	first, err := b.Reserve(t.Context(), nil)
	require.NoError(t, err, "the login is looked at without a search")
	second := b.permit(t, nil)
	require.NotNil(t, second)
	require.Nil(t, b.permit(t, nil), "both calls of the budget are promised")
	second.Release()
	second = b.permit(t, nil)
	require.NotNil(t, second, "a permit that was not used gives its call back")

	first.Use()
	require.Equal(t, source.StateResults, b.find(t, source.Query{Text: "goal"}).State)
	first.Release()
	require.Nil(t, b.permit(t, nil), "one call is spent, the other promised")
	second.Use()
	require.Equal(t, source.StateResults, b.find(t, source.Query{Text: "goal"}).State)
	second.Release()
	require.Equal(t, source.StateRateLimited, b.Waits())
	require.Nil(t, b.permit(t, nil))
	paid := b.permit(t, func(context.Context) bool { return true })
	require.NotNil(t, paid, "another way to search needs no budget")
	paid.Release()

	waits := make(chan *browser.Permit)
	go func() {
		p, _ := b.Reserve(t.Context(), nil)
		waits <- p
	}()
	later.Store(int64(15 * time.Minute))
	again := <-waits
	require.NotNil(t, again, "a new window")
	again.Release()

	b.site.Expire()
	require.Equal(t, source.StateLoginRequired, b.find(t, source.Query{Text: "goal"}).State)
	require.Equal(t, source.StateLoginRequired, b.Waits())
	require.Nil(t, b.permit(t, nil))
	b.site.Admit("renewed")
	b.bringCookies(t, "renewed")
	b.Authenticate(t.Context())
	again, err = b.Reserve(t.Context(), nil)
	require.NoError(t, err)
	again.Release()
}

func TestNoMorePermitsThanTabs(t *testing.T) {
	b := setup(t, xsite.Options{}, func(o *browser.Options) { o.Tabs = 1 })
	p, err := b.Reserve(t.Context(), nil)
	require.NoError(t, err)
	p.Use()
	require.Nil(t, b.permit(t, nil))
	p.Release()
	p = b.permit(t, nil)
	require.NotNil(t, p)
	p.Release()
}

func TestASearchThatFindsNoTabIsToldToComeAgain(t *testing.T) {
	answer, asked := make(chan struct{}), make(chan struct{})
	b := setup(t, xsite.Options{Search: func(string) []xsite.Post { close(asked); <-answer; return nil }}, func(o *browser.Options) {
		o.Tabs, o.TabWait = 1, time.Millisecond
	})
	under := b.begin(t, source.Query{Text: "goal"})
	<-asked
	r := b.find(t, source.Query{Text: "another"})
	require.Equal(t, source.StateRateLimited, r.State)
	require.Equal(t, time.Millisecond, r.RetryAfter)
	close(answer)
	require.Equal(t, source.StateEmpty, (<-under).r.State)
}
