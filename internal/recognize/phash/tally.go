package phash

import (
	"cmp"
	"slices"
)

// tally counts by key in one flat table: a map costs ten times as much here.
type tally struct {
	keys []uint64 // key+1; 0 = free
	n    []uint16
	used int
}

func newTally() *tally { return &tally{keys: make([]uint64, 1<<12), n: make([]uint16, 1<<12)} }

func (t *tally) slot(key uint64) int {
	mask := len(t.keys) - 1
	i := int(key*0x9e3779b97f4a7c15>>20) & mask
	for t.keys[i] != 0 && t.keys[i] != key+1 {
		i = (i + 1) & mask
	}
	return i
}

// add counts one more.
func (t *tally) add(key uint64) {
	if i := t.claim(key); t.n[i] < 1<<16-1 {
		t.n[i]++
	}
}

func (t *tally) claim(key uint64) int {
	i := t.slot(key)
	if t.keys[i] != 0 {
		return i
	}
	if t.used++; t.used*4 > len(t.keys)*3 {
		old := *t
		t.keys, t.n = make([]uint64, 2*len(old.keys)), make([]uint16, 2*len(old.n))
		for k, key := range old.keys {
			if key != 0 {
				j := t.slot(key - 1)
				t.keys[j], t.n[j] = key, old.n[k]
			}
		}
		i = t.slot(key)
	}
	t.keys[i] = key + 1
	return i
}

// top returns the keys with the highest counts, highest first; of equal counts the lower key.
func (t *tally) top(limit int) []uint64 {
	type counted struct {
		key uint64
		n   uint16
	}
	var histogram [64]int
	for i, k := range t.keys {
		if k != 0 {
			histogram[min(63, t.n[i])]++
		}
	}
	floor, sum := 63, 0
	for ; floor > 1 && sum+histogram[floor] <= limit; floor-- {
		sum += histogram[floor]
	}
	all := make([]counted, 0, limit)
	for i, k := range t.keys {
		if k != 0 && int(t.n[i]) >= floor {
			all = append(all, counted{k - 1, t.n[i]})
		}
	}
	slices.SortFunc(all, func(a, b counted) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.key, b.key)) })
	out := make([]uint64, 0, limit)
	for _, c := range all[:min(limit, len(all))] {
		out = append(out, c.key)
	}
	return out
}
