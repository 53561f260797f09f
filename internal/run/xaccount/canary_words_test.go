package xaccount_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/xaccount"
	"github.com/stretchr/testify/require"
)

func TestACanaryThatCannotLookSaysWhatToDo(t *testing.T) {
	t.Parallel()
	nobody := httptest.NewServer(http.NotFoundHandler())
	addr := nobody.Listener.Addr().String()
	nobody.Close()
	idle := config.Config{}
	idle.Browser.Addr, idle.Browser.Dir, idle.State.Dir = addr, t.TempDir(), t.TempDir()
	_, err := xaccount.Account{Config: idle}.Canary(t.Context(), config.Engine{})
	require.ErrorContains(t, err, "not running")
	require.ErrorContains(t, err, "footy browser")
	require.NotContains(t, err.Error(), "dial tcp")

	out := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"login":"missing"}`))
	}))
	defer out.Close()
	idle.Search.ServiceURL = out.URL
	_, err = xaccount.Account{Config: idle}.Canary(t.Context(), config.Engine{})
	require.Equal(t, footy.CodeAuthRequired, footy.CodeOf(err))
	require.ErrorContains(t, err, "footy x login")
}
