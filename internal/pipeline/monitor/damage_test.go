package monitor_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
)

// What belongs to a document that cannot be read is not abandoned: the document may come back from a backup.
func TestWhatADamagedDocumentMayNeedStays(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	clips, err := dir.Open(t.TempDir())
	require.NoError(t, err)
	b.acts.Cleanup.Blob, b.acts.Cleanup.Keep.Staging = clips, 0
	b.now = time.Now().UTC().Add(time.Hour)
	b.add(footy.StageActive, match(1, 0))
	require.NoError(t, b.store.AddPosts(t.Context(), []footy.Post{
		{EventUID: "1-1", PostID: "7", FixtureID: 1, State: footy.PostOffered},
		{EventUID: "1-1", PostID: "8", FixtureID: 1, State: footy.PostFetched, Media: &footy.Media{Digest: "d"}},
		{EventUID: "2-1", PostID: "9", FixtureID: 2, State: footy.PostOffered},
	}))
	key := blob.StagingPrefix + "d/clip.mp4"
	require.NoError(t, clips.Put(t.Context(), key, strings.NewReader("x"), 1, blob.Info{}))
	b.ruin(store.FixturesColl, "1")
	b.ruin(store.PostsColl, "1-1/8")

	_, err = b.env.ExecuteActivity(b.acts.Reconcile, monitor.ReconcileInput{})
	require.NoError(t, err)
	p, err := b.store.Post(t.Context(), "1-1", "7")
	require.NoError(t, err)
	require.Equal(t, footy.PostOffered, p.State, "its match is there")
	p, err = b.store.Post(t.Context(), "2-1", "9")
	require.NoError(t, err)
	require.Equal(t, footy.PostRefused, p.State, "its match is gone")

	_, err = b.env.ExecuteActivity(b.acts.Cleanup.Sweep, policy.Timing{})
	require.NoError(t, err)
	_, err = clips.Stat(t.Context(), key)
	require.NoError(t, err)
}

// One unreadable snapshot stood between every match of a call and its poll.
func TestADamagedSnapshotFailsNoPoll(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, id := range []int64{1, 2} {
		b.add(footy.StageActive, match(id, 0))
	}
	b.feed.list(match(1, 0), match(2, 0))
	b.cycle(0, false, 1, 2)
	b.ruin(store.FixturesLive, "1")
	b.feed.list(match(1, 1), match(2, 1))
	p, err := b.poll("p1", 1, 2)
	require.NoError(t, err)
	require.ElementsMatch(t, []int64{1, 2}, p.Changed)
	require.Empty(t, p.Failed)
}

// ruin makes a document unreadable.
func (b *bench) ruin(c store.Collection, id string) {
	b.t.Helper()
	d, err := b.back.Find(b.t.Context(), c, id)
	require.NoError(b.t, err)
	d.Body = []byte("{bad json")
	require.NoError(b.t, b.back.Upsert(b.t.Context(), c, []store.Doc{d}))
}

// One row that could not be read ended every cycle, and no match was polled.
func TestAFactThatCannotBeReadStopsNoPoll(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"no JSON": "{bad json", "empty": "", "cut off": `{"_schema":1,"value":{"a`, "a number": `{"value":7}`, "a list": `{"value":[1,2]}`,
		"a text": `{"value":"x"}`, "null": `null`, "no value": `{}`, "null as value": `{"value":null}`, "no object": `[]`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			clips, err := dir.Open(t.TempDir())
			require.NoError(t, err)
			b.acts.Cleanup.Blob = clips
			b.feed.quota = feed.Quota{DayLimit: 7500, DayRemaining: 7000, MinuteLimit: 300, MinuteRemaining: 300, At: b.now}
			b.add(footy.StageActive, match(1, 0))
			require.NoError(t, b.store.AddPosts(t.Context(), []footy.Post{{EventUID: "1-1", PostID: "7", FixtureID: 1, State: footy.PostWaiting}}))
			for i, key := range []string{monitor.QuotaKey, monitor.PaceKey, monitor.OutageKey, ingest.StateKey, "sweep", cleanup.ClockKey,
				source.OnX.FetchHealthKey(), source.OnReddit.FetchHealthKey(), validate.ConditionKey, canary.StateKey, source.SearchersKey} {
				require.NoError(t, b.back.Upsert(t.Context(), store.ServiceState, []store.Doc{{ID: key, Body: []byte(body)}}))
				b.pass(30 * time.Second)
				poll := fmt.Sprint("p", i)
				b.feed.list(match(1, 0))
				b.acts.Ingest = &ingest.Input{}
				plan := b.plan(poll)
				require.NotEmpty(t, plan.Calls, key)
				p, err := b.call(monitor.Chunk{Poll: poll, IDs: plan.Calls[0].IDs})
				require.NoError(t, err, key)
				require.Equal(t, 1, p.Answered, key)
				b.decide(monitor.DecideInput{Poll: poll, Changed: p.Changed})
				_, err = b.env.ExecuteActivity(b.acts.Reconcile, monitor.ReconcileInput{Poll: poll})
				require.NoError(t, err, key)
				_, err = b.env.ExecuteActivity(b.acts.Cleanup.Sweep, policy.Timing{})
				require.NoError(t, err, key)
			}
			bad := map[string]bool{} // whether it was written anew
			for _, d := range b.store.Damaged() {
				bad[d.ID] = d.Renewed
			}
			for _, key := range []string{monitor.QuotaKey, monitor.PaceKey, monitor.OutageKey, ingest.StateKey, "sweep", cleanup.ClockKey} {
				renewed, listed := bad[key]
				require.True(t, listed && renewed, "%s is told, and was written anew: %v", key, bad)
			}
			require.NoError(t, b.store.CheckState(t.Context()))
			for _, d := range b.store.Damaged() {
				require.True(t, d.Renewed || !cycles(d.ID), d.ID)
			}
		})
	}
}

// cycles reports whether a cycle looks at a fact.
func cycles(key string) bool {
	return key != validate.ConditionKey && key != canary.StateKey && key != source.SearchersKey && !strings.HasPrefix(key, "fetch_health")
}

// A clock that is ahead would make everything old: an earlier look that cannot be read is no first look.
func TestRetentionBelievesTheFeedAloneWhereItsClockCannotBeRead(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	clips, err := dir.Open(t.TempDir())
	require.NoError(t, err)
	b.acts.Cleanup.Blob = clips
	b.env.RegisterActivity(b.acts.Cleanup.Fixtures)
	old := match(1, 0)
	b.add(footy.StageCompleted, old)
	spoil := func() {
		require.NoError(t, b.back.Upsert(t.Context(), store.ServiceState, []store.Doc{{ID: cleanup.ClockKey, Body: []byte("{")}}))
	}
	deletes := func() int {
		out, err := b.env.ExecuteActivity(b.acts.Cleanup.Fixtures)
		require.NoError(t, err)
		var n int
		require.NoError(t, out.Get(&n))
		return n
	}
	b.pass(20 * 24 * time.Hour)
	spoil()
	require.Zero(t, deletes())
	require.Zero(t, deletes(), "nor the next time")
	played := match(2, 0)
	played.Match.Kickoff, played.Match.Status = b.now.Add(-24*time.Hour), footy.Status{Code: "FT"}
	b.add(footy.StageCompleted, played)
	require.Equal(t, 1, deletes(), "the feed says that the time is right")
}
