package app_test

import (
	"testing"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/stretchr/testify/require"
)

func TestAWorkerPollsWhatItCanServeOrWhatAPersonNamed(t *testing.T) {
	t.Parallel()
	noModel := map[string]string{policy.QueueVision: "LLAMA_URL is not set"}
	queues, left := app.Split(nil, nil)
	require.Equal(t, policy.Queues(), queues)
	require.Empty(t, left)
	queues, left = app.Split(nil, noModel)
	require.Equal(t, []string{policy.QueueMain, policy.QueueSearch, policy.QueueMedia}, queues)
	require.Equal(t, []string{policy.QueueVision}, left)
	queues, left = app.Split([]string{policy.QueueVision}, noModel)
	require.Equal(t, []string{policy.QueueVision}, queues, "what is named is polled")
	require.Empty(t, left)
}
