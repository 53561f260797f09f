package web_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/web"
)

// logged counts how often the log is read.
type logged struct {
	store.Store
	reads atomic.Int32
}

func (l *logged) Entries(ctx context.Context, q store.LogQuery) ([]footy.Entry, error) {
	l.reads.Add(1)
	return l.Store.Entries(ctx, q)
}

// TestThePicturesOfAGoalReadItsLogOnce: a goal's page asks for a picture of each of its posts.
func TestThePicturesOfAGoalReadItsLogOnce(t *testing.T) {
	t.Parallel()
	var log *logged
	s := newTestServer(t, func(o *web.Options) {
		log = &logged{Store: o.Store}
		o.Store = log
	})
	s.Add(footy.Fixture{ID: 1, Stage: footy.StageActive, Match: footy.Match{ID: 1, Kickoff: noon}, Events: []footy.Event{{UID: "1-1", ID: "1_40_7_Goal_1", Kind: footy.KindGoal, CertainAt: noon}}})
	picture := func(n int) string { return fmt.Sprintf("/p/1-1/post/%d.jpg", n) }
	add := func(n int) {
		digest := fmt.Sprintf("%064d", n)
		s.Put(blob.StillKey("1-1", digest), "image/jpeg", []byte("still"))
		s.Log(footy.Entry{Key: fmt.Sprint("still ", n), FixtureID: 1, EventUID: "1-1", At: noon, Kind: footy.EntryRejected, Reason: footy.ReasonNotSoccer,
			PostID: fmt.Sprint(n), Data: footy.Evidence{PosterKey: blob.StillKey("1-1", digest)}})
	}
	for n := range 20 {
		add(n)
	}
	for range 3 {
		for n := range 20 {
			require.Equal(t, "still", text(t, s.Get(picture(n))))
		}
	}
	require.EqualValues(t, 1, log.reads.Load())
	add(20)
	s.Update(1, func(f *footy.Fixture) { f.UpdatedAt = noon }) // which tells the page
	require.Equal(t, "still", text(t, s.Get(picture(20))), "a picture that is new")
}
