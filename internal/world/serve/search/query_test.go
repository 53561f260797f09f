package search_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/serve/search"
)

func TestQueryMatchesAsTheSearchPageDoes(t *testing.T) {
	t.Parallel()
	text := "GOAL! K. Ødemark puts #Arsenal ahead against Real Madrid"
	for _, tt := range []struct {
		query string
		want  bool
	}{
		{"odemark", true}, {"Ødemark arsenal", true}, {"odemark chelsea", false},
		{"(odemark OR salah) (arsenal OR gunners)", true}, {"(salah OR kane) (arsenal OR gunners)", false},
		{`chelsea OR "Real Madrid"`, true}, {`"Madrid Real"`, false}, {`salah OR "Man City" OR MCI`, false},
		{"odemark filter:videos", true}, {"odemark -arsenal", false}, {"odemark -chelsea", true}, {"arsen", false},
		{"salah OR odemark arsenal", true}, {"salah OR odemark chelsea", false}, {"((odemark))", true}, {"(odemark", true},
	} {
		require.Equal(t, tt.want, search.Parse(tt.query).Matches(text), tt.query)
	}
}
