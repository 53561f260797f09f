package clockface_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/recognize/clockface"
)

// Every pair of brightnesses, in every place of a word, beside neighbours that borrow and carry.
func TestDifferencesOfEightPixelsAtOnce(t *testing.T) {
	t.Parallel()
	var x, y [8]byte
	for a := range 256 {
		for b := range 256 {
			for i := range x {
				x[i], y[i] = byte(a), byte(b)
				if i%2 == a%2 {
					x[i], y[i] = byte(b*3), byte(a*5)
				}
			}
			var want uint64
			for i := 0; i < 8; i += 2 {
				lane := max(x[i], y[i]) - min(x[i], y[i])
				next := max(x[i+1], y[i+1]) - min(x[i+1], y[i+1])
				want |= (uint64(lane) + uint64(next)) << (8 * i)
			}
			if got := clockface.Differ(binary.LittleEndian.Uint64(x[:]), binary.LittleEndian.Uint64(y[:])); got != want {
				require.Equal(t, want, got, "%v and %v", x, y)
			}
		}
	}
}

// Every brightness against floors from half the range on, in every place of a word.
func TestWhatIsDarkHasOneShade(t *testing.T) {
	t.Parallel()
	var x, want [8]byte
	for _, floor := range []byte{128, 129, 200, 255} {
		for v := range 256 {
			for i := range x {
				x[i] = byte(v + 37*i)
				want[i] = max(x[i], floor)
			}
			require.Equal(t, binary.LittleEndian.Uint64(want[:]), clockface.Lifted(binary.LittleEndian.Uint64(x[:]), floor), "%v from %d on", x, floor)
		}
	}
}
