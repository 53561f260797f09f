package pipeline_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/decide/clip/delay"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

// slowly is a decoder that takes its time.
type slowly struct {
	filmed
	pass func()
}

func (s slowly) Decode(ctx context.Context, path string, p footy.Probe, w media.Wants) (media.Decoded, error) {
	s.pass()
	return s.filmed.Decode(ctx, path, p, w)
}

// TestTheFirstClipTellsWhereItsTimeWent, once, by the post that was accepted first.
func TestTheFirstClipTellsWhereItsTimeWent(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	takes := func(d time.Duration) func() error { return func() error { b.pass(d); return nil } }
	b.x.set(func(footy.Candidate) error { return takes(12 * time.Second)() }, nil)
	b.down.Decoder = slowly{pass: func() { b.pass(9 * time.Second) }}
	b.model.readFirst = takes(4 * time.Second)

	b.changeEvent(oneGoal, func(e *footy.Event) {
		e.HappenedAt, e.MomentKnown, e.FirstSeen = b.at.Add(-90*time.Second), true, b.at.Add(-30*time.Second)
	})
	b.pass(8 * time.Second) // searched
	in := b.open("1", "2")
	b.pass(3 * time.Second) // waited for a slot
	must[any](b, download.RegisterDownload, in)
	for _, id := range []string{"1", "2"} {
		must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{id}})
	}
	must[any](b, download.Validate, download.ValidateInput{Input: in, Posts: []string{"1", "2"}})
	b.pass(5 * time.Second)
	publish := func() {
		must[any](b, upload.UploadVideos, upload.SaveInput{Input: upload.Input{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}, Download: in.Download})
	}
	var bytesMove sync.Once
	b.blob.set(0, false, func() error { bytesMove.Do(func() { b.pass(2 * time.Second) }); return nil })
	publish()

	rows := b.rows(oneGoal, footy.EntryFirstClip)
	require.Len(t, rows, 1)
	require.Equal(t, footy.FirstClipKey(oneGoal), rows[0].Key)
	require.Equal(t, "1", rows[0].PostID)
	e := b.event(oneGoal)
	require.NotNil(t, e.Clip(rows[0].ClipID))
	require.Equal(t, map[string]float64{delay.Told: 60, delay.Certain: 30, delay.Posted: 0, delay.Search: 8, delay.Fetch: 12, delay.Decode: 9, delay.Model: 4,
		delay.Waiting: 3 + 21 + 4 + 5, delay.Publish: 2}, rows[0].Data.Stages, "it waited for the fetch of the other, and for its verdict")
	require.Equal(t, e.Clips[0].AddedAt.Sub(e.HappenedAt), delay.Way(rows[0].Data.Stages).Whole())

	in = b.open("3")
	must[any](b, download.RegisterDownload, in)
	must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{"3"}})
	must[any](b, download.Validate, download.ValidateInput{Input: in, Posts: []string{"3"}})
	publish()
	e = b.event(oneGoal)
	require.Len(t, e.VisibleClips(), 3)
	require.Len(t, b.rows(oneGoal, footy.EntryFirstClip), 1)
}

// TestAClipThatNobodySeesIsNoFirstOne: its goal is removed for now.
func TestAClipThatNobodySeesIsNoFirstOne(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := b.open("1")
	b.changeEvent(oneGoal, func(e *footy.Event) { e.Removed = true })
	b.batch(in.Download, in)
	require.Empty(t, b.rows(oneGoal, footy.EntryFirstClip))
}
