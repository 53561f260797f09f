package pipeline_test

import (
	"context"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/blob"
)

// spoiler keeps other bytes than it is given of one object of one film, so often.
type spoiler struct {
	blob.Store
	part  string
	spoil func([]byte) []byte
	times *atomic.Int64 // objects are staged side by side
}

func (s *spoiler) Put(ctx context.Context, key string, r io.Reader, size int64, info blob.Info) error {
	if strings.HasPrefix(key, blob.StagingPrefix+digest("2")+"/"+s.part) && s.times.Add(-1) >= 0 {
		b, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		b = s.spoil(b)
		return s.Store.Put(ctx, key, strings.NewReader(string(b)), int64(len(b)), info)
	}
	return s.Store.Put(ctx, key, r, size, info)
}

// TestAStagedObjectThatIsSpoiled is fetched anew once, then it ends its post alone.
func TestAStagedObjectThatIsSpoiled(t *testing.T) {
	t.Parallel()
	half := func(b []byte) []byte { return b[:len(b)/2] }
	changed := func(b []byte) []byte { return append([]byte{^b[0]}, b[1:]...) }
	for name, c := range map[string]spoiler{
		"film cut off":        {part: "clip", spoil: half},
		"film changed":        {part: "clip", spoil: changed},
		"fingerprint cut off": {part: "fingerprint", spoil: half},
		"poster changed":      {part: "poster", spoil: changed},
		"frame changed":       {part: "frame-1", spoil: changed},
	} {
		for _, times := range []int{1, 9} {
			t.Run(name+map[int]string{1: " once", 9: " each time"}[times], func(t *testing.T) {
				t.Parallel()
				b := newBench(t)
				left := new(atomic.Int64)
				left.Store(int64(times))
				b.blob.Store = &spoiler{b.blob.Store, c.part, c.spoil, left}
				in := b.open("1", "2", "3")
				b.over(oneGoal)
				b.batch(in.Download, in)
				require.Equal(t, map[string]string{"1": "published", "2": "waiting storage", "3": "published"}, b.states(oneGoal))
				b.settle(10 * time.Minute)
				want := "published"
				if times > 1 {
					want = "refused unreadable"
				}
				require.Equal(t, map[string]string{"1": "published", "2": want, "3": "published"}, b.states(oneGoal))
				require.True(t, b.event(oneGoal).DownloadComplete)
				for _, kept := range []string{blob.ClipPrefix, blob.PosterPrefix} {
					require.Equal(t, times == 1, len(b.blob.keys(t.Context(), kept+oneGoal+"/"+digest("2"))) > 0, kept)
				}
				fetched := 0
				for _, id := range b.x.fetched {
					if id == "2" {
						fetched++
					}
				}
				require.Equal(t, 2, fetched)
			})
		}
	}
}
