package llm_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/llm"
)

// recorded finds the responses of a real server: in $FOOTY_SHARED, or beside the repository.
func recorded(t *testing.T) []byte {
	t.Helper()
	root := os.Getenv("FOOTY_SHARED")
	if root == "" {
		dir, err := os.Getwd()
		require.NoError(t, err)
		for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				root = filepath.Join(filepath.Dir(dir), "shared")
				break
			}
		}
	}
	b, err := os.ReadFile(filepath.Join(root, "samples", "llama", "responses.json"))
	if err != nil {
		t.Skipf("no recorded responses of a model server here: %v", err)
	}
	return b
}

func TestResponsesOfARealServer(t *testing.T) {
	t.Parallel()
	var samples []struct {
		Name string
		HTTP int
		Body json.RawMessage
	}
	require.NoError(t, json.Unmarshal(recorded(t), &samples))
	want := map[string]footy.Code{ // none of them holds the JSON that was asked for
		"stop_pretty": footy.CodeInvalid, "truncated_length": footy.CodeInvalid, "reasoning_ate_budget_content_empty": footy.CodeInvalid,
		"loading_model": footy.CodeUnavailable, "server_error": footy.CodeUnavailable,
		"context_overflow": footy.CodeInvalid, "gateway_wrapped_error": footy.CodeInvalid,
	}
	seen := 0
	for _, s := range samples {
		code, ok := want[s.Name]
		if !ok {
			continue
		}
		seen++
		srv := setup(t, fails(s.HTTP, string(s.Body)))
		_, _, err := ask(t, client(srv.url, func(o *llm.Options) { o.LoadTimeout = 30 * time.Millisecond }))
		require.Equal(t, code, footy.CodeOf(err), "%s: %v", s.Name, err)
		if s.Name == "context_overflow" || s.Name == "gateway_wrapped_error" {
			require.ErrorContains(t, err, "exceeds the available context size (8192 tokens)")
			require.Len(t, srv.asked(), 1)
		}
	}
	require.Equal(t, len(want), seen)
}
