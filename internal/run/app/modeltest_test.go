package app_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/model"
)

// TestAnOllamaIsNamed: its context is what most people have to change. What would think is asked not to; else it gave no answer at all.
func TestAnOllamaIsNamed(t *testing.T) {
	t.Parallel()
	panel := fault.NewPanel([]script.Mode{{Mode: script.ModelThinks}}, func() float64 { return 0 }, 1)
	srv := httptest.NewServer(model.New(script.Model{}).Under(panel, nil))
	t.Cleanup(srv.Close)
	out, err := app.TestModel(t.Context(), config.Config{Model: config.Model{URL: srv.URL, Slots: 1}}, 0, nil)
	require.NoError(t, err)
	require.True(t, out.Usable(), out.Verdict())
	said := strings.Join(out.Findings(), "\n")
	require.Contains(t, said, "The server is Ollama 0.12.6.")
	require.Contains(t, said, "a context of 4,096 tokens, and cuts what does not fit without a word: start it with OLLAMA_CONTEXT_LENGTH=12288.")
	require.NotContains(t, said, "does not list vision")

	out.NoVision = true
	require.Contains(t, strings.Join(out.Findings(), "\n"), "It does not list vision among what simulated-vision can do")
}
