package llm_test

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/model"
)

func TestPickerKeepsOnlyWordsOfTheList(t *testing.T) {
	t.Parallel()
	s := setup(t, content(`{"aliases":["mcfc"," Man City","Sky Blues","MCFC"]}`))
	got, err := llm.Picker{Client: client(s.url)}.Pick(t.Context(), "Manchester City", []string{"City", "MCFC", "Man City"})
	require.NoError(t, err)
	require.Equal(t, []string{"MCFC", "Man City"}, got)
}

func TestPickerMayChooseNothingButNotInventAll(t *testing.T) {
	t.Parallel()
	got, err := llm.Picker{Client: client(setup(t, content(`{"aliases":[]}`)).url)}.Pick(t.Context(), "X", []string{"City"})
	require.NoError(t, err)
	require.Empty(t, got)
	_, err = llm.Picker{Client: client(setup(t, content(`{"aliases":["Reds"]}`)).url)}.Pick(t.Context(), "X", []string{"City"})
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
}

func TestPickerAsksNobodyAboutNothing(t *testing.T) {
	t.Parallel()
	got, err := llm.Picker{Client: client("http://127.0.0.1:1")}.Pick(t.Context(), "X", nil)
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestPickerDoesNotWaitLongForALoadingModel(t *testing.T) {
	t.Parallel()
	s := setup(t, fails(503, loading))
	_, err := llm.Picker{Client: client(s.url), Limit: 50 * time.Millisecond}.Pick(t.Context(), "X", []string{"City"})
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
}

func TestPickerAndTheSimulatedModel(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(model.New(script.Model{LoadingRequests: 2}))
	t.Cleanup(srv.Close)
	got, err := llm.Picker{Client: client(srv.URL)}.Pick(t.Context(), "Manchester City", []string{"City", "MCFC", "Man City", "FC"})
	require.NoError(t, err)
	require.Equal(t, []string{"MCFC", "Man City"}, got)
}
