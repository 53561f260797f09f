package meter

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"github.com/prometheus/client_golang/prometheus"
)

type measuredReader struct {
	validate.Reader
	readings, frames *prometheus.CounterVec
	asking           *prometheus.GaugeVec
	took             *prometheus.HistogramVec
}

// Reader measures what is asked of the vision model, time in its queue included.
func Reader(r *telemetry.Metrics, next validate.Reader) validate.Reader {
	m := &measuredReader{
		Reader:   next,
		readings: r.Counter("model_readings_total", "Clips whose frames were given to the model, by how that ended.", "result"),
		frames:   r.Counter("model_frames_total", "Frames given to the model."),
		asking:   r.Gauge("model_asking", "Clips that wait for the model or are being read now."),
		took:     r.Seconds("model_reading_seconds", "From asking the model about a clip to its answer, time in the queue included."),
	}
	zero(m.readings, "ok", "unavailable")
	m.asking.WithLabelValues().Set(0)
	return m
}

// Read implements validate.Reader.
func (m *measuredReader) Read(ctx context.Context, frames []validate.Frame, wait func()) ([]footy.Reading, error) {
	return m.measured(ctx, m.Reader.Read, frames, wait)
}

// Look implements validate.Reader.
func (m *measuredReader) Look(ctx context.Context, frames []validate.Frame, wait func()) ([]footy.Reading, error) {
	return m.measured(ctx, m.Reader.Look, frames, wait)
}

func (m *measuredReader) measured(ctx context.Context, ask func(context.Context, []validate.Frame, func()) ([]footy.Reading, error), frames []validate.Frame, wait func()) ([]footy.Reading, error) {
	began := time.Now()
	m.asking.WithLabelValues().Inc()
	defer m.asking.WithLabelValues().Dec()
	out, err := ask(ctx, frames, wait)
	m.took.WithLabelValues().Observe(since(began))
	m.readings.WithLabelValues(result(err)).Inc()
	m.frames.WithLabelValues().Add(float64(len(frames)))
	return out, err
}

type measuredTrips struct {
	next http.RoundTripper
	to   string
	took *prometheus.HistogramVec
	busy prometheus.Gauge
}

// Client measures what a client asks of one service, and returns it.
func Client(r *telemetry.Metrics, to string, c *http.Client) *http.Client {
	t := &measuredTrips{next: c.Transport, to: to,
		took: r.Seconds("outgoing_seconds", "How long requests to services outside take until their answer begins, by status.", "to", "status"),
		busy: r.Gauge("outgoing_busy", "Requests to services outside that are under way.", "to").WithLabelValues(to)}
	c.Transport = t
	return c
}

// RoundTrip implements http.RoundTripper.
func (t *measuredTrips) RoundTrip(req *http.Request) (*http.Response, error) {
	began := time.Now()
	t.busy.Inc()
	defer t.busy.Dec()
	res, err := t.next.RoundTrip(req)
	status := "none"
	if err == nil {
		status = strconv.Itoa(res.StatusCode)
	}
	t.took.WithLabelValues(t.to, status).Observe(since(began))
	return res, err
}
