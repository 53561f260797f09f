package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/connect/media"
)

// spent is the processor time of this process and of those it waited for.
func spent() time.Duration {
	var total time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return total
}

// ways are how a clip is decoded to compare what that costs: bare, with all but the clock, and with the clock.
func ways(ctx context.Context, tool *media.Tool, path string) ([3]func() error, error) {
	probe, err := tool.Probe(ctx, path)
	decode := func(w media.Wants) func() error {
		return func() error { _, err := tool.Decode(ctx, path, probe, w); return err }
	}
	bare := func() error {
		return exec.CommandContext(ctx, "ffmpeg", "-nostdin", "-v", "error", "-threads", "1", "-i", path, "-an", "-f", "null", "-").Run()
	}
	return [3]func() error{bare, decode(media.Wants{}), decode(media.Wants{Clock: true})}, err
}

// costs compares them clip by clip in turn, the least of seven each.
func costs(ctx context.Context, tool *media.Tool, o options, clips []clip) error {
	by := map[string][]clip{}
	var names []string
	for _, k := range clips {
		if len(by[k.Manner]) == 0 {
			names = append(names, k.Manner)
		}
		by[k.Manner] = append(by[k.Manner], k)
	}
	if o.cost == 0 {
		return nil
	}
	fmt.Printf("\n%-24s %9s %9s %9s %8s %8s %14s   (processor time for a second of clip)\n", "", "bare", "no clock", "clock too", "ratio", "wall", "peak MB")
	var sum, wallSum [3]float64
	for _, name := range names {
		some := by[name][:min(o.cost, len(by[name]))]
		var total, wall [3]float64
		seconds := 0.0
		for _, k := range some {
			each, err := ways(ctx, tool, filepath.Join(o.dir, k.File))
			if err != nil {
				return err
			}
			best, quickest := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}, [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
			for range 7 {
				for i, f := range each {
					began, before := time.Now(), spent()
					if err := f(); err != nil {
						return err
					}
					best[i], quickest[i] = min(best[i], (spent()-before).Seconds()), min(quickest[i], time.Since(began).Seconds())
				}
			}
			for i := range total {
				total[i], wall[i] = total[i]+best[i], wall[i]+quickest[i]
				sum[i], wallSum[i] = sum[i]+best[i], wallSum[i]+quickest[i]
			}
			seconds += k.Seconds
		}
		mb, err := peak(ctx, filepath.Join(o.dir, some[0].File))
		if err != nil {
			return err
		}
		fmt.Printf("%-24s %9.4f %9.4f %9.4f %7.2fx %7.2fx %14s\n", name, total[0]/seconds, total[1]/seconds, total[2]/seconds, total[2]/total[0], wall[2]/wall[0], mb)
	}
	fmt.Printf("all: %.2fx bare decode, %.2fx of its time; without the clock %.2fx\n", sum[2]/sum[0], wallSum[2]/wallSum[0], sum[1]/sum[0])
	return nil
}

// peak decodes one clip in a process of its own, which nothing else made larger: memory of ours and of ffmpeg's.
func peak(ctx context.Context, path string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	out, err := exec.CommandContext(ctx, self, "-peak", path).Output()
	return strings.TrimSpace(string(out)), err
}

func printPeak(ctx context.Context, path string) error {
	if _, err := read(ctx, media.New(media.Options{}), path, media.Wants{Clock: true}); err != nil {
		return err
	}
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
		return err
	}
	status, err := os.ReadFile("/proc/self/status") // getrusage of a process includes the one that started it
	if err != nil {
		fmt.Println("not told here")
		return nil //nolint:nilerr // only Linux has it
	}
	for line := range strings.Lines(string(status)) {
		var ours int64
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &ours); err == nil {
			fmt.Printf("%d + %d\n", ours/1024, u.Maxrss/1024)
		}
	}
	return nil
}
