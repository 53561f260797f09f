package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/opentelemetry"
	"go.temporal.io/sdk/interceptor"
)

// Traces sends spans of workflows and activities to a collector. Nil is the usual case: nobody asked for them, and the engine's
// clients have no interceptor.
type Traces struct {
	provider    *trace.TracerProvider
	interceptor interceptor.Interceptor
}

// NewTraces sends spans to the collector at endpoint, by OTLP over HTTP; what it does not take is dropped and holds nothing up.
func NewTraces(ctx context.Context, endpoint, version string, log *slog.Logger) (*Traces, error) {
	at, err := url.JoinPath(endpoint, "v1/traces")
	if err != nil {
		return nil, fmt.Errorf("send traces: %w", err)
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(at))
	if err != nil {
		return nil, fmt.Errorf("send traces: %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "found-footy"), attribute.String("service.version", version)),
		resource.WithHost(), resource.WithProcessPID(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("send traces: %w", err)
	}
	t := &Traces{provider: trace.NewTracerProvider(trace.WithResource(about),
		trace.WithBatcher(&saidOnce{SpanExporter: exporter, to: endpoint, log: Module(log, "traces")}))}
	// A run that began under another program may carry what this one cannot read; it must go on all the same.
	t.interceptor, err = opentelemetry.NewTracingInterceptor(opentelemetry.TracerOptions{Tracer: t.provider.Tracer("found-footy"), AllowInvalidParentSpans: true})
	if err != nil {
		return nil, fmt.Errorf("send traces: %w", err)
	}
	return t, nil
}

// Interceptors are what the engine's clients need to trace, and their workers with them.
func (t *Traces) Interceptors() []interceptor.ClientInterceptor {
	if t == nil {
		return nil
	}
	return []interceptor.ClientInterceptor{besideSchedules{t.interceptor}}
}

// closeWithin is how long the last spans may take when a process ends.
const closeWithin = 3 * time.Second

// Close sends what is left.
func (t *Traces) Close() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	_ = t.provider.Shutdown(ctx) // the exporter has told
}

// besideSchedules traces all but the making of a schedule: each run of it would go on in the one trace that began there, for ever.
type besideSchedules struct{ interceptor.Interceptor }

// InterceptClient implements interceptor.ClientInterceptor.
func (b besideSchedules) InterceptClient(next interceptor.ClientOutboundInterceptor) interceptor.ClientOutboundInterceptor {
	return untracedSchedules{b.Interceptor.InterceptClient(next), next}
}

type untracedSchedules struct {
	interceptor.ClientOutboundInterceptor
	next interceptor.ClientOutboundInterceptor
}

// CreateSchedule implements interceptor.ClientOutboundInterceptor.
func (u untracedSchedules) CreateSchedule(ctx context.Context, in *interceptor.ScheduleClientCreateInput) (client.ScheduleHandle, error) {
	return u.next.CreateSchedule(ctx, in)
}

// saidOnce logs that the collector does not take spans, and that it does again; each batch that fails is no news.
type saidOnce struct {
	trace.SpanExporter
	to      string
	log     *slog.Logger
	failing atomic.Bool
}

// ExportSpans implements trace.SpanExporter.
func (s *saidOnce) ExportSpans(ctx context.Context, spans []trace.ReadOnlySpan) error {
	err := s.SpanExporter.ExportSpans(ctx, spans)
	switch {
	case err != nil && !s.failing.Swap(true):
		s.log.Warn("traces are lost: "+s.to+" does not take them", "action", "export", "error", err)
	case err == nil && s.failing.Swap(false):
		s.log.Info("traces are taken again", "action", "export")
	}
	return nil
}
