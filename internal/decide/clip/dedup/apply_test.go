package dedup_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/dedup"
	"github.com/found-footy/found-footy/internal/decide/clip/rank"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

type bundle struct {
	event footy.Event
	fps   map[string]footy.Fingerprint
}

func (b *bundle) arrive(items ...dedup.Item) []dedup.Change {
	if b.fps == nil {
		b.fps = map[string]footy.Fingerprint{}
	}
	for _, it := range items {
		b.event.Clips = append(b.event.Clips, it.Clip)
		b.fps[it.Clip.ID] = it.Fingerprint
	}
	ch := dedup.Apply(&b.event, b.fps, phash.Unkept)
	rank.Apply(&b.event)
	return ch
}

func TestACopyThatPlaysStandsForALongerOneThatDoesNot(t *testing.T) {
	t.Parallel()
	var b bundle
	better := item("first", 1, footage(1, 1, 11))
	better.Clip.Unplayed = true
	b.arrive(better)
	ch := b.arrive(item("second", 1, footage(1, 2, 8)))
	require.Equal(t, "second", ch[0].Winner)
	require.Equal(t, footy.MeritPlays, ch[0].Evidence.Better)
}

func TestLinksFollowTheWinnerForGood(t *testing.T) {
	t.Parallel()
	var b bundle
	ch := b.arrive(item("first", 1, footage(1, 2, 8)))
	require.Len(t, ch, 1)
	require.Equal(t, footy.EntryClip, ch[0].Kind)

	ch = b.arrive(item("second", 1, footage(1, 1, 11)))
	require.Len(t, ch, 2)
	require.Equal(t, footy.EntryReplaced, ch[0].Kind)
	require.Equal(t, "second", ch[0].Winner)
	require.True(t, ch[0].Evidence.Match.Same)
	require.Equal(t, footy.MeritLonger, ch[0].Evidence.Better)
	require.Equal(t, footy.EntryClip, ch[1].Kind)

	ch = b.arrive(item("third", 1, footage(1, 0, 16)), item("late", 1, footage(1, 3, 10)))
	require.Equal(t, map[string]string{"first": "third", "second": "third", "late": "third"}, b.event.Redirects)
	kinds := map[string]footy.EntryKind{}
	for _, c := range ch {
		kinds[c.ClipID] = c.Kind
	}
	require.Equal(t, map[string]footy.EntryKind{"second": footy.EntryReplaced, "third": footy.EntryClip, "late": footy.EntryMerged}, kinds)
	require.Len(t, b.event.VisibleClips(), 1)
	require.Equal(t, 4, b.event.Clip("third").Popularity)
	require.Empty(t, dedup.Apply(&b.event, b.fps, phash.Unkept), "a repeated batch changes nothing")
}

// TestEveryOrderOfArrivalEndsAlike takes the clips of one goal in every order there is, one by one and in batches: who
// stands for whom, where old links lead, popularity and ranks come out the same.
func TestEveryOrderOfArrivalEndsAlike(t *testing.T) {
	t.Parallel()
	proven := func(it dedup.Item) dedup.Item {
		it.Clip.Verified = true
		return it
	}
	all := []dedup.Item{
		item("whole", 1, footage(1, 0, 14)), item("middle", 2, footage(1, 3, 10)), item("compilation", 3, join(footage(1, 0, 9), footage(2, 0, 9))),
		item("other", 1, footage(2, 0, 12)), proven(item("proven", 1, footage(1, 1, 9))),
	}
	type outcome struct {
		clips     map[string][3]any
		redirects map[string]string
	}
	end := func(order []int, size int) outcome {
		var b bundle
		for len(order) > 0 {
			n := min(size, len(order))
			var batch []dedup.Item
			for _, i := range order[:n] {
				batch = append(batch, all[i])
			}
			b.arrive(batch...)
			order = order[n:]
		}
		out := outcome{map[string][3]any{}, b.event.Redirects}
		for _, c := range b.event.Clips {
			out.clips[c.ID] = [3]any{c.ReplacedBy, c.Popularity, c.Rank}
		}
		return out
	}
	want := end([]int{0, 1, 2, 3, 4}, 5)
	require.Equal(t, map[string]string{"middle": "whole", "compilation": want.redirects["compilation"]}, want.redirects)
	for _, order := range permutations(len(all)) {
		for _, size := range []int{1, 3} {
			require.Equal(t, want, end(order, size), "order %v, %d at a time", order, size)
		}
	}
}

// permutations lists every order of n things.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var out [][]int
	for _, p := range permutations(n - 1) {
		for at := range n {
			out = append(out, slices.Insert(slices.Clone(p), at, n-1))
		}
	}
	return out
}

func TestLinksOfSweptAndForgottenClipsStillLead(t *testing.T) {
	t.Parallel()
	var b bundle
	b.event.Redirects = map[string]string{"ancient": "first"}
	b.arrive(item("first", 1, footage(1, 2, 8)), item("second", 1, footage(1, 1, 11)))
	b.event.Clip("first").Swept = true
	delete(b.fps, "first")
	b.arrive(item("third", 1, footage(1, 0, 16)))
	require.Equal(t, map[string]string{"ancient": "third", "first": "third", "second": "third"}, b.event.Redirects)
	require.Equal(t, "third", b.event.Clip("first").ReplacedBy)
}

func TestPoolsAreNeverCompared(t *testing.T) {
	t.Parallel()
	var b bundle
	proven := item("proven", 1, footage(1, 0, 8))
	proven.Clip.Verified = true
	b.arrive(proven, item("long", 1, footage(1, 0, 20)))
	require.Len(t, b.event.VisibleClips(), 2)
}

func TestAHiddenClipStaysHiddenAndRetiresNothing(t *testing.T) {
	t.Parallel()
	var b bundle
	b.arrive(item("good", 1, footage(1, 0, 20)))
	b.event.Clip("good").Hidden = true
	b.arrive(item("copy", 1, footage(1, 0, 8)))
	require.True(t, b.event.Clip("good").Hidden)
	require.Len(t, b.event.VisibleClips(), 1)
	require.Equal(t, "copy", b.event.VisibleClips()[0].ID)
}

func TestQuality(t *testing.T) {
	t.Parallel()
	clip := func(seconds float64, bitrate int64, w, h int) footy.Clip {
		return footy.Clip{Duration: seconds, Bitrate: bitrate, Width: w, Height: h}
	}
	for name, tc := range map[string]struct {
		challenger, incumbent footy.Clip
		upgrade               bool
	}{
		"much longer wins":             {clip(30, 2e6, 1280, 720), clip(4, 9e6, 1920, 1080), true},
		"much shorter loses":           {clip(4, 9e6, 1920, 1080), clip(30, 2e6, 1280, 720), false},
		"denser wins":                  {clip(20, 5e6, 1280, 720), clip(20, 2e6, 1280, 720), true},
		"an upscale loses":             {clip(20, 1.5e6, 1920, 1080), clip(20, 3e6, 1280, 720), false},
		"honest pixels win":            {clip(20, 4e6, 1920, 1080), clip(20, 1.78e6, 1280, 720), true},
		"length counts to one minute":  {clip(600, 1e6, 1280, 720), clip(60, 2e6, 1280, 720), false},
		"an unknown duration is worst": {clip(0, 9e6, 1920, 1080), clip(3, 1e6, 640, 360), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.upgrade, dedup.Compare(tc.challenger, tc.incumbent) < 0)
		})
	}
}

// TestNothingWithoutADigestIsTakenDownByIt: a tombstone that names no content bars no clip whose digest is not known.
func TestNothingWithoutADigestIsTakenDownByIt(t *testing.T) {
	t.Parallel()
	require.Nil(t, dedup.TakenDown([]footy.Tombstone{{EventUID: "u"}}, "", footy.Fingerprint{}))
}
