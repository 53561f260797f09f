package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

// clip is one clip to draw and what is true of it.
type clip struct {
	File     string  `json:"file"`
	Kind     string  `json:"kind"` // "clock", or what it shows in place of one
	Design   string  `json:"design"`
	Manner   string  `json:"manner"`
	Period   string  `json:"period"`
	Length   string  `json:"length"`
	Rate     int     `json:"rate"`
	CRF      int     `json:"crf"`
	Seconds  float64 `json:"seconds"`
	Start    float64 `json:"start"`    // what the clock says at the first frame
	From     float64 `json:"from"`     // when the graphic appears
	Digits   float64 `json:"digits"`   // height in lines of what is drawn
	Readable bool    `json:"readable"` // whether all of the clock is in the picture
	Score    [2]int  `json:"score"`
	Clubs    [2]club `json:"clubs"`
	Half     int     `json:"half"` // by its label; 0: none is shown
	Label    string  `json:"label"`
	Font     string  `json:"font"`

	seed   uint64
	face   typeface.Face
	design design
	manner manner
	added  int     // minutes of stoppage time that are shown
	turn   float64 // when names turn into codes
}

// period is a part of a match.
type period struct {
	name     string
	from, to float64 // minutes
	half     int
	added    bool
}

func periods() []period {
	return []period{
		{"first half", 10, 45, 1, false}, {"second half", 45, 90, 2, false}, {"under ten minutes", 0, 9.8, 1, false}, {"first half", 10, 45, 1, false},
		{"extra time", 100, 121, 0, false}, {"second half", 45, 90, 2, false}, {"stoppage time", 45, 50, 1, true}, {"stoppage time", 90, 97, 2, true},
	}
}

// length is between which seconds clips of a name last: the shortest that can be read lasts four.
type length struct {
	name     string
	from, to float64
}

func lengths() []length { return []length{{"4 s", 4, 4}, {"5 s", 5, 5}, {"longer", 6, 11}} }

// plan chooses n clips with a clock and m without, as many of each design and manner. A clip depends on its file's name and the seed only.
func plan(o options, faces []typeface.Face) []clip {
	some := slices.DeleteFunc(designs(), func(d design) bool { return !chosen(o.designs, d.name) })
	ways := slices.DeleteFunc(manners(), func(m manner) bool { return !chosen(o.manners, m.name) })
	kinds := slices.DeleteFunc(decoys(), func(d decoy) bool { return !chosen(o.kinds, d.kind) })
	var out []clip
	seen := map[string]int{}
	add := func(kind string, d design, m manner) {
		name := strings.NewReplacer(" ", "-", ",", "", "/", "").Replace(kind + "_" + d.name + "_" + m.name)
		out = append(out, newClip(o.seed, fmt.Sprintf("%s_%03d.mp4", name, seen[name]), kind, d, m, faces))
		seen[name]++
	}
	pairs := len(some) * len(ways)
	for i := 0; pairs > 0 && i < o.clips && chosen(o.kinds, clock); i++ {
		add(clock, some[i%len(some)], ways[(i/len(some)+i%len(some))%len(ways)])
	}
	ways = slices.DeleteFunc(ways, func(m manner) bool { return !m.decoys })
	for i := 0; len(kinds)*len(some)*len(ways) > 0 && i < o.decoys; i++ {
		k := i / len(kinds)
		add(kinds[i%len(kinds)].kind, some[(i+k)%len(some)], ways[k%len(ways)])
	}
	return out
}

// chosen reports whether a list with commas between has the name, or has none at all. Commas in names are left out of it.
func chosen(list, name string) bool {
	return list == "" || slices.Contains(strings.Split(list, ","), strings.ReplaceAll(name, ",", ""))
}

func newClip(seed uint64, file, kind string, g design, m manner, faces []typeface.Face) clip {
	d := roll(seed, file)
	k := clip{File: file, Kind: kind, Design: g.name, Manner: m.name, design: g, manner: m, seed: seed, Readable: m.cut == 0}
	k.Rate = []int{25, 25, 25, 25, 30, 30, 50, 60}[d.IntN(8)]
	k.CRF = 23 + d.IntN(8)
	l := lengths()[d.IntN(len(lengths()))]
	k.Length, k.Seconds = l.name, d.in(l.from, l.to)
	if l.from < l.to && d.IntN(5) == 0 {
		k.From = d.in(0.3, 2)
		k.Seconds += k.From
	}
	p := periods()[d.IntN(len(periods()))]
	k.Period, k.Start = p.name, d.in(p.from, p.to)*60
	if g.restarts && p.half == 2 {
		k.Period, k.Start = "restarted clock", k.Start-45*60
	}
	if p.added {
		k.added = 1 + d.IntN(9)
	}
	k.Digits = float64(m.lines) * d.in(0.022, 0.036)
	k.Score = [2]int{min(d.IntN(10), d.IntN(10)), min(d.IntN(10), d.IntN(10))}
	all := clubs()
	i := d.IntN(len(all))
	k.Clubs = [2]club{all[i], all[(i+1+d.IntN(len(all)-1))%len(all)]}
	if g.names && d.IntN(2) == 0 {
		k.turn = k.Seconds * d.in(0.2, 0.6)
	}
	var families []string
	for _, f := range faces {
		if !slices.Contains(families, f.Family) {
			families = append(families, f.Family)
		}
	}
	family := families[d.IntN(len(families))]
	of := slices.DeleteFunc(slices.Clone(faces), func(f typeface.Face) bool { return f.Family != family })
	k.face = of[d.IntN(len(of))]
	k.Font = k.face.File
	if g.restarts && p.half > 0 {
		can := slices.DeleteFunc(labels(), func(l [2]string) bool { return !k.face.Has(l[0] + l[1]) })
		k.Half, k.Label = p.half, can[d.IntN(len(can))][p.half-1]
	}
	return k
}

// words returns what the parts of a clip's graphic say at a moment.
func (k clip) words() func(text string, t float64) string {
	d := roll(k.seed, k.File, "words")
	short := k.design.short || d.IntN(6) == 0
	shown := func(float64) string { return "" }
	added := shown
	if k.added > 0 {
		added = func(float64) string { return fmt.Sprintf("+%d", k.added) }
	}
	switch k.Kind {
	case clock:
		shown = func(t float64) string { return clockText(k.Start+t, short) }
	default:
		for _, c := range decoys() {
			if c.kind == k.Kind {
				shown, added = c.says(k, d, short)
			}
		}
	}
	return func(text string, t float64) string {
		names := [2]string{k.Clubs[0].Code, k.Clubs[1].Code}
		if t < k.turn {
			names = [2]string{k.Clubs[0].Name, k.Clubs[1].Name}
		}
		return strings.NewReplacer("{clock}", shown(t), "{added}", added(t), "{label}", k.Label, "{home}", names[0], "{away}", names[1],
			"{h}", fmt.Sprint(k.Score[0]), "{a}", fmt.Sprint(k.Score[1])).Replace(text)
	}
}

// clockText writes seconds as broadcasters do.
func clockText(at float64, short bool) string {
	s := int(math.Floor(at))
	if short {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%02d:%02d", s/60, s%60)
}
