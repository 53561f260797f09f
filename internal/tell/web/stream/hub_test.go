package stream_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

func TestASlowReaderIsDroppedAndSlowsNobody(t *testing.T) {
	t.Parallel()
	hub := stream.NewHub()
	slow, quick := hub.Subscribe(), hub.Subscribe()
	got := 0
	for range 1000 {
		hub.Publish(stream.EntityFixture, "1")
		<-quick.C
		got += len(quick.Take())
	}
	require.Equal(t, 1000, got)
	require.Equal(t, 1, hub.Readers())
	require.EqualValues(t, 1, hub.Dropped())
	<-slow.C
	require.NotEmpty(t, slow.Take(), "what fitted")
	_, more := <-slow.C
	require.False(t, more)
	slow.Close() // twice is harmless
	quick.Close()
	require.Zero(t, hub.Readers())
	hub.Close()
	_, open := <-hub.Subscribe().C
	require.False(t, open, "a hub that ended takes nobody")
}

// TestReadersComeAndGoWhileNotesArePublished is for the race detector.
func TestReadersComeAndGoWhileNotesArePublished(t *testing.T) {
	t.Parallel()
	hub := stream.NewHub()
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 200 {
				hub.Subscribe().Close()
			}
		})
	}
	for range 500 {
		hub.Publish(stream.EntityFixture, "1")
	}
	readers.Wait()
	require.Zero(t, hub.Readers())
}

func TestABurstIsTakenTogether(t *testing.T) {
	t.Parallel()
	merged := stream.Merge(stream.Note{Entity: "fixture", IDs: []string{"1"}}, stream.Note{Entity: "event", IDs: []string{"a"}},
		stream.Note{Entity: "fixture", IDs: []string{"2", "1"}})
	require.Equal(t, []stream.Note{{Entity: "fixture", IDs: []string{"1", "2"}}, {Entity: "event", IDs: []string{"a"}}}, merged)
}
