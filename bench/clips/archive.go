package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/phash"
)

type printed = footy.Fingerprint

// stranger makes footage nobody has seen out of real footage: stretches of several clips, played backwards or mirrored,
// under a mask of flipped bits that stays for the whole clip, with noise of its own.
func stranger(c *corpus, r *rand.Rand) printed {
	out := printed{Version: footy.FingerprintVersion, Interval: footy.SampleInterval}
	want := 28 + r.IntN(52)
	var mask [4]uint64
	for k := range mask {
		mask[k] = r.Uint64() & r.Uint64() & r.Uint64() // one bit in eight
	}
	for len(out.Frames) < want {
		src := c.clips[r.IntN(len(c.clips))].print.Frames
		if len(src) < 12 {
			continue
		}
		n := 8 + r.IntN(20)
		at, step := r.IntN(len(src)), 1
		if r.IntN(2) == 0 {
			step = -1
		}
		for i := 0; i < n && at >= 0 && at < len(src) && len(out.Frames) < want; i++ {
			f := src[at]
			for k := range f.Bits {
				f.Bits[k] ^= mask[k] ^ (r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64())
			}
			out.Frames = append(out.Frames, f)
			at += step
		}
	}
	out.Duration = float64(len(out.Frames)) * out.Interval
	return out
}

// copyOf is a re-upload: trimmed, with one bit in so many flipped anew in each sample.
func copyOf(p printed, noise int, r *rand.Rand) printed {
	out := p
	cut := r.IntN(max(1, len(p.Frames)/3))
	out.Frames = slices.Clone(p.Frames[cut:])
	for i := range out.Frames {
		for k := range out.Frames[i].Bits {
			for b := range 64 {
				if r.IntN(noise) == 0 {
					out.Frames[i].Bits[k] ^= 1 << b
				}
			}
		}
	}
	out.Duration = float64(len(out.Frames)) * out.Interval
	return out
}

// search builds an archive, hides copies of the queries in it, and prints how many of the hits of a full comparison the
// index finds, and how fast.
func search(c *corpus, size, queries int) {
	fmt.Printf("%-10s %10s %10s %10s %8s %9s %9s %10s\n", "archive", "build/s", "p50 ms", "p95 ms", "CPU ms", "brute", "found", "memory MB")
	for _, n := range []int{size / 100, size / 10, size} {
		if n >= 100 {
			searchOne(c, n, queries)
		}
	}
}

func searchOne(c *corpus, size, queries int) {
	r := rand.New(rand.NewPCG(uint64(size), 11))
	prints := make([]printed, 0, size)
	for range size {
		prints = append(prints, stranger(c, r))
	}
	asked := make([]printed, queries)
	for q := range asked {
		k := r.IntN(size)
		for i, noise := range []int{40, 16, 11} { // 1.6, 4 and 6 bits of 64
			prints[(k+1+i)%size] = copyOf(prints[k], noise, r)
		}
		asked[q] = copyOf(prints[k], 30, r)
	}
	start := time.Now()
	x := phash.NewIndex()
	for i, p := range prints {
		x.Add(fmt.Sprint(i), p)
	}
	x.Freeze()
	rate := float64(size) / time.Since(start).Seconds()
	var times []time.Duration
	brute, found, cpu := 0, 0, time.Duration(0)
	for q, p := range asked {
		start, before := time.Now(), own()
		got := x.Find(p, size)
		times = append(times, time.Since(start))
		cpu += own() - before
		if q >= 12 {
			continue // the full comparison of every pair takes its time: twelve queries show it
		}
		ids := map[string]bool{}
		for _, h := range got {
			ids[h.ID] = true
		}
		prepared := phash.Prepare(p)
		for i, other := range prints {
			if prepared.Compare(phash.Prepare(other)).Same {
				brute++
				if ids[fmt.Sprint(i)] {
					found++
				}
			}
		}
	}
	slices.Sort(times)
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	keys, held := x.Bytes()
	seconds := 0.0
	for _, p := range prints {
		seconds += p.Duration
	}
	fmt.Printf("%-10d %10.0f %10.2f %10.2f %8.2f %9d %8.1f%% %10.0f\n", size, rate, ms(times[len(times)/2]), ms(times[len(times)*95/100]), ms(cpu)/float64(len(asked)), brute,
		100*float64(found)/float64(max(1, brute)), float64(m.HeapAlloc)/1e6)
	fmt.Printf("%10s %.0f bytes a clip-second stored, in memory %.0f with %.0f of keys\n", "", float64(footy.FrameBytes)/footy.SampleInterval, float64(held+keys)/seconds, float64(keys)/seconds)
}

// own is the CPU time of this process.
func own() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
