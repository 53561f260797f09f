package main

import "fmt"

const (
	clock    = "clock"
	mirrored = "mirrored clock"
)

// decoy is what is no valid clock: what it and the box of stoppage time beside it say.
type decoy struct {
	kind string
	says func(k clip, d dice, short bool) (clock, added func(t float64) string)
}

func decoys() []decoy {
	none := fixed("")
	alone := func(says func(float64) string) (clock, added func(float64) string) { return says, none }
	one := func(d dice, of ...string) func(float64) string { return fixed(of[d.IntN(len(of))]) }
	return []decoy{
		{"time of day", func(_ clip, d dice, _ bool) (clock, added func(float64) string) {
			return alone(fixed(fmt.Sprintf("%02d:%02d", d.IntN(24), d.IntN(60))))
		}},
		{"time of day with seconds", func(k clip, d dice, short bool) (clock, added func(float64) string) {
			h := fmt.Sprintf("%02d:", d.IntN(24))
			if short {
				h = fmt.Sprintf("%d:", d.IntN(24))
			}
			return alone(func(t float64) string { return h + clockText(float64(int(k.Start+t)%3600), false) })
		}},
		{"board", func(_ clip, d dice, _ bool) (clock, added func(float64) string) {
			return alone(one(d, "8888", "88:88", "+5", "2 0"))
		}},
		{"standing clock", func(_ clip, d dice, _ bool) (clock, added func(float64) string) {
			return alone(one(d, "45:00", "90:00", "67:12", "00:00"))
		}},
		{"stoppage timer", func(_ clip, d dice, short bool) (clock, added func(float64) string) {
			sign, start := []string{"+", "", "+"}[d.IntN(3)], d.in(0, 420)
			return one(d, "45:00", "90:00", "90:00", "105:00", "45:00"), func(t float64) string { return sign + clockText(start+t, short) }
		}},
		{"countdown", func(_ clip, d dice, short bool) (clock, added func(float64) string) {
			start := d.in(30, 1200)
			return alone(func(t float64) string { return clockText(start-t, short) })
		}},
		{"countdown in tenths", func(_ clip, d dice, _ bool) (clock, added func(float64) string) {
			start := d.in(20, 58)
			return alone(func(t float64) string { return fmt.Sprintf("%.1f", start-t) })
		}},
		{"shot clock", func(_ clip, d dice, _ bool) (clock, added func(float64) string) {
			start := d.in(18, 24)
			return alone(func(t float64) string { return fmt.Sprint(int(start - t)) })
		}},
		{"no clock", func(clip, dice, bool) (clock, added func(float64) string) { return none, none }},
		{mirrored, func(k clip, _ dice, short bool) (clock, added func(float64) string) {
			return alone(func(t float64) string { return clockText(k.Start+t, short) })
		}},
	}
}

func fixed(s string) func(float64) string { return func(float64) string { return s } }
