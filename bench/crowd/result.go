package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// result is what a run came to.
type result struct {
	workers                  int
	searches, decodes, clips int
	whole                    time.Duration // from the first goal's certainty to the last row of any
	search, judge, first     []time.Duration
	used                     time.Duration // processor time of the workers and what they started
	busy                     float64       // cores, of the whole machine
	ways                     []delay.Way   // from each goal to its first clip
	before                   int           // goals that had one before any goal had a second
	early, further           int           // of the further clips and copies, those that were shown before the last goal had its first
}

func (r result) String() string {
	minutes := r.whole.Minutes()
	return fmt.Sprintf("%7d %8.0f s %10d %9d %7d %22.0f %9.0f %6.0f %15.1f s %15.1f s %10.1f s %14.0f s %8.2f s/decode %.2f of %d cores",
		r.workers, r.whole.Seconds(), r.searches, r.decodes, r.clips, float64(r.searches)/minutes, float64(r.decodes)/minutes, float64(r.clips)/minutes,
		middle(r.search), middle(r.judge), middle(r.first), r.used.Seconds(), r.used.Seconds()/float64(max(r.decodes, 1)), r.busy, runtime.NumCPU())
}

// middle is the median in seconds.
func middle(d []time.Duration) float64 {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	return d[len(d)/2].Seconds()
}

// watch waits until every goal is complete and counts what was done.
func watch(ctx context.Context, s store.Store, goals int) (result, error) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		all, err := s.List(ctx, store.FixtureQuery{})
		if err != nil {
			return result{}, err
		}
		done := 0
		for _, f := range all {
			for _, e := range f.Events {
				if e.DownloadComplete {
					done++
				}
			}
		}
		if done == goals {
			return tally(ctx, s, all)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return result{}, fmt.Errorf("%d of %d goals are complete: %w", done, goals, context.Cause(ctx))
		}
	}
}

func tally(ctx context.Context, s store.Store, all []footy.Fixture) (r result, err error) {
	if r.ways, err = store.FirstClips(ctx, s, all, time.Time{}); err != nil {
		return r, err
	}
	var begin, end time.Time
	shown := map[string][]time.Time{}
	for _, f := range all {
		rows, err := s.Entries(ctx, store.LogQuery{FixtureID: f.ID})
		if err != nil {
			return r, err
		}
		certain, taken := map[string]time.Time{}, map[string]time.Time{}
		searched, judged, clip := map[string]bool{}, map[string]bool{}, map[string]bool{}
		for _, row := range rows {
			since := row.At.Sub(certain[row.EventUID])
			post := row.EventUID + " " + row.PostID
			switch row.Kind {
			case footy.EntryCertain:
				certain[row.EventUID] = row.At
				if begin.IsZero() || row.At.Before(begin) {
					begin = row.At
				}
			case footy.EntryQuery:
				if r.searches++; !searched[row.EventUID] {
					searched[row.EventUID] = true
					r.search = append(r.search, since)
				}
			case footy.EntryCandidate:
				if _, again := taken[post]; !again {
					taken[post] = row.At
				}
			case footy.EntryVerdict:
				if !judged[post] { // what is known may be told of a post once more
					judged[post] = true
					r.decodes++
					r.judge = append(r.judge, row.At.Sub(taken[post]))
				}
			case footy.EntryClip:
				if r.clips++; !clip[row.EventUID] {
					clip[row.EventUID] = true
					r.first = append(r.first, since)
				}
			}
			if row.Kind == footy.EntryClip || row.Kind == footy.EntryMerged {
				shown[row.EventUID] = append(shown[row.EventUID], row.At)
			}
			if row.Kind == footy.EntryVerdict || row.Kind == footy.EntryClip || row.Kind == footy.EntryMerged {
				if row.At.After(end) {
					end = row.At
				}
			}
		}
	}
	r.whole = end.Sub(begin)
	r.before, r.early, r.further = firsts(shown)
	return r, nil
}

// firsts counts the goals that had their first clip before any goal had a second one, or a copy of its first, and all such second ones with
// those that came before the last goal had its first. It is given when each goal had its clips.
func firsts(shown map[string][]time.Time) (before, early, further int) {
	var second, last time.Time
	for _, at := range shown {
		slices.SortFunc(at, time.Time.Compare)
		if len(at) > 1 && (second.IsZero() || at[1].Before(second)) {
			second = at[1]
		}
		if at[0].After(last) {
			last = at[0]
		}
	}
	for _, at := range shown {
		if second.IsZero() || !at[0].After(second) {
			before++
		}
		for _, t := range at[1:] {
			if further++; t.Before(last) {
				early++
			}
		}
	}
	return before, early, further
}
