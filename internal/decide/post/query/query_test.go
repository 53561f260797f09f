package query_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/decide/post/query"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

func TestBuild(t *testing.T) {
	t.Parallel()
	liverpool := footy.TeamAliases{Aliases: []string{"liverpool", "reds", "kop"}, Abbr: "LFC"}
	for name, c := range map[string]struct {
		player, team  string
		aliases       footy.TeamAliases
		precise, wide string
	}{
		"one name": {"M. Salah", "Liverpool", liverpool, `salah ("Liverpool" OR LFC OR kop)`, `salah OR "Liverpool" OR LFC`},
		"two names": {"Florian Wirtz", "Liverpool", liverpool, `(florian OR wirtz) ("Liverpool" OR LFC OR kop)`,
			`florian OR wirtz OR "Liverpool" OR LFC`},
		"an everyday first name":      {"Take Kubo", "Real Sociedad", footy.TeamAliases{}, `(take OR kubo) ("Real Sociedad" OR sociedad)`, `kubo OR "Real Sociedad"`},
		"an everyday family name":     {"Declan Rice", "Arsenal", footy.TeamAliases{}, `(declan OR rice) "Arsenal"`, `declan OR "declan rice" OR "Arsenal"`},
		"only everyday words":         {"Son Min", "Tottenham", footy.TeamAliases{}, `(son OR min) "Tottenham"`, `"son min" OR "Tottenham"`},
		"a team of one everyday word": {"T. Moffi", "Nice", footy.TeamAliases{Abbr: "OGCN"}, `moffi ("Nice" OR OGCN)`, `moffi OR OGCN`},
		"generic words stay inside the name": {"B. Fernandes", "Manchester United", footy.TeamAliases{Aliases: []string{"united", "red"}, Abbr: "MUFC"},
			`fernandes ("Manchester United" OR MUFC OR manchester)`, `fernandes OR "Manchester United" OR MUFC`},
		"an abbreviation that is a word": {"I. Williams", "Athletic Club", footy.TeamAliases{Abbr: "ATHLETIC", Aliases: []string{"bilbao", "athletic"}},
			`williams ("Athletic Club" OR bilbao)`, `williams OR "Athletic Club"`},
		"a team that is a lake": {"N. Paz", "Como", footy.TeamAliases{Abbr: "COMO1907", Aliases: []string{"como"}}, `paz ("Como" OR COMO1907)`, `paz OR "Como" OR COMO1907`},
		"a country that is a man": {"M. Abakar", "Chad", footy.TeamAliases{Abbr: "FC", Aliases: []string{"chad", "cape", "boys", "stade", "man"}},
			`abakar "Chad"`, `abakar OR "Chad"`},
		"an abbreviation with a number": {"P. Schick", "Bayer Leverkusen", footy.TeamAliases{Abbr: "B04"},
			`schick ("Bayer Leverkusen" OR B04 OR bayer OR leverkusen)`, `schick OR "Bayer Leverkusen" OR B04`},
		"other names of the team": {"L. Martínez", "Internazionale", footy.TeamAliases{Names: []string{"inter milan"}, Spelt: map[string][]int64{"biscione": {1, 2}, "inda": {1}}},
			`martinez ("Internazionale" OR "inter milan" OR biscione)`, `martinez OR "Internazionale"`},
		"accents are folded": {"Martin Ødegaard", "Bayern München", footy.TeamAliases{}, `(martin OR odegaard) ("Bayern Munchen" OR bayern OR munchen)`,
			`martin OR odegaard OR "Bayern Munchen"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := query.Build(c.player, footy.Team{Name: c.team}, c.aliases)
			require.NoError(t, err)
			require.Equal(t, c.precise, p.Precise)
			require.Equal(t, c.wide, p.Wide)
		})
	}
}

func TestWhatIsNoGoalIsAskedForByItsWords(t *testing.T) {
	t.Parallel()
	for kind, want := range map[footy.Kind]query.Pair{
		footy.KindRedCard: {Precise: `salah ("Liverpool" OR LFC) ("red card" OR "sent off" OR "second yellow")`,
			Wide: `(salah OR "Liverpool" OR LFC) ("red card" OR "sent off" OR "second yellow")`},
		footy.KindMissedPenalty: {Precise: `salah ("Liverpool" OR LFC) (penalty OR pen OR spot)`, Wide: `(salah OR "Liverpool" OR LFC) (penalty OR pen OR spot)`},
		footy.KindVAR: {Precise: `salah ("Liverpool" OR LFC) (VAR OR disallowed OR overturned OR offside)`,
			Wide: `(salah OR "Liverpool" OR LFC) (VAR OR disallowed OR overturned OR offside)`},
		footy.KindGoal: {Precise: `salah ("Liverpool" OR LFC)`, Wide: `salah OR "Liverpool" OR LFC`},
	} {
		p, err := query.Build("M. Salah", footy.Team{Name: "Liverpool"}, footy.TeamAliases{Abbr: "LFC"}, kind.Info().Words...)
		require.NoError(t, err)
		require.Equal(t, want.Precise, p.Precise)
		require.Equal(t, want.Wide, p.Wide)
	}
	q, err := query.Team(footy.Team{Name: "Liverpool"}, footy.TeamAliases{}, "VAR")
	require.NoError(t, err)
	require.Equal(t, `"Liverpool" VAR`, q)
	long := footy.Team{Name: strings.Repeat("Aberystwyth ", 6)}
	p, err := query.Build(strings.Repeat("Bartholomew", 8), long, footy.TeamAliases{Names: []string{strings.Repeat("x y ", 30)}}, footy.KindRedCard.Info().Words...)
	require.NoError(t, err)
	require.Contains(t, p.Precise, `"second yellow")`, "terms of the team are dropped, not of the kind")
}

func TestFormsAlternate(t *testing.T) {
	t.Parallel()
	p := query.Pair{Precise: "p", Wide: "w"}
	var got []string
	for n := 1; n <= 4; n++ {
		got = append(got, query.ForTry(p, n))
	}
	require.Equal(t, []string{"p", "w", "p", "w"}, got)
}

func TestNoSearchWithoutPlayerOrTeam(t *testing.T) {
	t.Parallel()
	for _, player := range []string{"", "   ", "...", "42"} {
		_, err := query.Build(player, footy.Team{Name: "Liverpool"}, footy.TeamAliases{})
		require.ErrorIs(t, err, query.ErrPlayerRequired, "%q", player)
	}
	_, err := query.Build("Ann", footy.Team{Name: "!"}, footy.TeamAliases{})
	require.ErrorIs(t, err, query.ErrTeamRequired)
}

func TestAGoalOfAnUnknownScorerIsSearchedByItsTeam(t *testing.T) {
	t.Parallel()
	for team, want := range map[string]string{"Liverpool": `"Liverpool" OR LFC`, "Nice": "LFC"} {
		q, err := query.Team(footy.Team{Name: team}, footy.TeamAliases{Aliases: []string{"reds"}, Abbr: "LFC"})
		require.NoError(t, err)
		require.Equal(t, want, q)
	}
	_, err := query.Team(footy.Team{Name: "!"}, footy.TeamAliases{})
	require.ErrorIs(t, err, query.ErrTeamRequired)
}

func TestQueriesHoldTheirPromises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		word := rapid.SampledFrom([]string{"united", "city", "Ødegaard", "van", "Jr", "Мария", "红魔", "red", "O'Neil", "a", "\"x\"", "(y)", "McTominay", strings.Repeat("long", 40)})
		player := strings.Join(rapid.SliceOfN(word, 0, 6).Draw(rt, "player"), " ")
		team := strings.Join(rapid.SliceOfN(word, 0, 6).Draw(rt, "team"), " ")
		a := footy.TeamAliases{Aliases: rapid.SliceOfN(word, 0, 30).Draw(rt, "aliases"), Abbr: rapid.SampledFrom([]string{"", "LFC"}).Draw(rt, "abbr")}
		p, err := query.Build(player, footy.Team{Name: team}, a)
		if err != nil {
			return
		}
		for _, q := range []string{p.Precise, p.Wide} {
			require.NotEmpty(rt, strings.TrimSpace(q))
			require.LessOrEqual(rt, len(q), query.MaxLength)
			require.Zero(rt, strings.Count(q, `"`)%2, "quotes must close: %s", q)
			require.Equal(rt, strings.Count(q, "("), strings.Count(q, ")"), q)
		}
		for _, term := range strings.Split(p.Wide, " OR ") {
			require.False(rt, names.Generic(term) && !strings.Contains(term, " ") && !strings.EqualFold(term, player) && !contains(p.PlayerTokens, term), "generic word alone: %s", term)
		}
	})
}

func contains(words []string, term string) bool {
	for _, w := range words {
		if strings.Trim(term, `"`) == w {
			return true
		}
	}
	return false
}
