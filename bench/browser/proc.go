package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// usage is what this process and the Chromium below it have used.
type usage struct {
	self, chrome time.Duration
	mb, service  float64
}

// ticks are Linux's units of processor time in a second; USER_HZ has been 100 on all its machines.
const ticks = 100

type process struct {
	parent    int
	own, dead time.Duration // its own processor time, and that of the children it has outlived
}

// look reads /proc for this process and its descendants, without one of them.
func look(except int) (usage, error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(files) == 0 {
		return usage{}, fmt.Errorf("no /proc: this measurement needs Linux")
	}
	all := map[int]process{}
	for _, file := range files {
		if p, ok := read(file); ok {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			all[pid] = p
		}
	}
	var u usage
	me := os.Getpid()
	for pid, p := range all {
		switch {
		case pid == me:
			u.self, u.service = p.own, memory(pid)
			u.mb += u.service
		case below(all, pid, me) && pid != except:
			u.chrome += p.own + p.dead
			u.mb += memory(pid)
		}
	}
	return u, nil
}

func below(all map[int]process, pid, root int) bool {
	for range len(all) {
		p, ok := all[pid]
		switch {
		case !ok:
			return false
		case p.parent == root:
			return true
		}
		pid = p.parent
	}
	return false
}

// read takes the numbers of /proc/PID/stat after the name, which may hold spaces.
func read(file string) (process, bool) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return process{}, false // it has ended
	}
	f := strings.Fields(string(raw)[strings.LastIndexByte(string(raw), ')')+1:])
	if len(f) < 22 {
		return process{}, false
	}
	n := func(i int) int64 { v, _ := strconv.ParseInt(f[i], 10, 64); return v }
	cpu := func(i int) time.Duration { return time.Duration(n(i)+n(i+1)) * time.Second / ticks }
	return process{parent: int(n(1)), own: cpu(11), dead: cpu(13)}, true
}

// memory is what a process holds in memory, in MB; of what it shares with others, its part.
func memory(pid int) float64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0 // it has ended
	}
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
			kb, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
			return kb * 1024 / 1e6
		}
	}
	return 0
}
