package pipeline_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"sort"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

// end is everything that is stored, without what counts tries.
func (b *bench) end() string {
	b.t.Helper()
	f, err := b.store.Fixture(b.t.Context(), matchID)
	require.NoError(b.t, err)
	f.Revision = 0
	posts, err := b.store.Posts(b.t.Context(), store.PostQuery{FixtureID: matchID})
	require.NoError(b.t, err)
	for i := range posts {
		posts[i].Revision = 0
	}
	rows, err := b.store.Entries(b.t.Context(), store.LogQuery{FixtureID: matchID})
	require.NoError(b.t, err)
	sort.Slice(rows, func(i, j int) bool { return rows[i].Key < rows[j].Key })
	keys := []string{}
	for _, prefix := range []string{"staging/", "clips/", "posters/"} {
		keys = append(keys, b.blob.keys(b.t.Context(), prefix)...)
	}
	prints := 0
	for _, e := range f.Events {
		list, err := b.store.Fingerprints(b.t.Context(), e.UID)
		require.NoError(b.t, err)
		prints += len(list)
	}
	text, err := json.MarshalIndent(map[string]any{"fixture": f, "posts": posts, "rows": rows, "keys": keys, "prints": prints}, "", " ")
	require.NoError(b.t, err)
	return string(text)
}

// copies ends a bench and returns what makes others with all that is stored there, and the same outside.
func (b *bench) copies() func(t *testing.T) *bench {
	require.NoError(b.t, b.store.Close()) // what is in its log is then in its file
	return func(t *testing.T) *bench {
		t.Helper()
		stored := t.TempDir()
		require.NoError(t, os.CopyFS(stored, os.DirFS(b.dir)))
		out := benchOn(t, stored)
		out.at = b.at
		out.x.film, out.x.find = b.x.film, b.x.find
		out.model.clock = b.model.clock
		out.engine.status = maps.Clone(b.engine.status)
		return out
	}
}

// TestAKillBetweenAnyTwoStepsChangesNothing kills each activity before and after each of its calls of the database and of the
// object store, until it gets through, and does it again: what is stored then equals the undisturbed outcome. With -short, as the race
// detector asks for, it is every seventh call: each makes the same goroutines meet.
func TestAKillBetweenAnyTwoStepsChangesNothing(t *testing.T) {
	t.Parallel()
	three := []string{"1", "2", "3"}
	step := 1
	if testing.Short() {
		step = 7
	}
	// Each step returns the batch's input, with everything done before the step.
	begin := func(b *bench) download.Input {
		b.goal(sibling, 20)
		b.over(sibling)
		b.x.film = map[string]string{"2": "1", "3": "misplaced"} // 1 and 2 are the very same file
		b.model.clock["misplaced"] = "19:1"
		in := b.open(three...)
		b.over(oneGoal)
		return in
	}
	registered := func(b *bench) download.Input {
		in := begin(b)
		must[any](b, download.RegisterDownload, in)
		return in
	}
	fetched := func(b *bench) download.Input {
		in := registered(b)
		for _, id := range three {
			must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{id}})
		}
		return in
	}
	judged := func(b *bench) download.Input {
		in := fetched(b)
		must[any](b, download.Validate, download.ValidateInput{Input: in, Posts: three})
		return in
	}
	for name, c := range map[string]struct {
		before func(*bench) download.Input
		what   named
		in     func(download.Input) any
	}{
		"search": {func(b *bench) download.Input { b.x.find = finds(three...); return download.Input{} }, search.Search, func(download.Input) any {
			return search.SearchInput{Input: search.Input{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}, Round: 1, Try: 1}
		}},
		"search ahead of certainty": {func(b *bench) download.Input {
			b.x.find = finds(three...)
			b.changeEvent(oneGoal, func(e *footy.Event) { e.CertainAt = time.Time{} })
			return download.Input{}
		}, search.SearchAhead, func(download.Input) any {
			return search.AheadInput{Input: search.Input{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}, Sighting: 2}
		}},
		"register": {begin, download.RegisterDownload, func(in download.Input) any { return in }},
		"fetch":    {registered, download.DownloadVideo, func(in download.Input) any { return download.DownloadInput{Input: in, Posts: []string{"1"}} }},
		"judge":    {fetched, download.Validate, func(in download.Input) any { return download.ValidateInput{Input: in, Posts: three} }},
		"fetch ahead of certainty": {func(b *bench) download.Input {
			in := registered(b)
			b.changeEvent(oneGoal, func(e *footy.Event) { e.CertainAt = time.Time{} })
			return in
		}, download.DownloadVideo, func(in download.Input) any { return download.DownloadInput{Input: in, Posts: []string{"1"}} }},
		"take up what was fetched ahead": {func(b *bench) download.Input {
			in := registered(b)
			b.changeEvent(oneGoal, func(e *footy.Event) { e.CertainAt = time.Time{} })
			must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{"1"}})
			b.changeEvent(oneGoal, func(e *footy.Event) { e.CertainAt = b.now() })
			in.Download = "at certainty"
			return in
		}, download.RegisterDownload, func(in download.Input) any { return in }},
		"publish": {judged, upload.UploadVideos, func(in download.Input) any {
			return upload.SaveInput{Input: upload.Input{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}, Download: in.Download}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prepared := newBench(t)
			in := c.before(prepared)
			again := prepared.copies()
			calm := again(t)
			must[any](calm, c.what, c.in(in))
			want := calm.end()
			for _, late := range []bool{false, true} {
				for _, part := range []string{"database", "object store"} {
					if late && part == "object store" {
						continue // whole or not at all: nothing refers to it before the database does
					}
					for n := 1; ; n += step {
						b := again(t)
						breaks := &b.db.calls
						if part == "object store" {
							breaks = &b.blob.calls
						}
						breaks.set(n, late, nil)
						_, err := do[any](b, c.what, c.in(in))
						breaks.set(0, false, nil)
						if err == nil {
							break // it got through
						}
						require.ErrorContains(t, err, killed)
						must[any](b, c.what, c.in(in))
						require.Equal(t, want, b.end(), "killed at call %d of the %s (took effect: %t)", n, part, late)
						require.Less(t, n, 200)
					}
				}
			}
		})
	}
}

// TestADatabaseThatFailsOnceAtAnyCallChangesNothing is the same with an error in place of a kill, as Temporal retries it.
func TestADatabaseThatFailsOnceAtAnyCallChangesNothing(t *testing.T) {
	t.Parallel()
	play := func(b *bench) {
		b.x.film = map[string]string{"2": "1"}
		in := b.open("1", "2")
		b.over(oneGoal)
		b.batch(in.Download, in)
	}
	calm := newBench(t)
	play(calm)
	total := calm.db.n
	for n := 1; n <= total; n += 13 {
		t.Run(fmt.Sprint("call ", n), func(t *testing.T) {
			b := newBench(t)
			failed := false
			b.x.film = map[string]string{"2": "1"}
			in := b.open("1", "2")
			b.over(oneGoal)
			count := 0
			b.db.set(0, false, func() error {
				b.db.mu.Lock()
				defer b.db.mu.Unlock()
				if count++; count == n && !failed {
					failed = true
					return footy.Errorf(footy.CodeUnavailable, "call", "connection reset")
				}
				return nil
			})
			b.batch(in.Download, in)
			b.db.set(0, false, nil)
			e := b.event(oneGoal)
			require.Len(t, e.Clips, 1)
			require.Equal(t, 2, e.Clips[0].Popularity)
			require.True(t, e.DownloadComplete)
			require.Len(t, b.rows(oneGoal, footy.EntryClip), 1)
		})
	}
}
