package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/archive"
	"github.com/found-footy/found-footy/internal/recognize/footage"
	"github.com/found-footy/found-footy/internal/recognize/phash"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

type printed = footy.Fingerprint

// beat is a quarter of a second in samples.
const beat = int(0.25 / footy.SampleInterval)

// stranger makes new footage out of real footage: stretches of several clips, played backwards or not, with a
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
// and other copies, and for footage that it does not hold. It prints how many of the hits of a full comparison the index finds, how fast, what
// it holds, and what would be refused as old footage.
func search(ctx context.Context, c *corpus, o options) error {
	fmt.Printf("%-10s %9s %8s %8s %8s %16s %16s %16s %6s\n", "archive", "build/s", "p50 ms", "p95 ms", "CPU ms", "brute hits", "hidden copies", "refused as old", "wrong")
	for _, n := range []int{o.archive / 100, o.archive / 10, o.archive} {
		if n < 500 {
			continue
		}
		if err := searchIn(ctx, c, n, o); err != nil {
			return err
		}
	}
	return nil
}

func searchIn(ctx context.Context, c *corpus, size int, o options) error {
	dir, err := os.MkdirTemp("", "bench-archive-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	kept, err := newShelf(filepath.Join(dir, "fingerprints"))
	if err != nil {
		return err
	}
	defer kept.file.Close()
	a, err := newArchive(c, kept, size, o.queries)
	if err != nil {
		return err
	}
	return a.measure(ctx, filepath.Join(dir, "archive"), o.brute)
}

// question is footage to look for.
type question struct {
	print  printed
	hidden []int // the places of copies that were put there on purpose; none: it is new
}

// archived is what is searched, and what is asked of it.
type archived struct {
	kept  *shelf
	asked []question
}

func newArchive(c *corpus, kept *shelf, size, queries int) (*archived, error) {
	r := rand.New(rand.NewPCG(uint64(size), 11))
	a := &archived{kept: kept}
	masters := map[string]int{}
	var uploads []clip
	for _, k := range c.clips {
		switch k.Kind {
		case "master":
			masters[k.Goal] = kept.put(k.print)
		case "variant":
			uploads = append(uploads, k)
		}
	}
	r.Shuffle(len(uploads), func(i, j int) { uploads[i], uploads[j] = uploads[j], uploads[i] })
	for q := range queries {
		a.asked = append(a.asked, question{print: stranger(c, r)})
		if q%2 == 0 && q/2 < len(uploads) {
			k := uploads[q/2]
			if at, ok := masters[k.Goal]; ok {
				a.asked = append(a.asked, question{k.print, []int{at}})
				continue
			}
		}
		source := stranger(c, r)
		at := []int{kept.put(source)}
		for _, noise := range []int{40, 16, 11} { // 1.6, 4 and 6 bits of 64
			at = append(at, kept.put(copyOf(source, noise, r)))
		}
		a.asked = append(a.asked, question{copyOf(source, 30, r), at})
	}
	for kept.len() < size {
		kept.put(stranger(c, r))
	}
	return a, kept.failed
}

func (a *archived) measure(ctx context.Context, dir string, bruteQueries int) error {
	runtime.GC()
	start := time.Now()
	x := archive.Open(dir, a.kept, time.Now)
	defer func() { _ = x.Close() }() // it was only read
	if err := x.Sync(ctx); err != nil {
		return err
	}
	rate := float64(a.kept.len()) / time.Since(start).Seconds()
	built := peak()
	runtime.GC()
	var times []time.Duration
	var old share
	wrong := 0
	found := make([]map[int]bool, len(a.asked))
	cpu := own()
	for q, asked := range a.asked {
		start := time.Now()
		got, err := x.Find(ctx, asked.print, nil)
		if err != nil {
			return err
		}
		times = append(times, time.Since(start))
		found[q] = map[int]bool{}
		sure := false
		for _, h := range got {
			i, _ := strconv.Atoi(h.ClipID) // the shelf wrote it
			found[q][i] = true
			is := footage.OldBy(asked.print, h.Match)
			if is && !slices.Contains(asked.hidden, i) {
				wrong++
				fmt.Printf("   wrong: question %d, clip %d: %s\n", q, i, explain.Comparison(*h.Match.Evidence()))
			}
			sure = sure || is
		}
		if len(asked.hidden) > 0 {
			old.add(sure)
		}
	}
	cpu = own() - cpu
	slices.Sort(times)
	seconds := 0.0
	for i := range a.kept.len() {
		seconds += a.kept.get(i).Duration
	}
	files, err := size(dir)
	if err != nil {
		return err
	}
	var held runtime.MemStats
	runtime.ReadMemStats(&held)
	most := peak()
	brute, hidden := a.brute(found, bruteQueries), a.planted(found)
	fmt.Printf("%-10d %9.0f %8.2f %8.2f %8.2f %16s %16s %16s %6d\n", a.kept.len(), rate, ms(times[len(times)/2]), ms(times[len(times)*95/100]), ms(cpu)/float64(len(a.asked)), brute, hidden, old, wrong)
	fmt.Printf("%10s bytes a clip-second: fingerprint stored %.0f, files of the index %.0f, index in memory %.1f; heap %d MB, peak memory of this process %d MB while building, %d MB in all\n", "",
		float64(footy.FrameBytes)/footy.SampleInterval, float64(files)/seconds, float64(x.Status().Bytes)/seconds, held.HeapInuse>>20, built, most)
	return a.kept.failed
}

func size(dir string) (n int64, err error) {
	files, err := os.ReadDir(dir)
	for _, f := range files {
		if info, err := f.Info(); err == nil {
			n += info.Size()
		}
	}
	return n, err
}

// brute holds some questions against everything and counts the hits that the index found too.
func (a *archived) brute(found []map[int]bool, queries int) share {
	var s share
	var mu sync.Mutex
	var g errgroup.Group
	g.SetLimit(runtime.NumCPU())
	for q := range min(2*queries, len(a.asked)) {
		if len(a.asked[q].hidden) == 0 {
			continue
		}
		g.Go(func() error {
			query := phash.Prepare(a.asked[q].print)
			for i := range a.kept.len() {
				if query.Compare(phash.Prepare(a.kept.get(i))).Same {
					mu.Lock()
					s.add(found[q][i])
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
func (a *archived) planted(found []map[int]bool) share {
	var s share
	for q, asked := range a.asked {
		for _, i := range asked.hidden {
			if phash.Compare(asked.print, a.kept.get(i)).Same {
				s.add(found[q][i])
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
