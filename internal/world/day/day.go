// Package day keeps the simulated day's clock and counters, and carries them over a crash.
package day

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Day maps wall time to product time and counts what the feed and the search service have answered.
// Counters live on disk: while the world is down no polls pass, but the clock runs on.
type Day struct {
	mu    sync.Mutex
	path  string
	state state
	now   func() time.Time
}

type state struct {
	Start    time.Time      `json:"start"`
	Scale    float64        `json:"scale"`
	Polls    map[int]int    `json:"polls"`
	Listed   map[string]int `json:"listed"`
	Requests int            `json:"requests"`
	Searches int            `json:"searches"`
	Calls    int            `json:"calls,omitempty"`    // of the feed, those that are refused too,
	CallsOn  string         `json:"calls_on,omitempty"` // on this date
}

// Open continues the day kept in dir, or starts one of which some product minutes are over already. An empty dir keeps
// nothing.
func Open(dir string, scale, minutes float64) (*Day, error) {
	if scale < 1 {
		scale = 1
	}
	gone := time.Duration(minutes / scale * float64(time.Minute))
	d := &Day{now: time.Now, state: state{
		Start: time.Now().Add(-gone).UTC().Truncate(time.Second), Scale: scale, Polls: map[int]int{}, Listed: map[string]int{}}}
	if dir == "" {
		return d, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("create world state: %w", err)
	}
	d.path = filepath.Join(dir, "world.json")
	data, err := os.ReadFile(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		return d, d.save()
	}
	if err != nil {
		return nil, fmt.Errorf("read world state: %w", err)
	}
	if err := json.Unmarshal(data, &d.state); err != nil {
		return nil, fmt.Errorf("world state %s is damaged: %w", d.path, err)
	}
	return d, nil
}

// StartedAt is a day that began at a given time and keeps nothing on disk: for tests that need a certain moment.
func StartedAt(start time.Time, scale float64) *Day {
	return &Day{now: time.Now, state: state{Start: start, Scale: scale, Polls: map[int]int{}, Listed: map[string]int{}}}
}

// ByClock is a day that began at a given time and goes by another clock than the wall's: for tests in which hours pass at once.
func ByClock(start time.Time, now func() time.Time) *Day {
	d := StartedAt(start, 1)
	d.now = now
	return d
}

// Now is the wall time, or what stands for it.
func (d *Day) Now() time.Time { return d.now() }

// Start is the wall time of product minute 0.
func (d *Day) Start() time.Time { return d.state.Start }

// Scale is how many times faster than life the day runs.
func (d *Day) Scale() float64 { return d.state.Scale }

// Minutes is the product time now.
func (d *Day) Minutes() float64 { return d.now().Sub(d.state.Start).Minutes() * d.state.Scale }

// Wall is the wall time of a product minute.
func (d *Day) Wall(minutes float64) time.Time {
	return d.state.Start.Add(time.Duration(minutes / d.state.Scale * float64(time.Minute)))
}

// Poll counts one answer with events for a fixture and returns its number.
func (d *Day) Poll(fixture int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.state.Polls[fixture]++
	return d.state.Polls[fixture]
}

// Polls returns a copy of the answers counted so far.
func (d *Day) Polls() map[int]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.state.Polls)
}

// ListingPoll is the number of this answer counted from the first that could list the event (1 = the first).
func (d *Day) ListingPoll(fixture int, key string, poll int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	id := fmt.Sprintf("%d/%s", fixture, key)
	first, ok := d.state.Listed[id]
	if !ok {
		first = poll
		d.state.Listed[id] = first
	}
	return poll - first + 1
}

// NextRequest counts a request by id or for what is live and returns its number.
func (d *Day) NextRequest() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.state.Requests++
	return d.state.Requests
}

// Requests is how many of them there were.
func (d *Day) Requests() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.state.Requests
}

// Call counts a call to the feed on a date and returns how many there were on it.
func (d *Day) Call(date string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.state.CallsOn != date {
		d.state.Calls, d.state.CallsOn = 0, date
	}
	d.state.Calls++
	return d.state.Calls
}

// Calls is how many calls to the feed there were on a date.
func (d *Day) Calls(date string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.state.CallsOn != date {
		return 0
	}
	return d.state.Calls
}

// NextSearch counts a search and returns its number.
func (d *Day) NextSearch() (int, error) {
	d.mu.Lock()
	d.state.Searches++
	n := d.state.Searches
	d.mu.Unlock()
	return n, d.Save()
}

// Save writes the counters; called before an answer leaves, so a restart never repeats a step.
func (d *Day) Save() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.save()
}

func (d *Day) save() error {
	if d.path == "" {
		return nil
	}
	data, err := json.Marshal(d.state)
	if err != nil {
		return fmt.Errorf("encode world state: %w", err)
	}
	tmp := d.path + ".part"
	if err := os.WriteFile(tmp, data, 0o644); err != nil {
		return fmt.Errorf("write world state: %w", err)
	}
	if err := os.Rename(tmp, d.path); err != nil {
		return fmt.Errorf("replace world state: %w", err)
	}
	return nil
}

// Listed is the listing number an event had at a fixture's latest answer; 0 = no answer has listed it yet.
func (d *Day) Listed(fixture int, key string, polls int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	first, ok := d.state.Listed[fmt.Sprintf("%d/%s", fixture, key)]
	if !ok {
		return 0
	}
	return polls - first + 1
}
