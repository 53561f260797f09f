package wikidata_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/wikidata"
)

func get(t *testing.T, path string, out any) {
	t.Helper()
	srv := httptest.NewServer(wikidata.New(script.Default()))
	t.Cleanup(srv.Close)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+path, nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	require.NoError(t, json.NewDecoder(res.Body).Decode(out))
}

type hits struct {
	Search []struct {
		ID, Label, Description string
		Match                  struct{ Type, Text string }
	}
}

type items struct {
	Entities map[string]struct {
		Missing *string
		Labels  map[string]struct{ Value string }
		Aliases map[string][]struct{ Value string }
		Claims  map[string][]struct {
			Mainsnak struct {
				Datavalue struct {
					Value struct{ ID string }
				}
			}
		}
	}
}

func TestANameFindsTheClubAmongItsDecoys(t *testing.T) {
	t.Parallel()
	var h hits
	get(t, "/w/api.php?action=wbsearchentities&search=Arsenal&language=en&format=json&limit=10", &h)
	ids := map[string]string{}
	for _, s := range h.Search {
		ids[s.ID] = s.Description
	}
	require.Contains(t, ids["Q9617"], "London")
	require.Contains(t, ids["Q44295"], "Kyiv")
	require.Contains(t, ids["Q81669"], "arms")
	require.GreaterOrEqual(t, len(ids), 6, "women, stadium and reserves too")
	get(t, "/w/api.php?action=wbsearchentities&search=zzz&format=json", &h)
	require.Empty(t, h.Search)
}

func TestEveryTrackedTeamIsFoundByItsFeedName(t *testing.T) {
	t.Parallel()
	for _, team := range script.Default().Teams {
		if team.Entity == "" {
			continue
		}
		var h hits
		get(t, "/w/api.php?action=wbsearchentities&limit=10&search="+url.QueryEscape(team.Name), &h)
		found := false
		for _, s := range h.Search {
			found = found || s.ID == team.Entity
		}
		require.True(t, found, team.Name)
	}
}

func TestEntitiesCarryTypeCountryAndAliases(t *testing.T) {
	t.Parallel()
	var e items
	get(t, "/w/api.php?action=wbgetentities&ids=Q9617|Q81669|Q1&format=json&props=labels|aliases|claims", &e)
	club := e.Entities["Q9617"]
	require.Equal(t, "Arsenal F.C.", club.Labels["en"].Value)
	require.Equal(t, "Q476028", club.Claims["P31"][0].Mainsnak.Datavalue.Value.ID)
	require.Equal(t, "Q145", club.Claims["P17"][0].Mainsnak.Datavalue.Value.ID)
	require.NotEmpty(t, club.Aliases["en"])
	require.NotEqual(t, "Q476028", e.Entities["Q81669"].Claims["P31"][0].Mainsnak.Datavalue.Value.ID)
	require.NotNil(t, e.Entities["Q1"].Missing)
	var page items
	get(t, "/wiki/Special:EntityData/Q7156.json", &page)
	require.Equal(t, "FC Barcelona", page.Entities["Q7156"].Labels["en"].Value)
}
