package posting_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/posting"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

// TestAPreviewTellsWhatALookWouldDo: and asks nobody.
func TestAPreviewTellsWhatALookWouldDo(t *testing.T) {
	t.Parallel()
	posted := func(b *bundle) {
		b.clip("c", 9, true)
		require.NoError(b.t, b.look())
	}
	chosen := func(f news.Filter) func(*posting.Options) {
		return func(o *posting.Options) { o.Filter = func(context.Context) (news.Filter, error) { return f, nil } }
	}
	for name, c := range map[string]struct {
		given  func(*bundle)
		change func(*posting.Options)
		step   string
		why    posting.Idle
	}{
		"no verified clip yet":     {given: func(*bundle) {}, why: posting.IdleClip},
		"a verified clip":          {given: func(b *bundle) { b.clip("c", 9, true) }, step: "create"},
		"at first, without a clip": {given: func(*bundle) {}, change: func(o *posting.Options) { o.Verified = false }, step: "create"},
		"not chosen":               {given: func(b *bundle) { b.clip("c", 9, true) }, change: chosen(news.Filter{Leagues: []int64{1}}), why: posting.IdleNotChosen},
		"not certain":              {given: func(b *bundle) { b.change(func(e *footy.Event) { e.CertainAt = time.Time{} }) }, why: posting.IdleGoal},
		"removed before":           {given: func(b *bundle) { b.change(func(e *footy.Event) { e.Removed = true }) }, why: posting.IdleGoal},
		"scored long ago": {given: func(b *bundle) {
			b.clip("c", 9, true)
			b.change(func(e *footy.Event) { e.CertainAt = b.now.Add(-24 * time.Hour) })
		}, why: posting.IdleOld},
		"posted":              {given: posted, why: posting.IdleDone},
		"posted, and removed": {given: func(b *bundle) { posted(b); b.change(func(e *footy.Event) { e.Removed = true }) }, step: "delete"},
		"posted, and corrected": {given: func(b *bundle) {
			posted(b)
			b.now = b.now.Add(2 * time.Minute)
			b.change(func(e *footy.Event) { e.Player.Name = "Gakpo" })
		}, step: "edit"},
		"posted, and a better clip came at once": {given: func(b *bundle) { posted(b); b.clip("better", 9, true) }, why: posting.IdleLater},
		"failed, and tried again later": {given: func(b *bundle) {
			b.clip("c", 9, true)
			b.change(func(e *footy.Event) {
				e.SetPosting(footy.Posting{Target: b.target.Key(), At: b.now, Error: "HTTP 502", Tries: 1, NextTry: b.now.Add(time.Minute)})
			})
		}, why: posting.IdleLater},
		"a post whose delivery is unknown": {given: func(b *bundle) {
			b.change(func(e *footy.Event) {
				e.SetPosting(footy.Posting{Target: b.target.Key(), At: b.now, Step: footy.PostingUnsure})
			})
		}, why: posting.IdleDone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at, calls := &social.Discord{}, atomic.Int32{}
			at.Asked = func(string) { calls.Add(1) }
			change := c.change
			if change == nil {
				change = func(*posting.Options) {}
			}
			b := setup(t, onDiscord(t, at), change)
			c.given(b)
			asked, f := calls.Load(), must(b.store.Fixture(t.Context(), 1))
			got, err := b.target.Preview(t.Context(), &f, &f.Events[0])
			require.NoError(t, err)
			require.Equal(t, c.step, got.Step)
			require.Equal(t, c.why, got.Why)
			require.Equal(t, "Discord", got.Service)
			require.Contains(t, got.Text, f.Events[0].Player.Name)
			require.Equal(t, asked, calls.Load(), "the service is not asked")
			require.Equal(t, f, must(b.store.Fixture(t.Context(), 1)), "nothing is written")
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
