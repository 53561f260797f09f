package pages

import (
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
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
	SetsUp  bool // there is a page of settings
	Trouble []health.Part
	Today   view.Coverage
	Before  int           // days before today that are shown
	Past    view.Coverage // those days, as one
	Aim     string        // how the objective fares; "" where none is set
	Days    []view.Coverage
	Delay   []delay.Figure // where the time to the first clips went
	Goals   int            // of which that is counted,
	Last    int            // of so many days
	Share   barChart
	Median  barChart
	Readers int
	Dropped uint64
	Up      time.Duration
	NoDays  bool
}

// Health also works without a database: it is there to say so.
func (s *Server) Health(w http.ResponseWriter, r *http.Request) error {
	now, err := s.Reader.RecentHealth(r.Context())
	if err != nil {
		return err
	}
	p := healthPage{Base: s.Frame.Base(r, "Health"), Health: now, Before: lookup.CoverageDays - 1, Readers: s.Hub.Readers(), Dropped: s.Hub.Dropped(), Up: s.Now().Sub(s.started), SetsUp: s.Setup != nil}
	if p.Details = s.Operators.Sees(r); !p.Details {
		p.Health = now.Public()
	}
	p.Trouble = health.WorstFirst(p.Health.Parts)
	days, err := s.Reader.Coverage(r.Context(), lookup.Zone(r), lookup.CoverageDays)
	if err == nil {
		p.Aim, err = s.Reader.Objective(r.Context())
	}
	if err == nil {
		p.Delay, p.Last, err = s.Reader.FirstClips(r.Context())
	}
	if err != nil {
		p.NoDays = true
	} else {
		p.Days, p.Today, p.Past = days, days[len(days)-1], together(days[:len(days)-1])
		p.Share, p.Median = shareChart(days), medianChart(days)
		for _, f := range p.Delay {
			p.Goals = max(p.Goals, f.Goals)
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	return s.pages.Send(w, r, http.StatusOK, "health", p)
}

// together sums several days up; the median is that of all their goals.
func together(days []view.Coverage) view.Coverage {
	var m stats.Measure
	for _, d := range days {
		m = m.Plus(d.Measure)
	}
	return view.CoverageOf("", m)
}

// barChart is drawn as SVG by the template. A day without goals has no bar; that differs from a bar of height 0.
type barChart struct {
	Bars          []bar
	Width, Height int
	Middle        int
	Top           string // what the full height means
	Empty         bool
	None          string // what to say when empty
}

type bar struct {
	X, Y, W, H int
	Label      string // for people and screen readers
	Day        string
	Tick       string // below the bar; "" where there is no room
	Last       bool
}

const (
	chartWidth, chartHeight = 600, 120
)

func newBarChart(days []view.Coverage, value func(view.Coverage) (float64, bool), label func(view.Coverage) string, top float64, topLabel, none string) barChart {
	p := barChart{Width: chartWidth, Height: chartHeight, Middle: chartHeight / 2, Top: topLabel, Empty: true, None: none}
	step := chartWidth / max(len(days), 1)
	for i, d := range days {
		v, ok := value(d)
		h := 0
		if ok && top > 0 {
			p.Empty = false
			h = max(int(math.Round(v/top*float64(chartHeight-4))), 2)
		}
		date, err := time.Parse(lookup.DateForm, d.Date)
		day := d.Date
		if err == nil {
			day = date.Format("2 Jan")
		}
		p.Bars = append(p.Bars, bar{X: i*step + 3, Y: chartHeight - h, W: step - 6, H: h, Label: day + ": " + label(d), Day: day, Last: i == len(days)-1})
		if (len(days)-1-i)%3 == 0 {
			p.Bars[i].Tick = day
		}
	}
	return p
}

func shareChart(days []view.Coverage) barChart {
	return newBarChart(days, func(d view.Coverage) (float64, bool) { return d.Share, d.Goals > 0 }, func(d view.Coverage) string {
		if d.Goals == 0 {
			return "no goals"
		}
		return fmt.Sprintf("%d of %d goals with a verified clip", d.Verified, d.Goals)
	}, 1, "100 %", "No goals yet.")
}

func medianChart(days []view.Coverage) barChart {
	top := 0.0
	for _, d := range days {
		top = max(top, d.MedianSeconds)
	}
	return newBarChart(days, func(d view.Coverage) (float64, bool) { return d.MedianSeconds, d.MedianSeconds > 0 }, func(d view.Coverage) string {
		if d.MedianSeconds == 0 {
			return "no clips"
		}
		return "first clip after " + explain.Span(d.Median)
	}, top, explain.Span(time.Duration(top*float64(time.Second))), "No clips yet.")
}
