package view_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

func TestADownloadSaysWhatItShowsInLettersThatEveryDiskTakes(t *testing.T) {
	t.Parallel()
	name := func(home, scorer string, minute footy.Minute, rank int) string {
		f := footy.Fixture{Match: footy.Match{Kickoff: time.Date(2026, 11, 26, 23, 30, 0, 0, time.UTC)}, Teams: footy.Teams{Home: footy.Team{Name: home}, Away: footy.Team{Name: "Arsenal"}}}
		e := footy.Event{Kind: footy.KindGoal, Player: footy.Person{Name: scorer}, Minute: minute, ScoreAfter: footy.ScoreOf(2, 1)}
		return view.FileName(&f, &e, &footy.Clip{Rank: rank, Key: "clips/x.mp4"}, time.FixedZone("", -3600))
	}
	extra := 2
	require.Equal(t, "2026-11-26 Liverpool 2-1 Arsenal - Odemark 78.mp4", name("Liverpool", "K. Ødemark", footy.Minute{Elapsed: 78}, 1))
	require.Equal(t, "2026-11-26 Borussia Monchengladbach 2-1 Arsenal - Muller 45+2 (3).mp4", name("Borussia Mönchengladbach", "T. Müller", footy.Minute{Elapsed: 45, Extra: extra}, 3))
	require.Equal(t, "2026-11-26 A B 2-1 Arsenal - goal 1.mp4", name("A/\\:*?\"<>|\x00\nB", "", footy.Minute{Elapsed: 1}, 0))
	require.Equal(t, "2026-11-26 浦和 2-1 Arsenal - ガ 1.mp4", name("浦和", "ガ", footy.Minute{Elapsed: 1}, 0))
}
