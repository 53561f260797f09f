package source_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestBesideJoinsTwoSources(t *testing.T) {
	t.Parallel()
	post := func(id string) []footy.Candidate { return []footy.Candidate{{PostID: id}} }
	results := func(id string) source.Result { return source.Result{State: source.StateResults, Candidates: post(id)} }
	empty, limited := source.Result{State: source.StateEmpty}, source.Result{State: source.StateRateLimited, Detail: "busy"}
	for name, c := range map[string]struct {
		main, second       source.Result
		mainErr, secondErr error
		state              source.State
		ids                []string
		says               string
		err                bool
	}{
		"both found":                              {main: results("1"), second: results("t3_2"), state: source.StateResults, ids: []string{"1", "t3_2"}},
		"the second alone found":                  {main: empty, second: results("t3_2"), state: source.StateResults, ids: []string{"t3_2"}},
		"neither found":                           {main: empty, second: empty, state: source.StateEmpty},
		"the first cannot look":                   {main: limited, second: empty, state: source.StateRateLimited, says: "busy"},
		"the first cannot look, the second found": {main: limited, second: results("t3_2"), state: source.StateResults, ids: []string{"t3_2"}, says: "a could not look: rate_limited busy"},
		"the second cannot look":                  {main: empty, second: limited, state: source.StateEmpty, says: "b could not look: rate_limited busy"},
		"the second fails":                        {main: results("1"), secondErr: errors.New("cut"), state: source.StateResults, ids: []string{"1"}, says: "b could not look"},
		"the first fails":                         {mainErr: errors.New("cut"), second: empty, err: true},
		"the first fails, the second found":       {mainErr: errors.New("cut"), second: results("t3_2"), state: source.StateResults, ids: []string{"t3_2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.second.Comments = []footy.CommentsRead{{Post: "t3_1", Failed: source.StateTimeout}}
			b := source.NewBeside(&scripted{name: "a", res: c.main, err: c.mainErr}, &scripted{name: "b", res: c.second, err: c.secondErr})
			require.Equal(t, "a,b", b.Name())
			r, err := b.Search(t.Context(), source.Query{})
			require.Equal(t, c.err, err != nil)
			require.Equal(t, c.second.Comments, r.Comments, "how comments were read is known in each case")
			if c.err {
				return
			}
			var ids []string
			for _, p := range r.Candidates {
				ids = append(ids, p.PostID)
			}
			require.Equal(t, c.state, r.State)
			require.Equal(t, c.ids, ids)
			require.Contains(t, r.Detail, c.says)
		})
	}
	t.Run("comments of several sites", func(t *testing.T) {
		t.Parallel()
		reddit, lemmy := source.Result{State: source.StateResults}, results("l_1")
		reddit.Comments = []footy.CommentsRead{{Post: "t3_1"}}
		for _, main := range []source.Result{empty, limited} {
			two := source.NewBeside(&scripted{name: "a", res: main}, &scripted{name: "b", res: reddit})
			r, err := source.NewBeside(two, &scripted{name: "c", res: lemmy}).Search(t.Context(), source.Query{})
			require.NoError(t, err)
			require.Equal(t, reddit.Comments, r.Comments)
		}
	})
	t.Run("what keeps the second from looking is told", func(t *testing.T) {
		t.Parallel()
		refused := source.Result{State: source.StateLoginRequired, Reason: footy.ReasonRedditPublic}
		for _, main := range []source.Result{empty, results("1")} {
			r, err := source.NewBeside(&scripted{name: "a", res: main}, &scripted{name: "b", res: refused}).Search(t.Context(), source.Query{})
			require.NoError(t, err)
			require.True(t, r.State.Usable())
			require.Equal(t, footy.ReasonRedditPublic, r.Reason)
		}
	})
	t.Run("a first that cannot look for hours keeps nobody from the second", func(t *testing.T) {
		t.Parallel()
		spent := source.Result{State: source.StateRateLimited, RetryAfter: 6 * time.Hour}
		r, err := source.NewBeside(&scripted{name: "a", res: spent}, &scripted{name: "b", res: empty}).Search(t.Context(), source.Query{})
		require.NoError(t, err)
		require.Equal(t, time.Minute, r.RetryAfter)
		soon := empty
		soon.RetryAfter = 20 * time.Second
		r, err = source.NewBeside(&scripted{name: "a", res: spent}, &scripted{name: "b", res: soon}).Search(t.Context(), source.Query{})
		require.NoError(t, err)
		require.Equal(t, 20*time.Second, r.RetryAfter, "the second says when it can have news")
		r, err = source.NewBeside(&scripted{name: "a", res: empty}, &scripted{name: "b", res: soon}).Search(t.Context(), source.Query{})
		require.NoError(t, err)
		require.Zero(t, r.RetryAfter, "which does not hold up the first")
		refused := source.Result{State: source.StateLoginRequired, Reason: footy.ReasonRedditPublic}
		r, err = source.NewBeside(&scripted{name: "a", res: spent}, &scripted{name: "b", res: refused}).Search(t.Context(), source.Query{})
		require.NoError(t, err)
		require.Equal(t, 6*time.Hour, r.RetryAfter, "nobody can look")
		require.Empty(t, r.Reason, "it is the first's trouble that is told")
	})
	t.Run("without a first, the second is all there is", func(t *testing.T) {
		t.Parallel()
		b := source.NewBeside(source.None{}, &scripted{name: "b", res: empty})
		require.Equal(t, "b", b.Name())
		r, err := b.Search(t.Context(), source.Query{})
		require.NoError(t, err)
		require.Equal(t, source.StateEmpty, r.State)
		require.Len(t, b.Each(t.Context()), 1)
		_, err = b.Canary(t.Context())
		require.ErrorIs(t, err, source.ErrNoCanary)
	})
}

type place string

func (p place) Fetch(context.Context, footy.Candidate, io.Writer) (source.Fetched, error) {
	return source.Fetched{URL: string(p)}, nil
}

func TestPostsAreFetchedWhereTheyWereFound(t *testing.T) {
	t.Parallel()
	f := source.ByPlace{source.OnX: place("first"), source.OnReddit: place("second")}
	for id, want := range map[string]string{"t3_abc": "second", "t1_def": "second", "1900000000000000001": "first"} {
		got, err := f.Fetch(t.Context(), footy.Candidate{PostID: id}, nil)
		require.NoError(t, err)
		require.Equal(t, want, got.URL)
	}
}

// broken is a source with a bug.
type broken struct{ source.Source }

func (broken) Name() string { return "broken" }

func (broken) Search(context.Context, source.Query) (source.Result, error) { panic("a bug") }

// TestABugOfTheSecondSourceEndsNoProcess: it searches in a goroutine of its own, where nobody else catches it.
func TestABugOfTheSecondSourceEndsNoProcess(t *testing.T) {
	t.Parallel()
	found := source.Result{State: source.StateResults, Candidates: []footy.Candidate{{PostID: "1"}}}
	r, err := source.NewBeside(&scripted{name: "a", res: found}, broken{}).Search(t.Context(), source.Query{})
	require.NoError(t, err)
	require.Len(t, r.Candidates, 1)
	require.Contains(t, r.Detail, "broken could not look")
}
