// Package phashtest is the simple frame comparison that the project began with: the reference that phash is measured against.
package phashtest

import "math/bits"

// Distance is the number of bits in which two hashes differ.
func Distance(a, b uint64) int { return bits.OnesCount64(a ^ b) }

// SimplePolicy says when two sequences of hashes show the same footage.
type SimplePolicy struct {
	MaxBits int // a pair of samples agrees up to this distance
	Window  int // samples in a row that must agree at one offset
	Gaps    int // disagreeing samples allowed within the window
}

// FirstPolicy is the policy the project began with: 10 bits, three samples in a row.
var FirstPolicy = SimplePolicy{MaxBits: 10, Window: 3}

// MatchSimple compares two sequences of single hashes at every offset. It allocates nothing.
func MatchSimple(a, b []uint64, p SimplePolicy) bool {
	if p.Window <= 0 || len(a) < p.Window || len(b) < p.Window {
		return false
	}
	for off := p.Window - len(b); off <= len(a)-p.Window; off++ {
		i := max(0, off)
		x, y := a[i:], b[i-off:]
		n := min(len(x), len(y))
		if p.Gaps == 0 && simpleRun(x[:n], y[:n], p.MaxBits, p.Window) || p.Gaps > 0 && simpleWindow(x[:n], y[:n], p) {
			return true
		}
	}
	return false
}

// simpleRun looks for window agreeing samples in a row. Such a run covers one of every window samples: most are never
// compared.
func simpleRun(x, y []uint64, limit, window int) bool {
	y = y[:len(x)]
	for i := window - 1; i < len(x); i += window {
		if bits.OnesCount64(x[i]^y[i]) > limit {
			continue // the next run begins after i at the earliest
		}
		from := i
		for from > max(0, i-window+1) && bits.OnesCount64(x[from-1]^y[from-1]) <= limit {
			from--
		}
		for i+1 < len(x) && i-from+1 < window && bits.OnesCount64(x[i+1]^y[i+1]) <= limit {
			i++
		}
		if i-from+1 >= window {
			return true
		}
		i++ // disagrees, or is the end
	}
	return false
}

// simpleWindow looks for a window with at most p.Gaps disagreeing samples.
func simpleWindow(x, y []uint64, p SimplePolicy) bool {
	bad := 0
	for i := range x {
		if bits.OnesCount64(x[i]^y[i]) > p.MaxBits {
			bad++
		}
		if k := i - p.Window; k >= 0 && bits.OnesCount64(x[k]^y[k]) > p.MaxBits {
			bad--
		}
		if i >= p.Window-1 && bad <= p.Gaps {
			return true
		}
	}
	return false
}
