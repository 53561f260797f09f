package pipeline_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/validate/vision"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world/serve/model"
)

// routed is a bench whose model is behind a router; the settings name this model.
func routed(t *testing.T, name string) (b *server, last func() map[string]any) {
	t.Helper()
	b = newServer(t)
	var mu sync.Mutex
	var asked map[string]any
	router := model.NewRouter(http.HandlerFunc(b.serve))
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); r.Method == http.MethodPost {
			mu.Lock()
			_ = json.Unmarshal(body, &asked)
			mu.Unlock()
			r.Body = io.NopCloser(strings.NewReader(string(body)))
		}
		router.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	look := vision.New(vision.Options{}, llm.New(llm.Options{URL: front.URL, Model: name, Poll: time.Millisecond}, httpx.New(httpx.Options{})))
	b.down.Reader, b.mon.Reader = look, look
	return b, func() map[string]any {
		mu.Lock()
		defer mu.Unlock()
		return asked
	}
}

// TestTheFirstEveningWithARouterOfModels: nothing but its address is set, it exchanges its model every few questions, and each clip is judged.
func TestTheFirstEveningWithARouterOfModels(t *testing.T) {
	t.Parallel()
	b, last := routed(t, "")
	for i := range 12 { // as many swaps as it has ways to refuse, and more
		in := b.open(fmt.Sprint(2*i+1), fmt.Sprint(2*i+2))
		b.batch(in.Download, in)
		b.settle(5 * time.Minute)
	}
	require.Len(t, b.event(oneGoal).Clips, 24)
	require.Empty(t, b.condition().Reason)
	for _, field := range []string{"response_format", "chat_template_kwargs", "reasoning_effort", "temperature", "max_tokens"} {
		require.Contains(t, last(), field, "no swap cost a field")
	}
	require.Equal(t, "simulated-vision", last()["model"], "the one model that answers is found")
}

// TestAWrongNameOfAModelIsSaid, and its posts wait until it is right.
func TestAWrongNameOfAModelIsSaid(t *testing.T) {
	t.Parallel()
	b, _ := routed(t, "eyes")
	in := b.open("1", "2")
	b.over(oneGoal)
	b.batch(in.Download, in)
	require.Equal(t, map[string]string{"1": "waiting model_missing", "2": "waiting model_missing"}, b.states(oneGoal))
	require.Equal(t, footy.ReasonModelMissing, b.condition().Reason)
	require.Contains(t, b.condition().Detail, "LLAMA_MODEL is eyes, which it does not list: set it to simulated-vision")
	b.limits(0, 0)
	b.settle(10 * time.Minute)
	require.Len(t, b.event(oneGoal).Clips, 2)
}
