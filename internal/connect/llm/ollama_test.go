package llm_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/llm"
)

func TestOllamaSaysWhatItIs(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"/api/version": `{"version":"0.12.6"}`,
		"/api/show":    `{"capabilities":["completion","vision","thinking"]}`,
		"/api/ps":      `{"models":[{"name":"other:1b","model":"other:1b","context_length":9},{"name":"m:latest","model":"m:latest","context_length":4096}]}`,
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := answers[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(srv.Close)
	is, ok := client(srv.URL).Ollama(t.Context())
	require.True(t, ok)
	require.Equal(t, llm.Ollama{Version: "0.12.6", Context: 4096, Abilities: []string{"completion", "vision", "thinking"}}, is)

	delete(answers, "/api/ps")
	delete(answers, "/api/show")
	is, ok = client(srv.URL).Ollama(t.Context())
	require.True(t, ok)
	require.Equal(t, llm.Ollama{Version: "0.12.6"}, is, "what is not told is not known")

	delete(answers, "/api/version")
	_, ok = client(srv.URL).Ollama(t.Context())
	require.False(t, ok, "another kind of server")
}
