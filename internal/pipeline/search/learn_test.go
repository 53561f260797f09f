package search_test

import (
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/stretchr/testify/require"
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
	acts := &search.Activities{Store: s, Source: found, Page: silent{}, Now: func() time.Time { return now }}
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
