package inspect_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/decide/post/fetchhealth"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/decide/scale"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/tell/inspect"
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

func TestHowTheRoundOfAGoalStands(t *testing.T) {
	t.Parallel()
	limits := round.Limits{Searches: 3, Tries: 5, Window: 45 * time.Minute, Blocked: time.Hour, At: []time.Duration{0, 30 * time.Second, 2 * time.Minute}}
	for name, c := range map[string]struct {
		goal     func(*footy.Event)
		posts    []footy.Post
		want     string // as JSON, in part
		says     string
		over     bool
		complete bool
	}{
		"not certain": {goal: func(e *footy.Event) { e.CertainAt, e.Round = time.Time{}, footy.Round{} }, want: `"round":0`, says: "no round: the goal is not certain yet"},
		"the first search is due": {goal: func(*footy.Event) {}, want: `"next_search":"2026-11-14T16:00:00Z","ends_at":"2026-11-14T16:44:00Z"`,
			says: "the next search is due at 2026-11-14 16:00:00 UTC; its time is up at 2026-11-14 16:44:00 UTC"},
		"the third is due in a minute": {goal: func(e *footy.Event) { e.Round.Searches, e.Round.Tries, e.Round.SearchedAt = 2, 2, at }, want: `"next_search":"2026-11-14T16:01:00Z"`,
			says: "2 of 3 searches could look, 2 of 5 tries"},
		"nobody can search": {goal: func(e *footy.Event) {
			e.Round.Blocked = footy.Blocked{Since: at.Add(-time.Minute), By: "login_required"}
		},
			want: `"blocked":{"since":"2026-11-14T15:59:00Z","by":"login_required"}`, says: "nobody can search since 2026-11-14 15:59:00 UTC: login_required"},
		"all searches, a post is open": {goal: func(e *footy.Event) { e.Round.Searches, e.Round.Tries = 3, 4 }, posts: []footy.Post{post("1", footy.PostFetching, nil), post("2", footy.PostRefused, nil)},
			want: `"posts":{"fetching":1,"refused":1},"open":["1"]`, says: "open are the posts 1 (footy inspect post " + aGoal + ")", over: true},
		"all searches, no post is open": {goal: func(e *footy.Event) { e.Round.Searches, e.Round.Tries = 3, 4 }, posts: []footy.Post{post("2", footy.PostRefused, nil)},
			want: `"complete":true`, says: "the goal is complete", over: true, complete: true},
		"too many tries": {goal: func(e *footy.Event) { e.Round.Searches, e.Round.Tries = 1, 5 }, want: `"why":"too_many_failed_searches"`, says: "it is over: Too many searches failed", over: true},
		"removed":        {goal: func(e *footy.Event) { e.Removed = true }, want: `"status":"removed"`, says: "nothing is searched: the goal was removed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, g := stored(t, func(_ *footy.Fixture, e *footy.Event) { c.goal(e) }, c.posts...)
			got := inspect.Round(g, limits, at)
			raw, err := json.Marshal(got)
			require.NoError(t, err)
			want := strings.ReplaceAll(c.want, "too_many_failed_searches", string(footy.ReasonTriesUsed))
			require.Contains(t, string(raw), want)
			require.Contains(t, got.String(), c.says)
			require.Equal(t, c.over, got.Over)
			require.Equal(t, c.complete, got.Complete)
			require.False(t, g.Event.DownloadComplete, "the goal itself is not touched")
		})
	}
}

func TestWhyClipsStandAsTheyDo(t *testing.T) {
	t.Parallel()
	_, g := stored(t, func(_ *footy.Fixture, e *footy.Event) {
		e.Clips = []footy.Clip{
			{ID: "small", Digest: "d", Verified: true, Popularity: 2, Size: 5, Rank: 1}, {ID: "large", Digest: "e", Verified: true, Popularity: 2, Size: 6, Rank: 2},
			{ID: "hidden", Digest: "a", Verified: true, Popularity: 99, Hidden: true}, {ID: "copy", Digest: "b", ReplacedBy: "large"}, {ID: "unproven", Digest: "c", Rank: 3},
		}
	})
	got := inspect.Rank(g, at)
	var order []string
	for _, c := range got.Clips {
		order = append(order, c.ID+"/"+string(c.Before))
	}
	require.Equal(t, []string{"large/size", "small/verified", "unproven/", "hidden/", "copy/"}, order)
	require.Contains(t, got.String(), "1. large: verified, popularity 2, 6 bytes; before the next by size; stored as 2, which footy audit --repair puts right\n")
	require.Contains(t, got.String(), "- (hidden) hidden: verified")
	require.Contains(t, got.String(), "- (large stands for it) copy: unverified")
	_, g = stored(t, nil)
	require.Contains(t, inspect.Rank(g, at).String(), "it has no clip")
}

func TestWhetherPostsAreFetchedNow(t *testing.T) {
	t.Parallel()
	st, _ := stored(t, nil)
	rules := inspect.PostRules{Delays: ledger.DefaultDelays(), Now: at}
	got, err := inspect.Fetch(t.Context(), st, rules)
	require.NoError(t, err)
	require.Equal(t, "no post was fetched yet\n", got.String())
	require.NoError(t, st.PutState(t.Context(), source.OnX.FetchHealthKey(), fetchhealth.Health{RestingSince: at.Add(-time.Minute), Reason: footy.ReasonGeoBlocked, Failed: make([]string, fetchhealth.Enough)}))
	require.NoError(t, st.PutState(t.Context(), source.OnReddit.FetchHealthKey(), fetchhealth.Health{LastOK: at, Failed: []string{"1", "2"}, Reason: footy.ReasonDeleted}))
	got, err = inspect.Fetch(t.Context(), st, rules)
	require.NoError(t, err)
	require.Len(t, got.Places, 2)
	require.Contains(t, got.String(), "fetching rests since 2026-11-14 15:59:00 UTC: 10 different posts in a row failed alike (The video's host refuses this address)\n  one post is let through at 2026-11-14 16:04:00 UTC")
	require.Contains(t, got.String(), "the last 2 failed alike (The post is gone), with 10 it rests\n  last fetched: 2026-11-14 16:00:00 UTC")
}

func TestWhatAReelWouldBeMadeOf(t *testing.T) {
	t.Parallel()
	_, g := stored(t, func(f *footy.Fixture, e *footy.Event) {
		e.Clips = []footy.Clip{{ID: "c", Digest: "d", Verified: true, Duration: 9, Rank: 1}}
		other := *e
		other.UID, other.ID, other.Clips, other.Minute, other.ScoreAfter = "5000-2", "5000_40_7_Goal_2", nil, footy.Minute{Elapsed: 80}, footy.ScoreOf(2, 0)
		f.Events = append(f.Events, other)
	})
	scope, err := reel.ScopeOf(reel.OfMatch, 5000, "", nil)
	require.NoError(t, err)
	got := inspect.Reel(reel.Make(scope, 0, []footy.Fixture{g.Fixture}))
	require.Contains(t, got.String(), "Liverpool v Everton, ")
	require.Contains(t, got.String(), "1 goal, 12 s\n  at 3.0 s for 9.0 s: Salah 59', Liverpool 1–0 Everton (clip c)\n  left out: Salah 80', Liverpool 2–0 Everton (no verified clip)\n")
	raw, err := json.Marshal(got)
	require.NoError(t, err)
	require.Contains(t, string(raw), `"left_out":[{"event_uid":"5000-2","goal":"Salah 80', Liverpool 2–0 Everton","why":"no_verified_clip","says":"no verified clip"}]`)
	none := inspect.Reel(reel.Make(scope, 0, nil))
	require.Contains(t, none.String(), "no reel: no goal has a verified clip")
}

func TestHowManyTheScalerWouldStart(t *testing.T) {
	t.Parallel()
	seen := scale.Seen{Now: at, Workers: scale.Service{Running: 2}, Browsers: scale.Service{Running: 2}, Waiting: 11, Goals: 7}
	got, err := inspect.Scale(seen, scale.Defaults())
	require.NoError(t, err)
	require.Equal(t, inspect.ScaleTarget{Running: 2, Copies: 3, Why: "11 tasks wait, more than 5 for each worker"}, got.Workers)
	require.Contains(t, got.String(), "browsers  2 now, 3 wanted: 7 goals are searched for")
	for says, change := range map[string]func(*scale.Seen){
		"--workers=-1 is no number of things; give 0 or more": func(s *scale.Seen) { s.Workers.Running = -1 },
		"--browsers=-2":                func(s *scale.Seen) { s.Browsers.Running = -2 },
		"--waiting=-3":                 func(s *scale.Seen) { s.Waiting = -3 },
		"--goals=-4":                   func(s *scale.Seen) { s.Goals = -4 },
		"--oldest=-5s is no time that": func(s *scale.Seen) { s.Oldest = -5 * time.Second },
	} {
		bad := seen
		change(&bad)
		_, err := inspect.Scale(bad, scale.Defaults())
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
		require.ErrorContains(t, err, says)
	}
}
