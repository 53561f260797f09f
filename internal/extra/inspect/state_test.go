package inspect_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/fetchhealth"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/extra/inspect"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

var at = time.Date(2026, 11, 14, 16, 0, 0, 0, time.UTC)

const (
	aGoal = "5000_40_7_Goal_1"
	uid   = "5000-1"
)

// stored is a state with one goal, which is certain since a minute, and its posts.
func stored(t *testing.T, change func(*footy.Fixture, *footy.Event), posts ...footy.Post) (store.Store, inspect.Goal) {
	t.Helper()
	b, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	st := store.New(b)
	t.Cleanup(func() { require.NoError(t, st.Close()) })
	f := footy.Fixture{ID: 5000, Stage: footy.StageActive, Match: footy.Match{ID: 5000, Kickoff: at.Add(-time.Hour)},
		Teams: footy.Teams{Home: footy.Team{ID: 40, Name: "Liverpool"}, Away: footy.Team{ID: 50, Name: "Everton"}},
		Events: []footy.Event{{UID: uid, ID: aGoal, MatchedFrom: []string{"5000_40_0_Goal_1"}, Kind: footy.KindGoal, Minute: footy.Minute{Elapsed: 59}, Player: footy.Person{Name: "Salah"},
			Team: footy.Team{ID: 40}, ScoreAfter: footy.ScoreOf(1, 0), FirstSeen: at.Add(-2 * time.Minute), CertainAt: at.Add(-time.Minute), Round: footy.Round{Number: 1, OpenedAt: at.Add(-time.Minute)}}}}
	if change != nil {
		change(&f, &f.Events[0])
	}
	require.NoError(t, st.Add(t.Context(), f))
	require.NoError(t, st.AddPosts(t.Context(), posts))
	g, err := inspect.FindGoal(t.Context(), st, aGoal)
	require.NoError(t, err)
	return st, g
}

func post(id string, s footy.PostState, change func(*footy.Post)) footy.Post {
	p := footy.Post{EventUID: uid, PostID: id, FixtureID: 5000, State: s, FirstSeen: at.Add(-time.Minute), ChangedAt: at, Download: "download1", NextTry: at.Add(time.Minute),
		Candidate: footy.Candidate{PostID: id, URL: "https://x.com/i/status/" + id}}
	if change != nil {
		change(&p)
	}
	if p.Ended() {
		p.NextTry = time.Time{}
	}
	return p
}

func TestAGoalIsFoundByWhatPeopleHave(t *testing.T) {
	t.Parallel()
	st, _ := stored(t, nil)
	for _, id := range []string{uid, aGoal, "5000_40_0_Goal_1", "/g/" + uid, "http://127.0.0.1:8080/g/" + aGoal + "?tz=Europe/Berlin", "https://goals.example/g/" + uid + "#log"} {
		g, err := inspect.FindGoal(t.Context(), st, id)
		require.NoError(t, err, id)
		require.Equal(t, uid, g.Event.UID)
	}
	for _, id := range []string{"", "5000", "https://example.org/g/5000-2"} {
		_, err := inspect.FindGoal(t.Context(), st, id)
		require.Equal(t, footy.CodeNotFound, footy.CodeOf(err), id)
		require.ErrorContains(t, err, "EVENT=")
		require.ErrorContains(t, err, "is no goal of this state; take the address of the goal's page")
	}
}

func TestWhatWouldHappenToAPostNow(t *testing.T) {
	t.Parallel()
	waits := func(why footy.Reason, change func(*footy.Post)) footy.Post {
		return post("1", footy.PostWaiting, func(p *footy.Post) {
			p.Reason, p.WaitingSince, p.Tries, p.NextTry = why, at.Add(-time.Minute), 2, at
			if change != nil {
				change(p)
			}
		})
	}
	staged := func(p *footy.Post) { p.Media = &footy.Media{Digest: "d"} }
	removed := func(_ *footy.Fixture, e *footy.Event) { e.Removed, e.RemovedAt = true, at }
	for name, c := range map[string]struct {
		post  footy.Post
		goal  func(*footy.Fixture, *footy.Event)
		rules func(*inspect.PostRules)
		rests time.Time // fetching rests since
		now   inspect.PostFate
		says  string
	}{
		"a Download has it":                {post: post("1", footy.PostFetching, nil), now: inspect.FateAtWork, says: "download1 has it, to fetch it; if that died, another Download gets it at 2026-11-14 16:01:00 UTC"},
		"its Download may have died":       {post: post("1", footy.PostFetching, func(p *footy.Post) { p.NextTry = at }), now: inspect.FateDownload, says: "unless download1 still works at it: Monitor gives it to a new Download, to fetch it"},
		"offered by a sibling":             {post: post("1", footy.PostOffered, func(p *footy.Post) { p.Download, p.NextTry = "", at }), now: inspect.FateDownload, says: "Monitor gives it to a new Download, to fetch it"},
		"waits for its time":               {post: waits(footy.ReasonFetchFailed, func(p *footy.Post) { p.NextTry = at.Add(time.Second) }), now: inspect.FateWaits, says: "Could not be fetched yet; its next try is at 2026-11-14 16:00:01 UTC"},
		"its time has come":                {post: waits(footy.ReasonFetchFailed, nil), now: inspect.FateDownload, says: "to fetch it"},
		"fetching rests":                   {post: waits(footy.ReasonFetchFailed, nil), rests: at.Add(-time.Minute), now: inspect.FateWaits, says: "it is due and waits on: Waits until posts can be fetched again"},
		"fetching rests, and it is a turn": {post: waits(footy.ReasonFetchFailed, nil), rests: at.Add(-time.Hour), now: inspect.FateDownload, says: "to fetch it"},
		"no model is set":                  {post: waits(footy.ReasonNoModel, staged), rules: func(r *inspect.PostRules) { r.NoModel = footy.ReasonNoModel }, now: inspect.FateWaits, says: "it is due and waits on: Waits for a model: none is set up"},
		"a model is set":                   {post: waits(footy.ReasonModelUnreachable, staged), now: inspect.FateDownload, says: "to judge it, if the model answers"},
		"its goal was removed":             {post: waits(footy.ReasonFetchFailed, nil), goal: removed, now: inspect.FateWaits, says: "was removed, and may be reinstated"},
		"its goal is forgotten": {post: waits(footy.ReasonFetchFailed, nil), goal: func(f *footy.Fixture, e *footy.Event) {
			f.Stage, e.CertainAt = footy.StageCompleted, time.Time{}
		}, now: inspect.FateEnds, says: "Monitor ends it: What it shows no longer stands"},
		"fetched before its goal is certain": {post: waits(footy.ReasonNotCertain, staged), goal: func(_ *footy.Fixture, e *footy.Event) { e.CertainAt, e.Round = time.Time{}, footy.Round{} },
			now: inspect.FateWaits, says: "it is checked once it is certain what it shows"},
		"refused":     {post: post("1", footy.PostRefused, func(p *footy.Post) { p.Reason = footy.ReasonTooShort }), now: inspect.FateNone, says: "it has ended: Too short to show it"},
		"passed over": {post: post("1", footy.PostPassed, func(p *footy.Post) { p.Reason = footy.ReasonNotChosen }), now: inspect.FateNone, says: "a later search may choose it"},
		"published":   {post: post("1", footy.PostPublished, func(p *footy.Post) { p.ClipID = "abc" }), now: inspect.FateNone, says: "its file is clip abc"},
		"merged":      {post: post("1", footy.PostMerged, func(p *footy.Post) { p.ClipID = "abc" }), now: inspect.FateNone, says: "clip abc stands for it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st, g := stored(t, c.goal, c.post)
			if !c.rests.IsZero() {
				require.NoError(t, st.PutState(t.Context(), source.OnX.FetchHealthKey(), fetchhealth.Health{RestingSince: c.rests, Reason: footy.ReasonGeoBlocked}))
			}
			rules := inspect.PostRules{Delays: ledger.DefaultDelays(), Now: at}
			if c.rules != nil {
				c.rules(&rules)
			}
			all, err := inspect.Post(t.Context(), st, g, "", rules)
			require.NoError(t, err)
			require.Len(t, all.Posts, 1)
			require.Equal(t, c.now, all.Posts[0].Now, all.Posts[0].Says)
			require.Contains(t, all.Posts[0].Says, c.says)
			require.Contains(t, all.String(), c.says)
			require.NotContains(t, all.String(), "when ", "the moves are told of one post only")
			one, err := inspect.Post(t.Context(), st, g, "1", rules)
			require.NoError(t, err)
			require.Equal(t, all.Posts, one.Posts)
			require.Equal(t, len(one.Posts[0].Moves), strings.Count(one.String(), "  when "))
			now, err := st.Post(t.Context(), uid, "1")
			require.NoError(t, err)
			require.Equal(t, int64(1), now.Revision, "nothing is written")
		})
	}
	st, g := stored(t, nil, post("1", footy.PostFetching, nil))
	_, err := inspect.Post(t.Context(), st, g, "2", inspect.PostRules{Delays: ledger.DefaultDelays(), Now: at})
	require.ErrorContains(t, err, `POST="2" is no post of this goal; leave it out to list its 1 post`)
}
