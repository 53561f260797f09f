package pages

import (
	"fmt"
	"math"
	"time"

	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

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
