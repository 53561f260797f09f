package pages

import (
	"context"
	"net/http"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

type healthPage struct {
	frame.Base
	Health  health.Report
	Details bool // why, what to do and figures; for the operator
	Trouble []health.Part
	Today   view.Coverage
	Before  int           // days before today that are told of
	Past    view.Coverage // those days, as one
	Aim     string        // how the objective fares; "" where none is set
	Days    []view.Coverage
	Delay   []delayRow // where the time to the first clips went
	Goals   int        // of which that is told,
	Last    int        // of so many days
	Share   barChart
	Median  barChart
	Readers int
	Dropped uint64
	Up      time.Duration
	NoDays  bool
	Targets []string // who is told outside of the page; for the operator
}

// Health also works without a database: it is there to say so.
func (s *Server) Health(w http.ResponseWriter, r *http.Request) error {
	now, err := s.Reader.RecentHealth(r.Context())
	if err != nil {
		return err
	}
	p := healthPage{Base: s.Frame.Base(r, "Health"), Health: now, Before: lookup.CoverageDays - 1, Readers: s.Hub.Readers(), Dropped: s.Hub.Dropped(), Up: s.Now().Sub(s.started)}
	if p.Details = s.Operators.Sees(r); !p.Details {
		p.Health = now.Public()
	}
	p.Trouble = health.WorstFirst(p.Health.Parts)
	days, err := s.Reader.Coverage(r.Context(), lookup.Zone(r), lookup.CoverageDays)
	if err == nil {
		p.Aim, err = s.Reader.Objective(r.Context())
	}
	if err == nil {
		err = p.delay(r.Context(), s.Reader)
	}
	if err != nil {
		p.NoDays = true
	} else {
		p.Days, p.Today, p.Past = days, days[len(days)-1], together(days[:len(days)-1])
		p.Share, p.Median = shareChart(days), medianChart(days)
	}
	if p.Admin {
		p.Targets = s.targets()
	}
	w.Header().Set("Cache-Control", "no-store")
	return s.pages.Send(w, r, http.StatusOK, "health", p)
}

// delayRow is a stage of the way to the first clip, or a sum of stages.
type delayRow struct {
	Words       string
	Median, P90 time.Duration
}

func (p *healthPage) delay(ctx context.Context, from *lookup.Reader) error {
	figures, days, err := from.FirstClips(ctx)
	p.Last = days
	for _, f := range figures {
		p.Goals = max(p.Goals, f.Goals)
		p.Delay = append(p.Delay, delayRow{explain.UpperFirst(f.Words), time.Duration(f.Median * float64(time.Second)), time.Duration(f.P90 * float64(time.Second))})
	}
	return err
}

// together sums several days up; the median is that of all their goals.
func together(days []view.Coverage) view.Coverage {
	var m stats.Measure
	for _, d := range days {
		m = m.Plus(d.Measure)
	}
	return view.CoverageOf("", m)
}
