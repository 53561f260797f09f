package football_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func (b bundle) finds(kind, query string) (found []string, refused map[string]string) {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.url+"/"+kind+"?"+query, nil)
	require.NoError(b.t, err)
	req.Header.Set("x-apisports-key", "k")
	res, err := http.DefaultClient.Do(req)
	require.NoError(b.t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(b.t, err)
	var env struct {
		Get      string
		Errors   json.RawMessage
		Results  int
		Response []struct {
			Team, League struct{ Name, Country string }
			Country      struct{ Name string }
		}
	}
	require.NoError(b.t, json.Unmarshal(body, &env), string(body))
	require.Equal(b.t, kind, env.Get)
	require.Len(b.t, env.Response, env.Results)
	_ = json.Unmarshal(env.Errors, &refused) // a list where nothing is refused
	for _, r := range env.Response {
		found = append(found, r.Team.Country+r.Country.Name+"/"+r.Team.Name+r.League.Name)
	}
	return found, refused
}

func TestTeamsAndLeaguesAreFoundByNameOrCountry(t *testing.T) {
	t.Parallel()
	b := setup(t, quiet(), 0)
	found, _ := b.finds("teams", "search=arsenal")
	require.Equal(t, []string{"England/Arsenal", "England/Arsenal W", "England/Arsenal U21"}, found)
	found, _ = b.finds("teams", "search=Munchen")
	require.Contains(t, found, "Germany/Bayern München")
	found, _ = b.finds("teams", "search=Germany")
	require.Greater(t, len(found), 3)
	found, _ = b.finds("leagues", "search="+url.QueryEscape("premier league"))
	require.Equal(t, []string{"England/Premier League", "Russia/Premier League", "Egypt/Premier League"}, found)
	found, refused := b.finds("teams", "search=nobody")
	require.Empty(t, found)
	require.Empty(t, refused, "nothing found is no error")
	for query, want := range map[string]string{"search=ab": "search", "search=M%C3%BCnchen": "search", "search=a%2Fbcd": "search", "": "required",
		"league=39&search=Leipzig": "league"} {
		found, refused := b.finds("teams", query)
		require.Empty(t, found, query)
		require.Contains(t, refused, want, query)
	}
}
