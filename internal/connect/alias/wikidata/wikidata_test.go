package wikidata_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/alias"
	"github.com/found-footy/found-footy/internal/connect/alias/static"
	"github.com/found-footy/found-footy/internal/connect/alias/wikidata"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestResolveFindsTheTeamAmongItsNamesakes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		team, country string
		national      bool
		id            string
		words         []string
		abbr          string
	}{
		"a club with a weapons store for a namesake": {"Arsenal", "England", false, "Q9617", []string{"gunners"}, "ARS"},
		"the same name in another country":           {"Arsenal", "Ukraine", false, "Q44295", nil, ""},
		"in a cup, where no country helps":           {"Arsenal", "World", false, "Q9617", []string{"gunners"}, "ARS"},
		"the women's side":                           {"Arsenal W", "England", false, "Q3", nil, ""},
		"not the basketball team":                    {"Barcelona", "Spain", false, "Q7156", []string{"barca", "blaugrana"}, ""},
		"not the reserves":                           {"Real Madrid", "Spain", false, "Q8682", []string{"merengues", "madridistas"}, ""},
		"not the dissolved one":                      {"Toronto FC", "Canada", false, "Q216", nil, "TFC"},
		"a national team, not its youth":             {"Spain", "World", true, "Q8", []string{"roja"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := start(t, world(), wikidata.Options{}, nil)
			a, err := r.Resolve(context.Background(), footy.Team{ID: 7, Name: c.team}, c.country, c.national)
			require.NoError(t, err)
			require.Equal(t, c.id, a.WikidataID)
			require.Equal(t, "wikidata", a.Provenance)
			require.Subset(t, a.Aliases, c.words)
			require.Equal(t, c.abbr, a.Abbr)
			for _, poison := range []string{"york", "united", "llc", "knifey", "royal", "woolwich", "reds", "armoury", "rivals"} {
				require.NotContains(t, a.Aliases, poison)
			}
		})
	}
}

func TestGenericWordIsNeverSearchedAlone(t *testing.T) {
	t.Parallel()
	s := world()
	r := start(t, s, wikidata.Options{}, nil)
	_, err := r.Resolve(context.Background(), footy.Team{Name: "United"}, "England", false)
	require.True(t, footy.IsNotFound(err), "%v", err)
	require.NotContains(t, s.searched, "United")
	require.NotEmpty(t, s.searched)
}

func TestNothingFoundAndCouldNotLookDiffer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		s    *stub
		want footy.Code
	}{
		"nothing":       {&stub{}, footy.CodeNotFound},
		"down":          {&stub{status: 503}, footy.CodeUnavailable},
		"too many":      {&stub{status: 429}, footy.CodeRateLimited},
		"not JSON":      {&stub{body: "<html>"}, footy.CodeUnavailable},
		"lagging":       {&stub{body: `{"error":{"code":"maxlag","info":"wait"}}`}, footy.CodeRateLimited},
		"a bad request": {&stub{body: `{"error":{"code":"badvalue","info":"x"}}`}, footy.CodeUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := start(t, c.s, wikidata.Options{}, nil).Resolve(context.Background(), footy.Team{Name: "Arsenal"}, "England", false)
			require.Equal(t, c.want, footy.CodeOf(err), "%v", err)
		})
	}
}

func TestCuratedWordsComeFirst(t *testing.T) {
	t.Parallel()
	r := start(t, world(), wikidata.Options{Curated: static.New()}, nil)
	a, err := r.Resolve(context.Background(), footy.Team{Name: "Arsenal"}, "England", false)
	require.NoError(t, err)
	require.Equal(t, "ARS", a.Abbr)
	require.Equal(t, "arsenal", a.Aliases[0])
	require.Contains(t, a.Aliases, "gooners")
}

// picker is a model that answers from a list, or not at all.
type picker struct {
	words []string
	err   error
}

func (p picker) Pick(context.Context, string, []string) ([]string, error) { return p.words, p.err }

func TestModelMayChooseAndNotInvent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		p          alias.Picker
		want, not  string
		provenance string
	}{
		"chooses":       {picker{words: []string{"Gunners", "invincibles"}}, "gunners", "invincibles", "wikidata+model"},
		"has no answer": {picker{err: errors.New("loading")}, "gunners", "invincibles", "wikidata"},
		"chooses none":  {picker{}, "arsenal", "gunners", "wikidata+model"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := start(t, world(), wikidata.Options{}, c.p).Resolve(context.Background(), footy.Team{Name: "Arsenal"}, "England", false)
			require.NoError(t, err)
			require.Contains(t, a.Aliases, c.want)
			require.NotContains(t, a.Aliases, c.not)
			require.Equal(t, c.provenance, a.Provenance)
		})
	}
}
