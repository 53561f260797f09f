package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// postChecks: the ledger.
var postChecks = []check{
	{name: "posts are added once, whatever is repeated", run: postsOnce},
	{name: "what locates a post belongs to the store", run: postIdentity},
	{name: "posts by fixture, event, state and what is due", run: postQueries},
	{name: "a post that ended is neither open nor due, and one without a next try is due at once", run: openAndDue},
	{name: "posts are deleted by fixture", run: deletePosts},
}

// post makes a record of fixture 5000 whose next try is so long after kickoff.
func post(event, id string, state footy.PostState, next time.Duration) footy.Post {
	p := footy.Post{EventUID: event, PostID: id, FixtureID: 5000, State: state, Candidate: footy.Candidate{PostID: id}, FirstSeen: kickoff, ChangedAt: kickoff}
	if !p.Ended() {
		p.NextTry = kickoff.Add(next)
	}
	return p
}

// ChangePost changes a record as no table of moves allows: tests plant with it what they need.
func ChangePost(t testing.TB, s store.Posts, event, id string, change func(*footy.Post)) footy.Post {
	t.Helper()
	p, err := s.Advance(t.Context(), event, id, func(p footy.Post) (footy.Post, []footy.Entry, error) {
		change(&p)
		return p, nil, nil
	})
	require.NoError(t, err)
	return p
}

func setState(state footy.PostState) func(footy.Post) (footy.Post, []footy.Entry, error) {
	return func(p footy.Post) (footy.Post, []footy.Entry, error) {
		p.State = state
		return p, nil, nil
	}
}

func postKeys(t *testing.T, s store.Store, q store.PostQuery) []string {
	t.Helper()
	list, err := s.Posts(t.Context(), q)
	require.NoError(t, err)
	require.NotNil(t, list, "no posts is an empty list")
	out := make([]string, len(list))
	for i, p := range list {
		out[i] = p.EventUID + p.PostID
	}
	return out
}

func postsOnce(t *testing.T, b store.Backend) {
	s := over(b)
	require.NoError(t, s.AddPosts(t.Context(), nil))
	first, second := post("u", "1", footy.PostOffered, 0), post("u", "2", footy.PostOffered, 0)
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{first}, row("a", 5000, "u", footy.EntryCandidate, 0)))
	_, err := s.Advance(t.Context(), "u", "1", setState(footy.PostFetched))
	require.NoError(t, err)
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{first, second, second, post("v", "1", footy.PostOffered, 0)},
		row("a", 5000, "u", footy.EntryCandidate, 0), row("b", 5000, "u", footy.EntryCandidate, 1)))
	require.Equal(t, []string{"u1", "u2", "v1"}, postKeys(t, s, store.PostQuery{All: true}))
	p, err := s.Post(t.Context(), "u", "1")
	require.NoError(t, err)
	require.Equal(t, footy.PostFetched, p.State, "the record that was there stays")
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{first}, row("c", 5000, "u", footy.EntryCandidate, 2)))
	require.NoError(t, s.AddPosts(t.Context(), nil, row("d", 5000, "u", footy.EntryCandidate, 3)))
	require.Equal(t, []string{"a", "b", "c", "d"}, rowKeys(t, s, store.LogQuery{}))
	requireCode(t, footy.CodeInvalid, s.AddPosts(t.Context(), []footy.Post{{PostID: "1", State: footy.PostOffered}}))
	requireCode(t, footy.CodeInvalid, s.AddPosts(t.Context(), []footy.Post{{EventUID: "u", State: footy.PostOffered}}))
	requireCode(t, footy.CodeInvalid, s.AddPosts(t.Context(), []footy.Post{{EventUID: "u", PostID: "9"}}))
	_, err = s.Post(t.Context(), "u", "9")
	requireCode(t, footy.CodeNotFound, err)
}

func postIdentity(t *testing.T, b store.Backend) {
	s := over(b)
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{post("u", "1", footy.PostOffered, 0)}))
	p := ChangePost(t, s, "u", "1", func(p *footy.Post) {
		p.EventUID, p.PostID, p.FixtureID, p.Revision, p.Detail = "v", "2", 7, 99, "kept"
	})
	require.Equal(t, "u1 5000 2 kept", fmt.Sprint(p.EventUID, p.PostID, " ", p.FixtureID, " ", p.Revision, " ", p.Detail))
	_, err := s.Advance(t.Context(), "u", "1", setState("nowhere"))
	requireCode(t, footy.CodeInvalid, err)
	_, err = s.Advance(t.Context(), "u", "404", setState(footy.PostFetched))
	requireCode(t, footy.CodeNotFound, err)
	same, err := s.Advance(t.Context(), "u", "1", func(p footy.Post) (footy.Post, []footy.Entry, error) {
		p.Detail = "dropped"
		return p, nil, store.ErrUnchanged
	})
	require.NoError(t, err)
	require.Equal(t, p, same)
}

func postQueries(t *testing.T, b store.Backend) {
	s := over(b)
	require.Empty(t, postKeys(t, s, store.PostQuery{All: true}))
	list := []footy.Post{
		post("u", "1", footy.PostOffered, 3*time.Minute), post("u", "2", footy.PostWaiting, time.Minute),
		post("u", "3", footy.PostPublished, 0), post("u", "4", footy.PostRefused, 0),
		post("v", "1", footy.PostFetching, 2*time.Minute), post("w", "1", footy.PostJudged, 2*time.Minute),
	}
	list[5].FixtureID = 6000
	require.NoError(t, s.AddPosts(t.Context(), list))
	due := func(d time.Duration) time.Time { return kickoff.Add(d) }
	for want, q := range map[string]store.PostQuery{
		"[u3 u4 u2 v1 w1 u1]": {All: true},
		"[u3 u4 u2 u1]":       {EventUID: "u"},
		"[u3 u4 u2 v1 u1]":    {FixtureID: 5000},
		"[w1]":                {FixtureID: 6000},
		"[u2 v1 w1 u1]":       {Open: true},
		"[u2 u1]":             {Open: true, EventUID: "u"},
		"[u2]":                {Due: due(time.Minute)},
		"[u2 v1 w1]":          {Due: due(2*time.Minute + 300*time.Microsecond)},
		"[u2 v1]":             {Due: due(time.Hour), Limit: 2},
		"[]":                  {Due: due(0)},
		"[u1]":                {After: due(2 * time.Minute)},
		"[v1 w1 u1]":          {After: due(2*time.Minute - 300*time.Microsecond)},
		"[v1 w1]":             {States: []footy.PostState{footy.PostFetching, footy.PostJudged}},
		"[u4]":                {All: true, States: []footy.PostState{footy.PostRefused}, Limit: 1},
		"[v1]":                {States: []footy.PostState{footy.PostFetching, footy.PostJudged}, Open: true, Limit: 1},
	} {
		got := fmt.Sprint(postKeys(t, s, q))
		require.Equal(t, want, got, "%+v", q)
	}
	for _, q := range []store.PostQuery{{}, {Limit: 1}, {States: []footy.PostState{footy.PostRefused}}, {States: []footy.PostState{footy.PostWaiting, footy.PostMerged}}} {
		_, err := s.Posts(t.Context(), q)
		requireCode(t, footy.CodeInvalid, err)
	}
}

func openAndDue(t *testing.T, b store.Backend) {
	s := over(b)
	ended, lost := post("u", "1", footy.PostOffered, 0), post("u", "2", footy.PostOffered, 0)
	lost.NextTry = time.Time{}
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{ended, lost}))
	require.Equal(t, []string{"u2", "u1"}, postKeys(t, s, store.PostQuery{Open: true}))
	for _, state := range []footy.PostState{footy.PostPublished, footy.PostMerged, footy.PostPassed, footy.PostRefused} {
		ChangePost(t, s, "u", "1", func(p *footy.Post) { p.State = state }) // its next try is still set
		require.Equal(t, []string{"u2"}, postKeys(t, s, store.PostQuery{Open: true}))
		require.Equal(t, []string{"u2"}, postKeys(t, s, store.PostQuery{Due: kickoff.Add(time.Hour)}))
	}
	_, err := s.Advance(t.Context(), "u", "1", setState(footy.PostWaiting))
	require.NoError(t, err)
	require.Equal(t, []string{"u2", "u1"}, postKeys(t, s, store.PostQuery{Open: true}), "tried again by an operator")
}

func deletePosts(t *testing.T, b store.Backend) {
	s := over(b)
	other := post("w", "1", footy.PostOffered, 0)
	other.FixtureID = 6000
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{post("u", "1", footy.PostOffered, 0), post("v", "1", footy.PostRefused, 0), other}))
	require.NoError(t, s.Delete(t.Context(), 5000))
	require.NoError(t, s.Delete(t.Context(), 5000), "twice")
	require.Equal(t, []string{"w1"}, postKeys(t, s, store.PostQuery{All: true}))
}
