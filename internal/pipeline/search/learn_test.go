package search_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/recognize/title"
)

// TestAStrangeNameIsLearned: what a title calls a team is kept with its match, once the team was looked up.
func TestAStrangeNameIsLearned(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 14, 15, 30, 0, 0, time.UTC)
	s, in := searched(t, now)
	_, err := s.Update(t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) {
		f.Teams.Home = footy.Team{ID: 40, Name: "Liverpool"}
		return nil, nil
	})
	require.NoError(t, err)
	found := answers{source.Result{State: source.StateResults, Candidates: []footy.Candidate{{PostID: source.RedditPrefix + "1",
		Title: &footy.TitleEvidence{Source: reddit.Name, Agrees: []string{"other team"}, Strange: "Livpool", Team: "Liverpool"}}}}}
	acts := &search.Activities{Store: s, Source: found, Temporal: starts{}, Page: silent{}, Now: func() time.Time { return now }}
	result(t, acts, in)
	_, err = s.Aliases(t.Context(), 40)
	require.True(t, footy.IsNotFound(err), "a team that was not looked up")

	in.Try++
	require.NoError(t, s.PutAliases(t.Context(), footy.TeamAliases{TeamID: 40, Spelt: map[string][]int64{"livpool": {9}}}))
	result(t, acts, in)
	known, err := s.Aliases(t.Context(), 40)
	require.NoError(t, err)
	require.Equal(t, []string{"livpool"}, known.Called())
}

// asked answers with one title and keeps what was asked for.
type asked struct {
	answers
	query *source.Query
}

func (a asked) Search(_ context.Context, q source.Query) (source.Result, error) {
	*a.query = q
	return a.Result, nil
}

// TestALearnedNameIsAskedFor: a spelling of two matches is in the next query, and a title with it needs no other facts; one that another
// team is called is never learned.
func TestALearnedNameIsAskedFor(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 14, 15, 30, 0, 0, time.UTC)
	one, none := 1, 0
	for name, want := range map[string]bool{"Livpool": true, "Everton": false, "Toffees": false, "Celtic": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, in := searched(t, now)
			change := func(f *footy.Fixture) ([]footy.Entry, error) {
				f.Teams = footy.Teams{Home: footy.Team{ID: 40, Name: "Liverpool"}, Away: footy.Team{ID: 41, Name: "Zenit"}}
				f.Events[0].ScoreAfter, f.Events[0].ScoringTeam, f.Events[0].Minute = footy.Score{Home: &one, Away: &none}, footy.SideHome, footy.Minute{Elapsed: 8}
				return nil, nil
			}
			_, err := s.Update(t.Context(), 1, change)
			require.NoError(t, err)
			require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: 2, Stage: footy.StageActive, Teams: footy.Teams{Home: footy.Team{ID: 45, Name: "Everton"}, Away: footy.Team{ID: 46, Name: "Ajax"}}}))
			require.NoError(t, s.PutAliases(t.Context(), footy.TeamAliases{TeamID: 45, Aliases: []string{"toffees"}}))
			require.NoError(t, s.PutAliases(t.Context(), footy.TeamAliases{TeamID: 40, Aliases: []string{"reds"}}))
			var q source.Query
			found := asked{query: &q, answers: answers{source.Result{State: source.StateResults, Candidates: []footy.Candidate{{PostID: source.RedditPrefix + "1",
				Title: &footy.TitleEvidence{Source: reddit.Name, Agrees: []string{title.OtherTeam, "score"}, Strange: name, Team: "Liverpool"}}}}}}
			acts := &search.Activities{Store: s, Source: found, Temporal: starts{}, Page: silent{}, Now: func() time.Time { return now }}
			result(t, acts, in)
			known, err := s.Aliases(t.Context(), 40)
			require.NoError(t, err)
			require.Empty(t, known.Called(), "one match teaches nothing")
			require.Equal(t, want, len(known.Spelt) == 1)
			if !want {
				return
			}
			known.Learn("livpool", 9)
			require.NoError(t, s.PutAliases(t.Context(), known))
			in.Try = 3
			result(t, acts, in)
			require.Contains(t, q.Text, "livpool")
			a := q.Goal.Names(title.Parse("Livpool [1]-0 Zenit 8'"), time.Time{})
			require.True(t, a.OK(), "%+v", a)
			require.Equal(t, &footy.TitleEvidence{Agrees: []string{"teams", "score", "minute"}, Strange: "Livpool", Team: "Liverpool"}, a.Evidence(""))
		})
	}
}
