package app_test

import (
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/tools/devtest"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"
)

// page runs the page alone and returns its address.
func page(t *testing.T, vars map[string]string) string {
	t.Helper()
	set := map[string]string{"STATE_DIR": t.TempDir(), "WEB_ADDR": "127.0.0.1:0", "LLAMA_URL": "http://127.0.0.1:9/v1"}
	maps.Copy(set, vars)
	_, url, _ := serve(t, set)
	return url
}

func readAll(t *testing.T, res *http.Response) string {
	t.Helper()
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return string(b)
}

// scrape reads /metrics as Prometheus does.
func scrape(t *testing.T, url string) map[string]*dto.MetricFamily {
	t.Helper()
	res, err := http.Get(url + "/metrics")
	require.NoError(t, err)
	defer res.Body.Close()
	require.Equal(t, http.StatusOK, res.StatusCode)
	parser := expfmt.NewTextParser(model.UTF8Validation)
	out, err := parser.TextToMetricFamilies(res.Body)
	require.NoError(t, err)
	return out
}

func TestTheFiguresAnswerAnOperator(t *testing.T) {
	t.Parallel()
	url := page(t, nil)
	res, err := http.Get(url + "/")
	require.NoError(t, err)
	require.Contains(t, readAll(t, res), "</html>")
	for name, labels := range map[string]string{
		"footy_build_info": "version", "footy_polls_total": "outcome", "footy_goals": "status", "footy_fixtures": "stage", "footy_goals_total": "step",
		"footy_first_clip_seconds": "", "footy_searches_total": "outcome", "footy_search_candidates_total": "", "footy_x_calls_total": "",
		"footy_candidates_total": "verdict", "footy_downloads_total": "result", "footy_download_bytes_total": "", "footy_download_seconds": "",
		"footy_model_readings_total": "result", "footy_model_asking": "", "footy_model_slots": "", "footy_model_reading_seconds": "",
		"footy_stream_readers": "", "footy_stream_dropped_total": "", "footy_http_seconds": "route",
	} {
		require.Eventually(t, func() bool {
			f := scrape(t, url)[name]
			return f != nil && (labels == "" || hasLabel(f, labels))
		}, time.Minute, 50*time.Millisecond, "%s{%s}", name, labels)
	}
	require.Eventually(t, func() bool { return hasLabel(scrape(t, url)["footy_component_state"], "component") }, time.Minute, 100*time.Millisecond)
}

func hasLabel(f *dto.MetricFamily, name string) bool {
	for _, m := range f.GetMetric() {
		for _, l := range m.GetLabel() {
			if l.GetName() == name {
				return true
			}
		}
	}
	return false
}

func TestFiguresCanHaveAnAddressOfTheirOwn(t *testing.T) {
	t.Parallel()
	own := devtest.FreeAddr(t)
	url := page(t, map[string]string{"METRICS_ADDR": own})
	require.Contains(t, scrape(t, "http://"+own), "footy_build_info")
	for path, want := range map[string]int{"http://" + own + "/healthz": 200, "http://" + own + "/readyz": 200, url + "/metrics": 404, "http://" + own + "/": 404} {
		res, err := http.Get(path)
		require.NoError(t, err)
		res.Body.Close()
		require.Equal(t, want, res.StatusCode, path)
	}
}

func TestAnAddressInUseIsRefusedByItsName(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	cfg, err := config.Parse(map[string]string{"STATE_DIR": t.TempDir(), "SOURCES": "xweb,xapi", "FEED": "api-football", "WEB_ADDR": "127.0.0.1:0", "METRICS_ADDR": l.Addr().String()})
	require.NoError(t, err)
	a, err := app.New(t.Context(), cfg, slog.New(slog.DiscardHandler), "test")
	require.NoError(t, err)
	defer a.Close()
	require.ErrorContains(t, a.Run(t.Context(), app.Roles{Web: true}), "METRICS_ADDR="+l.Addr().String()+" is in use")
}

func TestFiguresBesideAPageAreForThisMachine(t *testing.T) {
	t.Parallel()
	url := page(t, nil)
	for name, change := range map[string]func(*http.Request){
		"a name that was made to lead here": func(r *http.Request) { r.Host = "evil.example" },
		"passed on by a proxy":              func(r *http.Request) { r.Header.Set("X-Forwarded-For", "127.0.0.1") },
		"passed on by another":              func(r *http.Request) { r.Header.Set("Via", "1.1 proxy") },
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/metrics", nil)
		require.NoError(t, err)
		change(req)
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.GreaterOrEqual(t, res.StatusCode, 400, name)
		require.NotContains(t, readAll(t, res), "footy_build_info", name)
	}
	require.NotEmpty(t, scrape(t, url))
}
