package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/bench/rig"
	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
)

var sizes = []int{10, 1_000, 10_000}

// table prints rows per size with the cost per fixture and its growth from one size to the next.
type table struct{ last float64 }

func (t *table) head(title string) {
	fmt.Printf("%s\n%12s %10s %14s %14s %14s %8s\n", title, "fixtures", "cpu ms", "ns/fixture", "bytes/fixture", "allocs/fixture", "growth")
	t.last = 0
}

func (t *table) row(n int, c spent, note string) {
	each := float64(c.time.Nanoseconds()) / float64(n)
	growth := "-"
	if t.last > 0 {
		growth = fmt.Sprintf("x%.2f", each/t.last)
	}
	t.last = each
	fmt.Printf("%12d %10.2f %14.0f %14d %14d %8s %s\n", n, c.time.Seconds()*1e3, each, c.bytes/n, c.allocs/n, growth, note)
}

// spent is what one run of a piece of work takes.
type spent struct {
	time          time.Duration // of processor, garbage collection included; the least of all samples, for other work on the machine only ever adds
	bytes, allocs int           // the mean
}

func measure(work func()) spent {
	const sample, samples = 50 * time.Millisecond, 7
	work() // caches and pools fill once
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	best, runs := time.Duration(0), 0
	for range samples {
		n, from := 0, processor()
		for n == 0 || processor()-from < sample {
			work()
			n++
		}
		if each := (processor() - from) / time.Duration(n); best == 0 || each < best {
			best = each
		}
		runs += n
	}
	runtime.ReadMemStats(&after)
	return spent{best, int(after.TotalAlloc-before.TotalAlloc) / runs, int(after.Mallocs-before.Mallocs) / runs}
}

// processor is the processor time this process has used.
func processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// polls measures one poll: decode every answer, then decide every fixture, or find that nothing has to be decided.
func polls() {
	var t table
	for _, all := range []bool{true, false} {
		t.head(map[bool]string{true: "Decode and decide a poll of live fixtures, every fixture decided", false: "The same where nothing changed"}[all])
		for _, n := range sizes {
			p := rig.NewPoll(n)
			for range 3 { // goals become certain
				p.Once(true)
			}
			note := ""
			c := measure(func() {
				if decided := p.Once(all); !all && decided != 0 {
					note = fmt.Sprintf("%d DECIDED THOUGH NOTHING CHANGED", decided)
				}
			})
			t.row(n, c, note)
		}
		fmt.Println()
	}
}

// days measures day lists: made ones, the largest recorded day's size among them, and files that were named.
func days(files []string) error {
	var t table
	t.head("Decode a day list")
	for _, n := range []int{10, 1_000, 1_127, 10_000} {
		note := map[bool]string{true: "(as many as on the busiest day on record)"}[n == 1_127]
		if err := day(&t, rig.Day(n), note); err != nil {
			return err
		}
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := day(&t, body, filepath.Base(file)); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	fmt.Println()
	return nil
}

func day(t *table, body []byte, note string) error {
	read := func() (int, error) {
		env, err := apifootball.Open(body, time.Time{})
		if err != nil {
			return 0, err
		}
		got, _ := apifootball.Read(env, time.Time{}, false).All()
		return len(got), nil
	}
	n, err := read()
	if err != nil {
		return err
	}
	if n == 0 {
		return errors.New("no fixture can be read in it")
	}
	t.row(n, measure(func() { _, _ = read() }), note) // it could be read a moment ago
	return nil
}
