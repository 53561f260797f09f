package searchapi_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/searchapi"
)

func TestARequestSurvivesTheWire(t *testing.T) {
	t.Parallel()
	q := source.Query{Text: "saka", Exclude: []string{"1"}, Since: time.Date(2026, 3, 14, 15, 0, 0, 5e6, time.UTC), Max: 20, Group: "7", Ahead: 2}
	raw, err := json.Marshal(searchapi.NewSearchRequest(q))
	require.NoError(t, err)
	var got searchapi.SearchRequest
	require.NoError(t, json.Unmarshal(raw, &got))
	require.Equal(t, q, got.AsQuery())
}

func TestClientsSpellTheFloorTheirWay(t *testing.T) {
	t.Parallel()
	want := time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)
	for _, since := range []string{`"2026-03-14T15:00:00Z"`, `"2026-03-14T16:00:00+01:00"`, `1773500400`, `"1773500400"`, `1773500400000`, `1773500400.0`} {
		var r searchapi.SearchRequest
		require.NoError(t, json.Unmarshal([]byte(`{"query":"saka","since":`+since+`}`), &r), since)
		q := r.AsQuery()
		require.True(t, want.Equal(q.Since), "%s is %s", since, q.Since)
		require.Equal(t, "saka", q.Text, "an older client's name for the query")
	}
	for _, none := range []string{`null`, `""`} {
		var r searchapi.SearchRequest
		require.NoError(t, json.Unmarshal([]byte(`{"since":`+none+`}`), &r))
		require.True(t, r.AsQuery().Since.IsZero())
	}
	for _, junk := range []string{`"soon"`, `-1`, `1e300`, `{}`} {
		var r searchapi.SearchRequest
		require.Error(t, json.Unmarshal([]byte(`{"since":`+junk+`}`), &r), junk)
	}
}
