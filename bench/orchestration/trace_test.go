package main_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/found-footy/found-footy/bench/rig"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/protobuf/proto"
)

// spans are what a collector was sent: the names of each trace, and the workflows they tell of.
type spans struct {
	mu     sync.Mutex
	names  map[string]map[string]bool // by trace
	traces map[string]map[string]bool // by workflow id
}

// ServeHTTP takes spans as a collector does.
func (s *spans) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var sent collector.ExportTraceServiceRequest
	body, err := io.ReadAll(r.Body)
	if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &sent) != nil {
		http.Error(w, "no spans", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, of := range sent.GetResourceSpans() {
		for _, in := range of.GetScopeSpans() {
			for _, span := range in.GetSpans() {
				trace := string(span.GetTraceId())
				put(s.names, trace, span.GetName())
				for _, a := range span.GetAttributes() {
					if a.GetKey() == "temporalWorkflowID" {
						put(s.traces, a.GetValue().GetStringValue(), trace)
					}
				}
			}
		}
	}
}

func put(into map[string]map[string]bool, key, value string) {
	if into[key] == nil {
		into[key] = map[string]bool{}
	}
	into[key][value] = true
}

// of are the names of the only trace that has a span of this workflow; nil while there is none.
func (s *spans) of(t *testing.T, workflow string) map[string]bool {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]bool{}
	require.LessOrEqual(t, len(s.traces[workflow]), 1, "%s is in one trace", workflow)
	for trace := range s.traces[workflow] {
		for name := range s.names[trace] {
			out[name] = true
		}
	}
	return out
}

// TestOneTraceLeadsFromThePollToTheClip plays a goal on a real engine: the cycle whose poll made it certain, its search, its download
// and its clip are one trace, and what has nothing to do with it is in others.
func TestOneTraceLeadsFromThePollToTheClip(t *testing.T) {
	t.Parallel()
	sent := &spans{names: map[string]map[string]bool{}, traces: map[string]map[string]bool{}}
	at := httptest.NewServer(sent)
	t.Cleanup(at.Close)
	engine := devtest.Start(t, "temporal", "--db", filepath.Join(t.TempDir(), "temporal.db"), "--ui-port", "-1")
	v, err := rig.NewEvening(t.Context(), engine.Address, t.TempDir(), 5, 1, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": at.URL})
	require.NoError(t, err)
	t.Cleanup(v.Stop)
	c, err := v.Certain(t.Context(), 0)
	require.NoError(t, err)
	want := []string{"RunWorkflow:" + monitor.Workflow.Name(), "RunActivity:" + monitor.PollChunk.Name(), "StartChildWorkflow:" + search.Workflow.Name(),
		"RunActivity:" + search.Search.Name(), "StartChildWorkflow:" + download.Workflow.Name(), "RunActivity:" + download.DownloadVideo.Name(),
		"SignalWithStartWorkflow:" + upload.Workflow.Name(), "RunActivity:" + upload.UploadVideos.Name()}
	require.Eventually(t, func() bool {
		have := sent.of(t, c.Event.Round.Workflow)
		for _, name := range want {
			if !have[name] {
				return false
			}
		}
		return true
	}, 2*time.Minute, 200*time.Millisecond, "all of %s", strings.Join(want, ", "))
	// Made within a trace, a schedule would put each of its runs, for ever, into that one.
	require.NoError(t, v.App.Schedule(t.Context(), v.Client, true))
	made, err := v.Client.WorkflowService().DescribeSchedule(t.Context(), &workflowservice.DescribeScheduleRequest{Namespace: "default", ScheduleId: policy.ScheduleMonitor})
	require.NoError(t, err)
	require.Empty(t, made.GetSchedule().GetAction().GetStartWorkflow().GetHeader().GetFields())
	require.NotContains(t, sent.of(t, "evening-1"), "StartChildWorkflow:"+search.Workflow.Name(), "an earlier cycle is a trace of its own")
}
