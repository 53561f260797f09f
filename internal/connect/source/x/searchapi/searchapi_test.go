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

func TestAnOlderClientsNameOfTheQuery(t *testing.T) {
	t.Parallel()
	var r searchapi.SearchRequest
	require.NoError(t, json.Unmarshal([]byte(`{"query":"saka"}`), &r))
	require.Equal(t, source.Query{Text: "saka"}, r.AsQuery())
}
