package stats_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/footy"
)

// proven is a post whose file is a clip of that id, with its verdict.
func proven(event, clip string, v footy.Verdict) footy.Post {
	return footy.Post{EventUID: event, Media: &footy.Media{Digest: clip}, Verdict: &v}
}

var (
	read    = []footy.Reading{{Soccer: true, Clock: "66:58"}}
	seen    = []footy.Reading{{Soccer: true}}
	running = &footy.RunningClock{Readings: []footy.ClockAt{{Clock: "66:58"}}}
)

func TestWhatClipsAreProvenBy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		clip  footy.Clip
		posts []footy.Post
		want  stats.By
	}{
		"the clock, a model looked at the picture": {footy.Clip{Verified: true}, []footy.Post{proven("e", "c", footy.Verdict{Proof: footy.ProofClock, Running: running, Readings: seen})}, stats.ByClockAndPicture},
		"a model": {footy.Clip{Verified: true}, []footy.Post{proven("e", "c", footy.Verdict{Readings: read})}, stats.ByModel},
		"a model, and the clock could not decide": {footy.Clip{Verified: true}, []footy.Post{proven("e", "c", footy.Verdict{Readings: read, Running: running})}, stats.ByModel},
		"the clock alone":                         {footy.Clip{Verified: true}, []footy.Post{proven("e", "c", footy.Verdict{Proof: footy.ProofClock, Running: running})}, stats.ByClock},
		"known footage":                           {footy.Clip{Verified: true}, []footy.Post{proven("e", "c", footy.Verdict{SameAs: "other", Readings: read})}, stats.ByKnownFootage},
		"the same file as a post that was looked at": {footy.Clip{Verified: true}, []footy.Post{
			proven("e", "c", footy.Verdict{SameAs: "c", Proof: footy.ProofClock, Readings: seen})}, stats.ByClockAndPicture},
		"known at first, looked at in another post": {footy.Clip{Verified: true}, []footy.Post{
			proven("e", "c", footy.Verdict{SameAs: "other"}), proven("e", "c", footy.Verdict{Readings: read})}, stats.ByModel},
		"another goal's verdict": {footy.Clip{Verified: true}, []footy.Post{proven("f", "c", footy.Verdict{Readings: read})}, stats.ByUnknown},
		"nothing":                {footy.Clip{}, []footy.Post{proven("e", "c", footy.Verdict{Readings: read})}, stats.NotProven},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.clip.ID = "c"
			p := stats.ProofsOf(footy.Fixture{Events: []footy.Event{{UID: "e", Clips: []footy.Clip{c.clip, {ID: "old", ReplacedBy: "c", Verified: true}}}}}, c.posts)
			require.Equal(t, 1, p.Clips, "only what is shown")
			require.Equal(t, map[stats.By]int{c.want: 1}, p.By)
			require.Contains(t, stats.Bys(), c.want)
		})
	}
}
