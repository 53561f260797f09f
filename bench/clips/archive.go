package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

type printed = footy.Fingerprint

// beat is a quarter of a second in samples.
const beat = int(0.25 / footy.SampleInterval)

// stranger makes footage nobody has seen out of real footage: stretches of several clips, played backwards or not, with a
// quarter of the bits flipped for the whole clip and noise of its own. It moves and stands still as real footage does.
func stranger(c *corpus, r *rand.Rand) printed {
	out := printed{Version: footy.FingerprintVersion, Interval: footy.SampleInterval}
	want := (28 + r.IntN(52)) * beat
	quarter := func() uint64 { return r.Uint64() & r.Uint64() }
	mask := [5]uint64{quarter(), quarter(), quarter(), quarter(), quarter() >> 8}
	for len(out.Frames) < want {
		src := c.clips[r.IntN(len(c.clips))].print.Frames
		if len(src) < 12*beat {
			continue
		}
		n := (8 + r.IntN(20)) * beat
		at, step := r.IntN(len(src)), 1
		if r.IntN(2) == 0 {
			step = -1
		}
		for i := 0; i < n && at >= 0 && at < len(src) && len(out.Frames) < want; i++ {
			f := src[at]
			for k := range f.Bits {
				few := quarter() & r.Uint64() & r.Uint64() // one bit in sixteen
				f.Bits[k] ^= mask[k] ^ few
			}
			f.Detail ^= mask[4]
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

// search builds an archive of strangers, hides real masters and perturbed copies in it, asks for them with real re-uploads
// and other copies, and prints how many of the hits of a full comparison the index finds, how fast, and what it holds.
func search(c *corpus, size, queries int) {
	fmt.Printf("%-10s %9s %8s %8s %8s %16s %16s\n", "archive", "build/s", "p50 ms", "p95 ms", "CPU ms", "brute hits", "hidden copies")
	for _, n := range []int{size / 100, size / 10, size} {
		if n >= 500 {
			newArchive(c, n, queries).measure()
		}
	}
}

// archive is what is searched, and what is asked of it.
type archive struct {
	prints []printed
	asked  []printed
	hidden [][]int // for each question the places of copies that were put there on purpose
}

func newArchive(c *corpus, size, queries int) *archive {
	r := rand.New(rand.NewPCG(uint64(size), 11))
	a := &archive{}
	masters := map[string]int{}
	var uploads []clip
	for _, k := range c.clips {
		switch k.Kind {
		case "master":
			masters[k.Goal] = len(a.prints)
			a.prints = append(a.prints, k.print)
		case "variant":
			uploads = append(uploads, k)
		}
	}
	r.Shuffle(len(uploads), func(i, j int) { uploads[i], uploads[j] = uploads[j], uploads[i] })
	for len(a.prints) < size {
		a.prints = append(a.prints, stranger(c, r))
	}
	free := len(masters)
	for q := range queries {
		if q%2 == 0 && q/2 < len(uploads) {
			k := uploads[q/2]
			if at, ok := masters[k.Goal]; ok {
				a.asked, a.hidden = append(a.asked, k.print), append(a.hidden, []int{at})
				continue
			}
		}
		source := a.prints[free]
		at := []int{free}
		for i, noise := range []int{40, 16, 11} { // 1.6, 4 and 6 bits of 64
			a.prints[free+1+i] = copyOf(source, noise, r)
			at = append(at, free+1+i)
		}
		free += 4
		a.asked, a.hidden = append(a.asked, copyOf(source, 30, r)), append(a.hidden, at)
	}
	return a
}

// bruteQueries are so many because each is held against every clip of the archive.
const bruteQueries = 8

func (a *archive) measure() {
	runtime.GC()
	start := time.Now()
	x := phash.NewIndex()
	for i, p := range a.prints {
		x.Add(strconv.Itoa(i), p)
	}
	x.Pack()
	rate := float64(len(a.prints)) / time.Since(start).Seconds()
	runtime.GC()
	var times []time.Duration
	found := make([]map[string]bool, len(a.asked))
	cpu := own()
	for q, p := range a.asked {
		start := time.Now()
		got := x.Find(p, len(a.prints))
		times = append(times, time.Since(start))
		found[q] = map[string]bool{}
		for _, h := range got {
			found[q][h.ID] = true
		}
	}
	cpu = own() - cpu
	slices.Sort(times)
	brute, hidden := a.brute(found), a.planted(found)
	keys, held := x.Bytes()
	seconds := 0.0
	for _, p := range a.prints {
		seconds += p.Duration
	}
	fmt.Printf("%-10d %9.0f %8.2f %8.2f %8.2f %16s %16s\n", len(a.prints), rate, ms(times[len(times)/2]), ms(times[len(times)*95/100]), ms(cpu)/float64(len(a.asked)), brute, hidden)
	fmt.Printf("%10s bytes a clip-second: fingerprint stored %.0f, in memory %.0f, keys %.0f; peak memory of this process %d MB\n", "",
		float64(footy.FrameBytes)/footy.SampleInterval, float64(held)/seconds, float64(keys)/seconds, peak())
}

// brute holds some questions against everything and counts the hits that the index found too.
func (a *archive) brute(found []map[string]bool) share {
	var s share
	var mu sync.Mutex
	var g errgroup.Group
	g.SetLimit(runtime.NumCPU())
	for q := range min(bruteQueries, len(a.asked)) {
		g.Go(func() error {
			query := phash.Prepare(a.asked[q])
			for i, other := range a.prints {
				if query.Compare(phash.Prepare(other)).Same {
					mu.Lock()
					s.add(found[q][strconv.Itoa(i)])
					mu.Unlock()
				}
			}
			return nil
		})
	}
	_ = g.Wait() // nothing fails
	return s
}

// planted counts, of the copies put there on purpose that a full comparison recognises, those that the index found.
func (a *archive) planted(found []map[string]bool) share {
	var s share
	for q, p := range a.asked {
		for _, i := range a.hidden[q] {
			if phash.Compare(p, a.prints[i]).Same {
				s.add(found[q][strconv.Itoa(i)])
			}
		}
	}
	return s
}

type share struct{ found, of int }

func (s *share) add(found bool) {
	s.of++
	if found {
		s.found++
	}
}

func (s share) String() string {
	return fmt.Sprintf("%d/%d %.1f%%", s.found, s.of, 100*float64(s.found)/float64(max(1, s.of)))
}

// own is the CPU time of this process.
func own() time.Duration { return usage(syscall.RUSAGE_SELF) }

func usage(who int) time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(who, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peak is the most memory this process ever held, in megabytes.
func peak() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return u.Maxrss >> 20
	}
	return u.Maxrss >> 10
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
