package dedup_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/decide/clip/dedup"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// footage draws the hashes of seconds [from, to) of a moving scene; the same scene always looks the same. All its bits are new after a
// quarter of a second, some of them sooner.
func footage(scene uint64, from, to float64) footy.Fingerprint {
	fp := footy.Fingerprint{Version: footy.FingerprintVersion, Interval: footy.SampleInterval, Duration: to - from}
	for i := int(from / footy.SampleInterval); i < int(to/footy.SampleInterval); i++ {
		now, next := rand.New(rand.NewPCG(scene, uint64(i/4))), rand.New(rand.NewPCG(scene, uint64(i/4+1)))
		changed := [4]uint64{0, 0x1111111111111111, 0x5555555555555555, 0x7777777777777777}[i%4]
		f := footy.Frame{Weight: 255}
		for k := range f.Bits {
			f.Bits[k] = now.Uint64()&^changed | next.Uint64()&changed
		}
		fp.Frames = append(fp.Frames, f)
	}
	return fp
}

func join(parts ...footy.Fingerprint) footy.Fingerprint {
	out := parts[0]
	for _, p := range parts[1:] {
		out.Frames = append(append([]footy.Frame(nil), out.Frames...), p.Frames...)
		out.Duration += p.Duration
	}
	return out
}

func item(id string, posts int, fp footy.Fingerprint) dedup.Item {
	c := footy.Clip{ID: id, Digest: id, Duration: fp.Duration, Width: 1280, Height: 720, Bitrate: 2_000_000, Size: int64(fp.Duration * 250_000)}
	for i := range posts {
		c.Posts = append(c.Posts, fmt.Sprintf("%s-%d", id, i))
	}
	return dedup.Item{Clip: c, Fingerprint: fp}
}

func plan(items ...dedup.Item) map[string]dedup.Decision {
	out := map[string]dedup.Decision{}
	for _, d := range dedup.Plan(items, phash.Unkept) {
		out[d.ClipID] = d
	}
	return out
}

func TestTheLongestCopyStandsForTheOthers(t *testing.T) {
	t.Parallel()
	got := plan(item("short", 2, footage(1, 2, 9)), item("whole", 1, footage(1, 0, 14)), item("other", 1, footage(2, 0, 14)))
	require.Empty(t, got["whole"].ReplacedBy)
	require.Empty(t, got["other"].ReplacedBy)
	require.Equal(t, "whole", got["short"].ReplacedBy)
	require.Equal(t, 3, got["whole"].Popularity)
	require.Equal(t, 1, got["other"].Popularity)
	require.InDelta(t, 2, got["short"].Match.Offset, 0.01, "the winner begins two seconds earlier")
}

func TestAPostThatCarriedTwoFilesCountsOnce(t *testing.T) {
	t.Parallel()
	a, b := item("a", 1, footage(1, 0, 10)), item("b", 1, footage(1, 0, 9))
	b.Clip.Posts = a.Clip.Posts
	require.Equal(t, 1, plan(a, b)["a"].Popularity)
}

func TestACompilationJoinsNoTwoGoalsAndSupportsBoth(t *testing.T) {
	t.Parallel()
	c := item("c", 5, join(footage(1, 0, 10), footage(2, 0, 10)))
	a, b := item("a", 2, footage(1, 0, 10)), item("b", 7, footage(2, 0, 10))
	got := plan(c, a, b)
	require.Empty(t, got["a"].ReplacedBy)
	require.Empty(t, got["b"].ReplacedBy)
	require.True(t, got["c"].Compilation)
	require.Contains(t, []string{"a", "b"}, got["c"].ReplacedBy)
	require.Equal(t, 7, got["a"].Popularity)
	require.Equal(t, 12, got["b"].Popularity)
}

func TestACompilationShorterThanItsPartsIsSeenByItsCut(t *testing.T) {
	t.Parallel()
	c := item("c", 1, join(footage(1, 0, 5), footage(2, 6, 11)))
	got := plan(c, item("a", 1, footage(1, 0, 13)), item("b", 1, footage(2, 0, 13)))
	require.Empty(t, got["a"].ReplacedBy)
	require.Empty(t, got["b"].ReplacedBy)
	require.True(t, got["c"].Compilation)
}

func TestAJumpingClockNeverRetiresASingleGoal(t *testing.T) {
	t.Parallel()
	c := item("c", 1, join(footage(1, 0, 10), footage(2, 0, 30)))
	c.Clip.Compiled = true
	got := plan(c, item("a", 1, footage(1, 0, 10)))
	require.Empty(t, got["a"].ReplacedBy)
	require.Equal(t, "a", got["c"].ReplacedBy)
}

func TestPartsOfOneVerifiedMomentAreOneClip(t *testing.T) {
	t.Parallel()
	minute := 67
	verified := func(it dedup.Item) dedup.Item {
		it.Clip.Verified, it.Clip.Minute = true, &minute
		return it
	}
	got := plan(verified(item("whole", 1, footage(1, 0, 20))), verified(item("live", 1, footage(1, 0, 7))), verified(item("replay", 1, footage(1, 12, 20))))
	require.Equal(t, "whole", got["live"].ReplacedBy)
	require.Equal(t, "whole", got["replay"].ReplacedBy)
}

func TestPinnedAndHiddenClipsStand(t *testing.T) {
	t.Parallel()
	long, pinned, hidden := item("long", 1, footage(1, 0, 14)), item("pinned", 1, footage(1, 0, 10)), item("hidden", 1, footage(1, 0, 18))
	pinned.Clip.Pinned, hidden.Clip.Hidden = true, true
	got := plan(long, pinned, hidden)
	require.Empty(t, got["pinned"].ReplacedBy)
	require.Empty(t, got["hidden"].ReplacedBy)
	require.Equal(t, "pinned", got["long"].ReplacedBy)
}

// TestOrderOfArrivalDoesNotMatter is the incident in which results depended on which file came first.
func TestOrderOfArrivalDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(rt, "clips")
		var items []dedup.Item
		for i := range n {
			scene := rapid.Uint64Range(1, 3).Draw(rt, "scene")
			from := rapid.Float64Range(0, 8).Draw(rt, "from")
			fp := footage(scene, from, from+rapid.Float64Range(1, 12).Draw(rt, "length"))
			if rapid.Bool().Draw(rt, "compiled") {
				fp = join(fp, footage(scene+1, 0, 8))
			}
			it := item(fmt.Sprintf("clip%d", i), rapid.IntRange(1, 3).Draw(rt, "posts"), fp)
			it.Clip.Pinned = rapid.IntRange(0, 9).Draw(rt, "pinned") == 0
			it.Clip.Hidden = rapid.IntRange(0, 9).Draw(rt, "hidden") == 0
			items = append(items, it)
		}
		want := dedup.Plan(items, phash.Unkept)
		require.Equal(rt, want, dedup.Plan(rapid.Permutation(items).Draw(rt, "order"), phash.Unkept))
		for _, d := range want {
			if d.ReplacedBy != "" {
				for _, w := range want {
					if w.ClipID == d.ReplacedBy {
						require.Empty(rt, w.ReplacedBy, "a winner must stand for itself")
					}
				}
			}
		}
	})
}
