package clip_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/film/clip"
	"github.com/found-footy/found-footy/internal/world/script"
)

func TestFootageShowsTheMinuteBeforeTheFeeds(t *testing.T) {
	t.Parallel()
	s := script.Default()
	for _, f := range s.Fixtures {
		for _, e := range f.Events {
			if e.Seconds == 0 {
				continue
			}
			sc := clip.Of(s, f, e, script.Post{Kind: script.Master}).Scenes[0]
			want := e.Minute + e.Extra - 1
			require.Equal(t, want, sc.Second/60)
			require.Equal(t, want, (sc.Second+int(sc.Seconds))/60, "and does not leave it")
			old := clip.Of(s, f, e, script.Post{Kind: script.OldGoal}).Scenes[0]
			require.Greater(t, max(old.Second/60-want, want-old.Second/60), 5)
		}
	}
}

func TestTheScoreBugSpeaksThreeNotations(t *testing.T) {
	t.Parallel()
	base := clip.Scene{Content: "football", Second: 93*60 + 27, Added: 6}
	for bug, want := range map[string][4]any{
		"running": {"93:27", 6, "", ""}, "frozen": {"90:00", 6, "03:27", ""}, "restart": {"48:27", -1, "", "2H"}, "none": {"", -1, "", ""}} {
		sc := base
		sc.Bug = bug
		r := sc.Seen(0.5)
		require.Equal(t, want, [4]any{clip.Clock(r), r.Added, clip.SubClock(r), r.Period}, bug)
	}
	et := clip.Scene{Content: "football", Bug: "restart", Second: 97*60 + 20}
	require.Equal(t, "ET1", et.Seen(0).Period)
	require.Equal(t, 7, et.Seen(0).Minute)
}

func TestTheDayNeedsASensibleNumberOfFiles(t *testing.T) {
	t.Parallel()
	files := map[string]bool{}
	order := map[string]int{}
	for i, c := range clip.Needed(script.Default()) {
		require.False(t, files[c.Name()], "listed once")
		files[c.Name()] = true
		order[c.Name()] = i
		require.InDelta(t, 8, c.Seconds, 7)
		for _, src := range c.Sources() {
			at, ok := order[src.Name()]
			require.True(t, ok && at < i, "sources come first")
		}
	}
	require.Less(t, len(files), 130)
}
