package web

import (
	"fmt"
	"math"
	"time"
)

// plot is a bar chart drawn as SVG by the template; a day without goals has no bar, which is not a bar of height 0.
type plot struct {
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
	plotWidth, plotHeight = 600, 120
)

func draw(days []coverageDay, value func(coverageDay) (float64, bool), say func(coverageDay) string, top float64, topSays, none string) plot {
	p := plot{Width: plotWidth, Height: plotHeight, Middle: plotHeight / 2, Top: topSays, Empty: true, None: none}
	step := plotWidth / max(len(days), 1)
	for i, d := range days {
		v, ok := value(d)
		h := 0
		if ok && top > 0 {
			p.Empty = false
			h = max(int(math.Round(v/top*float64(plotHeight-4))), 2)
		}
		date, err := time.Parse(dateForm, d.Date)
		day := d.Date
		if err == nil {
			day = date.Format("2 Jan")
		}
		p.Bars = append(p.Bars, bar{X: i*step + 3, Y: plotHeight - h, W: step - 6, H: h, Label: day + ": " + say(d), Day: day, Last: i == len(days)-1})
		if (len(days)-1-i)%3 == 0 {
			p.Bars[i].Tick = day
		}
	}
	return p
}

func sharePlot(days []coverageDay) plot {
	return draw(days, func(d coverageDay) (float64, bool) { return d.Share, d.Goals > 0 }, func(d coverageDay) string {
		if d.Goals == 0 {
			return "no goals"
		}
		return fmt.Sprintf("%d of %d goals with a verified clip", d.Verified, d.Goals)
	}, 1, "100 %", "No goals yet.")
}

func medianPlot(days []coverageDay) plot {
	top := 0.0
	for _, d := range days {
		top = max(top, d.MedianSeconds)
	}
	return draw(days, func(d coverageDay) (float64, bool) { return d.MedianSeconds, d.MedianSeconds > 0 }, func(d coverageDay) string {
		if d.MedianSeconds == 0 {
			return "no clips"
		}
		return "first clip after " + span(d.Median)
	}, top, span(time.Duration(top*float64(time.Second))), "No clips yet.")
}
