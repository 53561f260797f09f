package sight_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/validate/vision"
	"github.com/found-footy/found-footy/internal/run/check/sight"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/model"
)

func reader(url string) *vision.Reader {
	o := llm.Options{URL: url, Poll: 5 * time.Millisecond}
	return vision.New(vision.Options{}, llm.New(o, httpx.New(httpx.Options{})))
}

func TestFourPicturesTellWhatAModelSees(t *testing.T) {
	t.Parallel()
	for manner, want := range map[string]struct {
		state        health.State
		says, remedy string
		right        any
	}{
		"":              {health.StateOK, "it reads 4 of four pictures right, in ", "", 4},
		"small_context": {health.StateOK, "it reads 4 of four pictures right", "", 4},
		"model_router":  {health.StateOK, "it reads 4 of four pictures right", "", 4},
		"model_guesses": {health.StateDown, "a studio was taken for football", "--mmproj", 0},
		"blind_model":   {health.StateDown, "the model cannot see pictures: ", "Serve a vision model", nil},
		"model_context": {health.StateDown, "the model's context is too small", "8,192", nil},
		"model_junk":    {health.StateDown, "the model's answers cannot be read", "schema", nil},
		"model_down":    {health.StateDown, "the model cannot be reached", "LLAMA_URL", nil},
	} {
		t.Run(manner, func(t *testing.T) {
			t.Parallel()
			var modes []script.Mode
			if manner != "" {
				modes = append(modes, script.Mode{Mode: manner})
			}
			srv := httptest.NewServer(model.New(script.Model{LoadingRequests: 1}).Under(fault.NewPanel(modes, func() float64 { return 0 }, 1), nil))
			t.Cleanup(srv.Close)
			p, err := sight.Look(t.Context(), reader(srv.URL), time.Minute)
			require.NoError(t, err)
			require.Equal(t, want.state, p.State, "%+v", p)
			require.Contains(t, p.Reason, want.says)
			require.Contains(t, p.Remedy, want.remedy)
			require.Equal(t, want.right, p.Facts["pictures_right"])
		})
	}
}

// TestAModelThatHangsIsGivenUp tells a slow model from the end of who waits for it.
func TestAModelThatHangsIsGivenUp(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else the end of the client stays unseen
		<-r.Context().Done()
	}))
	t.Cleanup(srv.Close)
	p, err := sight.Look(t.Context(), reader(srv.URL), 50*time.Millisecond)
	require.NoError(t, err)
	require.Equal(t, health.StateDegraded, p.State)
	require.Contains(t, p.Reason, "has not answered within")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = sight.Look(ctx, reader(srv.URL), time.Minute)
	require.ErrorIs(t, err, context.Canceled)
}
