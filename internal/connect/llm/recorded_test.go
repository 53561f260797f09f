package llm_test

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

func TestResponsesOfARealServer(t *testing.T) {
	t.Parallel()
	var samples []struct {
		Name string
		HTTP int
		Body json.RawMessage
	}
	for _, path := range devtest.Payloads(t, "samples/llama/responses.json") {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		more := samples[:0:0]
		require.NoError(t, json.Unmarshal(raw, &more))
		samples = append(samples, more...)
	}
	want := map[string]footy.Code{ // none of them holds the JSON that was asked for
		"stop_pretty": footy.CodeInvalid, "truncated_length": footy.CodeInvalid, "reasoning_ate_budget_content_empty": footy.CodeInvalid,
		"loading_model": footy.CodeUnavailable, "server_error": footy.CodeUnavailable,
		"context_overflow": footy.CodeInvalid, "gateway_wrapped_error": footy.CodeInvalid,
	}
	seen := map[string]bool{}
	for _, s := range samples {
		code, ok := want[s.Name]
		if !ok {
			continue
		}
		seen[s.Name] = true
		srv := setup(t, fails(s.HTTP, string(s.Body)))
		_, err := ask(t, client(srv.url, func(o *llm.Options) { o.LoadTimeout = 30 * time.Millisecond }))
		require.Equal(t, code, footy.CodeOf(err), "%s: %v", s.Name, err)
		if s.Name == "context_overflow" || s.Name == "gateway_wrapped_error" {
			require.ErrorContains(t, err, "exceeds the available context size (8192 tokens)")
			require.Len(t, srv.asked(), 1)
		}
	}
	require.Len(t, seen, len(want))
}
