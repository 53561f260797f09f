package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

func TestAPostTellsWhatItsTitleSays(t *testing.T) {
	t.Parallel()
	row := footy.Entry{Kind: footy.EntryCandidate, Data: footy.PostEvidence(footy.Candidate{PostID: "t3_1",
		Title: &footy.TitleEvidence{Source: "Reddit", Agrees: []string{"teams", "score", "scorer"}, Differs: []string{"minute"}}})}
	require.Equal(t, "Taken for a closer look: on Reddit its title names this goal's teams, score and scorer, and another minute", explain.Row(row, nil))
	row.Data.TitleSays.Agrees, row.Data.TitleSays.Differs = []string{"teams"}, nil
	require.Equal(t, "Taken for a closer look: on Reddit its title names this goal's teams", explain.Row(row, nil))
	row.Data.TitleSays = &footy.TitleEvidence{Source: "Reddit", Agrees: []string{"other team", "score", "scorer", "minute"}, Strange: "Inter", Team: "Internazionale"}
	require.Equal(t, "Taken for a closer look: on Reddit its title names Inter, who are Internazionale: the other team, score, scorer and minute agree", explain.Row(row, nil))
	row.Data.TitleSays = nil
	require.Equal(t, "Taken for a closer look", explain.Row(row, nil))
}
