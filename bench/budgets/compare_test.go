package budgets_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/dedup"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/footage"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// AllocationsOfAKnownPlan is what deciding about 50 clips may take whose footage was compared before.
const AllocationsOfAKnownPlan = 500

// TestAGoalsFootageIsComparedOnce: each of ten Downloads decides about all clips of its goal anew. It counts allocations and cannot run beside
// other tests.
func TestAGoalsFootageIsComparedOnce(t *testing.T) {
	var scenes []footy.Fingerprint
	for n := range uint64(5) {
		s := footy.Samples{Interval: footy.SampleInterval, Duration: 6}
		for at := range uint64(96) {
			r := rand.New(rand.NewPCG(n, at))
			pix := make([]byte, footy.SampleWidth*footy.SampleHeight)
			for i := range pix {
				pix[i] = byte(r.IntN(256))
			}
			s.Pix = append(s.Pix, pix)
		}
		scenes = append(scenes, phash.Build(s))
	}
	var items []dedup.Item
	for n := range 50 {
		id := fmt.Sprint("clip", n)
		items = append(items, dedup.Item{Clip: footy.Clip{ID: id, Digest: id, Width: 640, Height: 360 + n, Duration: 6}, Fingerprint: scenes[n%5]})
	}
	plan := dedup.Plan(items, phash.Unkept)
	var kept footage.Memory
	for known := 5; known < len(items); known += 5 {
		dedup.Plan(items[:known], kept.Prepare)
	}
	last := testing.AllocsPerRun(1, func() { require.Equal(t, plan, dedup.Plan(items, kept.Prepare)) }) // it runs once before it counts
	t.Logf("deciding about 50 known clips takes %.0f allocations, about new ones %.0f", last, testing.AllocsPerRun(1, func() { dedup.Plan(items, phash.Unkept) }))
	require.LessOrEqual(t, last, float64(AllocationsOfAKnownPlan))
}
