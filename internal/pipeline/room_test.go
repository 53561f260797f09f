package pipeline_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/download"
)

func TestPostsWaitForRoomOnTheDisk(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := b.open("1")
	b.over(oneGoal)
	b.down.Room = func() error { return errors.New("3 MB are left") }
	must[any](b, download.RegisterDownload, in)
	must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{"1"}})
	require.Equal(t, map[string]string{"1": "waiting " + string(footy.ReasonMachine)}, b.states(oneGoal), "it is no fault of the post")
	require.Empty(t, b.x.fetched, "nothing is fetched")
	b.down.Room = func() error { return nil }
	b.batch(in.Download, in)
	b.settle(time.Hour)
	require.Equal(t, map[string]string{"1": "published"}, b.states(oneGoal))
}
