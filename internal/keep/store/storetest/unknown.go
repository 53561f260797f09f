package storetest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// unknownChecks: what a newer program, or a person, wrote beside our fields survives our writes.
var unknownChecks = []check{
	{name: "unknown fields of a fixture survive at every level", run: unknownInFixture},
	{name: "unknown fields of a removed element go with it", run: unknownRemoved},
	{name: "unknown fields of a ledger record survive", run: unknownInPost},
	{name: "documents carry the number of their schema", run: schemaNumber},
}

const later = "x_later"

// raw reads a document's body behind the store's back.
func raw(t *testing.T, b store.Backend, c store.Collection, id string) (store.Doc, map[string]any) {
	t.Helper()
	d, err := b.Find(t.Context(), c, id)
	require.NoError(t, err)
	var body map[string]any
	require.NoError(t, json.Unmarshal(d.Body, &body))
	return d, body
}

// tamper changes the body of a document behind the store's back.
func tamper(t *testing.T, b store.Backend, c store.Collection, id string, do func(body map[string]any)) {
	t.Helper()
	d, body := raw(t, b, c, id)
	do(body)
	var err error
	d.Body, err = json.Marshal(body)
	require.NoError(t, err)
	d.Revision++
	require.NoError(t, b.Replace(t.Context(), c, d, d.Revision-1))
}

// at walks into a body by field names and list positions.
func at(t *testing.T, v any, path ...any) map[string]any {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			v = v.(map[string]any)[step]
		case int:
			list, ok := v.([]any)
			require.True(t, ok && step < len(list), "%v in %v", path, v)
			v = list[step]
		}
	}
	object, ok := v.(map[string]any)
	require.True(t, ok, "%v", path)
	return object
}

// levels are places in a fixture where a field may be added.
var levels = [][]any{
	{}, {"fixture"}, {"fixture", "status"}, {"teams", "home"}, {"events", 0}, {"events", 1}, {"events", 0, "time"}, {"events", 0, "player"},
	{"events", 0, "_s3_videos", 0}, {"events", 0, "_s3_videos", 1}, {"events", 0, "_round"}, {"events", 0, "_snapshots", 0}, {"events", 1, "_s3_videos", 0},
}

// layered makes a fixture with two events and something in each list.
func layered() footy.Fixture {
	f := fixture(5000, active)
	first := &f.Events[0]
	first.Clips = []footy.Clip{{ID: "a", Digest: "da"}, {ID: "b", Digest: "db"}}
	first.Round = footy.Round{Number: 1, OpenedAt: kickoff}
	first.Changes = []footy.HashedChange{{At: kickoff, Hash: "h"}}
	f.Events = append(f.Events, footy.Event{UID: "second", ID: "5000_2_8_Goal_1", Clips: []footy.Clip{{ID: "a", Digest: "da"}}})
	return f
}

func unknownInFixture(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, layered())
	value := func(i int) any { return map[string]any{"place": float64(i), "text": "kept", "list": []any{1.5, nil}} }
	tamper(t, b, store.FixturesColl, "5000", func(body map[string]any) {
		for i, path := range levels {
			at(t, body, path...)[later] = value(i)
		}
	})
	check := func(about string, moved func(path []any) []any) {
		t.Helper()
		_, body := raw(t, b, store.FixturesColl, "5000")
		for i, path := range levels {
			require.Equal(t, value(i), at(t, body, moved(path)...)[later], "%s: %v", about, path)
		}
	}
	same := func(path []any) []any { return path }
	f, err := s.Update(t.Context(), 5000, change(func(f *footy.Fixture) {
		f.Stage, f.Match.Status.Code, f.Events[0].Player.Name, f.Events[0].Clips[1].Rank = completed, "FT", "Other", 7
	}))
	require.NoError(t, err)
	require.Equal(t, "Other", f.Events[0].Player.Name)
	check("after a change", same)
	_, err = s.Update(t.Context(), 5000, change(func(f *footy.Fixture) {
		fresh := footy.Event{UID: "fresh", ID: "5000_9_9_Goal_1"}
		f.Events = []footy.Event{fresh, f.Events[1], f.Events[0]}
		clips := f.Events[2].Clips
		clips[0], clips[1] = clips[1], clips[0]
	}))
	require.NoError(t, err)
	check("after a change of order", func(path []any) []any {
		if len(path) < 2 || path[0] != "events" {
			return path
		}
		out := append([]any{}, path...)
		out[1] = 2 - path[1].(int)
		if path[1] == 0 && len(path) > 3 && path[2] == "_s3_videos" {
			out[3] = 1 - path[3].(int)
		}
		return out
	})
	_, body := raw(t, b, store.FixturesColl, "5000")
	require.NotContains(t, at(t, body, "events", 0), later, "a new element has nothing unknown")
}

func unknownRemoved(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, layered())
	tamper(t, b, store.FixturesColl, "5000", func(body map[string]any) {
		for _, path := range levels {
			at(t, body, path...)[later] = "gone with its place"
		}
	})
	_, err := s.Update(t.Context(), 5000, change(func(f *footy.Fixture) {
		f.Events = f.Events[:1]
		e := &f.Events[0]
		e.Clips, e.Round, e.Changes[0].Hash = e.Clips[1:], footy.Round{}, "another"
	}))
	require.NoError(t, err)
	_, body := raw(t, b, store.FixturesColl, "5000")
	require.Len(t, body["events"], 1)
	event := at(t, body, "events", 0)
	require.Contains(t, event, later)
	require.Len(t, event["_s3_videos"], 1)
	require.Equal(t, "b", at(t, event, "_s3_videos", 0)["id"])
	require.NotContains(t, event, "_round")
	require.NotContains(t, at(t, event, "_snapshots", 0), later, "without an identity only what is unchanged is known again")
	_, err = s.Update(t.Context(), 5000, change(func(f *footy.Fixture) {
		f.Events[0].Clips = append(f.Events[0].Clips, footy.Clip{ID: "a"})
	}))
	require.NoError(t, err)
	_, body = raw(t, b, store.FixturesColl, "5000")
	require.NotContains(t, at(t, body, "events", 0, "_s3_videos", 1), later, "it does not come back with a new element")
}

func unknownInPost(t *testing.T, b store.Backend) {
	s := over(b)
	p := post("u", "1", footy.PostFetched, 0)
	p.Media = &footy.Media{Digest: "d"}
	p.Verdict = &footy.Verdict{Outcome: footy.OutcomeVerified}
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{p}))
	places := [][]any{{}, {"candidate"}, {"media"}, {"media", "probe"}, {"verdict"}}
	tamper(t, b, store.PostsColl, "u/1", func(body map[string]any) {
		for _, path := range places {
			at(t, body, path...)[later] = []any{"kept", float64(len(path))}
		}
	})
	ChangePost(t, s, "u", "1", func(p *footy.Post) { p.State, p.NextTry = footy.PostWaiting, kickoff.Add(time.Minute) })
	_, body := raw(t, b, store.PostsColl, "u/1")
	for _, path := range places {
		require.Equal(t, []any{"kept", float64(len(path))}, at(t, body, path...)[later], "%v", path)
	}
	ChangePost(t, s, "u", "1", func(p *footy.Post) { p.Media, p.Verdict.Outcome = nil, footy.OutcomeRejected })
	_, body = raw(t, b, store.PostsColl, "u/1")
	require.NotContains(t, body, "media")
	require.Contains(t, at(t, body, "verdict"), later)
}

func schemaNumber(t *testing.T, b store.Backend) {
	s := over(b)
	require.NoError(t, s.Add(t.Context(), fixture(5000, active), row("a", 5000, "", footy.EntryNew, 0)))
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{post("u", "1", footy.PostOffered, 0)}))
	require.NoError(t, s.PutState(t.Context(), "k", 1))
	for c, id := range map[store.Collection]string{store.FixturesColl: "5000", store.PostsColl: "u/1", store.EventLog: "a", store.ServiceState: "k"} {
		_, body := raw(t, b, c, id)
		require.EqualValues(t, store.SchemaVersion, body["_schema"], c)
	}
}
