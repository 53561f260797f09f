package llm_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
)

// ollama thinks on every model that can, unless reasoning_effort says otherwise; it knows no chat_template_kwargs and says nothing about
// them. Its thoughts count against the limit of tokens.
func ollama(stubborn bool, thoughts int) func(asked map[string]any) http.HandlerFunc {
	return func(asked map[string]any) http.HandlerFunc {
		limit, _ := asked["max_tokens"].(float64)
		switch {
		case !stubborn && asked["reasoning_effort"] == "none":
			return content(good)
		case int(limit) < thoughts:
			return says(map[string]any{"content": "", "reasoning": "The user wants"}, "length")
		}
		return says(map[string]any{"content": good, "reasoning": "The user wants"}, "stop")
	}
}

func manners(t *testing.T, of func(asked map[string]any) http.HandlerFunc) *server {
	t.Helper()
	var s *server
	s = setup(t, func(w http.ResponseWriter, r *http.Request) {
		asked := s.asked()
		of(asked[len(asked)-1])(w, r)
	})
	return s
}

func TestAModelIsAskedNotToThink(t *testing.T) {
	t.Parallel()
	s := manners(t, ollama(false, 4000))
	out, err := ask(t, client(s.url))
	require.NoError(t, err)
	require.Equal(t, 7, out.N)
	require.Len(t, s.asked(), 1)
	require.Equal(t, map[string]any{"enable_thinking": false}, s.asked()[0]["chat_template_kwargs"], "vLLM and llama.cpp read this one")
}

// TestAModelThatThinksAllTheSameGetsRoom: once, and from then on at once.
func TestAModelThatThinksAllTheSameGetsRoom(t *testing.T) {
	t.Parallel()
	s := manners(t, ollama(true, 3500))
	c := client(s.url)
	for range 2 {
		out, err := ask(t, c)
		require.NoError(t, err)
		require.Equal(t, 7, out.N)
	}
	require.Len(t, s.asked(), 3)
	for i, limit := range []int{50, 4000, 4000} {
		require.EqualValues(t, limit, s.asked()[i]["max_tokens"], "question %d", i+1)
	}
}

func TestAModelThatOnlyThinksIsNamed(t *testing.T) {
	t.Parallel()
	s := manners(t, ollama(true, 1<<20))
	_, err := ask(t, client(s.url))
	require.Equal(t, footy.ReasonModelThinks, footy.ReasonOf(err))
	require.ErrorContains(t, err, "the model thinks instead of answering; it was asked not to")
	require.Len(t, s.asked(), 2)
}

func TestAServerMayObjectToEitherSwitch(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"reasoning_effort", "chat_template_kwargs"} {
		s := manners(t, func(asked map[string]any) http.HandlerFunc {
			if _, there := asked[name]; there {
				return fails(http.StatusBadRequest, `{"error":{"message":"Unrecognized request argument supplied: `+name+`"}}`)
			}
			return content(good)
		})
		c := client(s.url)
		for range 2 {
			_, err := ask(t, c)
			require.NoError(t, err)
		}
		require.Len(t, s.asked(), 3, "what was found out is remembered")
		last, err := json.Marshal(s.asked()[2])
		require.NoError(t, err)
		require.NotContains(t, string(last), name)
		require.Regexp(t, "reasoning_effort|chat_template_kwargs", string(last), "the other one is kept")
	}
}
