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
	readings *prometheus.CounterVec
	frames   prometheus.Counter
	asking   prometheus.Gauge
	took     prometheus.Observer
}

// Reader measures what is asked of the vision model, time in its queue included.
func Reader(m *telemetry.Metrics, next validate.Reader) validate.Reader {
	return &measuredReader{
		Reader:   next,
		readings: outcomes(m, "model_readings_total", "Clips whose frames were given to the model, by how that ended.", "result", "ok", "unavailable"),
		frames:   count(m, "model_frames_total", "Frames given to the model."),
		asking:   m.Gauge("model_asking", "Clips that wait for the model or are being read now.").WithLabelValues(),
		took:     m.Seconds("model_reading_seconds", "From asking the model about a clip to its answer, time in the queue included.").WithLabelValues(),
	}
}

// Read implements validate.Reader.
func (m *measuredReader) Read(ctx context.Context, frames []validate.Frame, kinds ...footy.KindInfo) ([]footy.Reading, error) {
	return m.measured(ctx, m.Reader.Read, frames, kinds)
}

// Look implements validate.Reader.
func (m *measuredReader) Look(ctx context.Context, frames []validate.Frame, kinds ...footy.KindInfo) ([]footy.Reading, error) {
	return m.measured(ctx, m.Reader.Look, frames, kinds)
}

func (m *measuredReader) measured(ctx context.Context, ask func(context.Context, []validate.Frame, ...footy.KindInfo) ([]footy.Reading, error), frames []validate.Frame, kinds []footy.KindInfo) ([]footy.Reading, error) {
	began := time.Now()
	m.asking.Inc()
	defer m.asking.Dec()
	out, err := ask(ctx, frames, kinds...)
	m.took.Observe(since(began))
	m.readings.WithLabelValues(result(err)).Inc()
	m.frames.Add(float64(len(frames)))
	return out, err
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Client measures what a client asks of one service, and returns it.
func Client(m *telemetry.Metrics, to string, c *http.Client) *http.Client {
	took := m.Seconds("outgoing_seconds", "How long requests to services outside take until their answer begins, by status.", "to", "status")
	busy := m.Gauge("outgoing_busy", "Requests to services outside that are under way.", "to").WithLabelValues(to)
	next := c.Transport
	c.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
		began := time.Now()
		busy.Inc()
		defer busy.Dec()
		res, err := next.RoundTrip(r)
		status := "none"
		if err == nil {
			status = strconv.Itoa(res.StatusCode)
		}
		took.WithLabelValues(to, status).Observe(since(began))
		return res, err
	})
	return c
}
