package web_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/telemetry"
	"github.com/found-footy/found-footy/internal/tell/web"
)

// A probe that came every second wrote a line every second.
func TestADatabaseThatIsDownIsLoggedOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	now := noon
	s := newTestServer(t, func(o *web.Options) {
		o.Logger, o.Now = telemetry.NewLogger(&log, telemetry.Options{}), func() time.Time { return now }
	})
	probe := func() int {
		rec := httptest.NewRecorder()
		s.Web.Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "http://127.0.0.1/readyz", nil))
		return rec.Code
	}
	require.Equal(t, http.StatusOK, probe())
	require.NoError(t, s.Store.Close())
	for range 5 {
		now = now.Add(time.Minute) // past what is remembered of the last look
		require.Equal(t, http.StatusServiceUnavailable, probe())
	}
	require.Equal(t, 1, strings.Count(log.String(), "not ready"))
}
