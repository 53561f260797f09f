// Command clockfont teaches the classifiers of clock digits and of the letters beside a clock: it draws glyphs in the fonts of Debian's packages, learns from some
// families and prints how well it reads families that it never saw. `make clockfont` runs it.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sort"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/recognize/clockface"
	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

type options struct {
	fonts, out string
	letters    bool
	seed       uint64
	total      int
	epochs     int
}

func main() {
	var o options
	flag.StringVar(&o.fonts, "fonts", typeface.Dir, "where the fonts are")
	flag.StringVar(&o.out, "out", "", "file to write the weights to; empty: only measure those in the program")
	flag.Uint64Var(&o.seed, "seed", 1, "of what is drawn and of the first weights")
	flag.IntVar(&o.total, "samples", 180000, "patches to learn from")
	flag.IntVar(&o.epochs, "epochs", 9, "times each of them is seen")
	flag.BoolVar(&o.letters, "letters", false, "the classifier of standing text, not that of the running digits")
	packages := flag.Bool("packages", false, "only list the packages of the fonts")
	flag.Parse()
	if *packages {
		fmt.Println(strings.Join(typeface.Packages(), " "))
		return
	}
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "clockfont:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	glyphs := o.kind().embedded
	if o.out != "" {
		data, err := train(o)
		if err != nil {
			return err
		}
		if err := os.WriteFile(o.out, data, 0o644); err != nil {
			return err
		}
		fmt.Printf("%d bytes of weights in %s\n\n", len(data), o.out)
		read, err := clockface.ParseGlyphs(data, o.kind().classes)
		if err != nil {
			return err
		}
		glyphs = func() *clockface.Glyphs { return read }
	}
	for _, split := range []typeface.Split{typeface.Limits, typeface.Judge} {
		if err := measure(o, split, glyphs()); err != nil {
			return err
		}
	}
	return nil
}

// kind is one of the two classifiers.
type kind struct {
	draw     draws
	sizes    []int // of the layers between patch and classes
	classes  int
	embedded func() *clockface.Glyphs
	read     func(*clockface.Glyphs, *clockface.Patch) int
	signs    int // classes from here on are no digit and no letter
}

func (o options) kind() kind {
	if o.letters {
		return kind{drawLetter, []int{256, 128}, clockface.LetterClasses, clockface.NewLetters,
			func(g *clockface.Glyphs, p *clockface.Patch) int { return g.ReadLetter(p).Best() }, clockface.Ordinal}
	}
	return kind{draw, []int{112, 48}, clockface.Classes, clockface.NewGlyphs, func(g *clockface.Glyphs, p *clockface.Patch) int { return g.Read(p).Best() }, clockface.Colon}
}

func train(o options) ([]byte, error) {
	faces, err := typeface.Load(o.fonts, typeface.Train)
	if err != nil {
		return nil, err
	}
	families := map[string]int{}
	for _, f := range faces {
		families[f.Family]++
	}
	started := time.Now()
	sum := 0.0 // as many of each family; those with many weights get somewhat more
	for _, n := range families {
		sum += math.Sqrt(float64(n))
	}
	drawn := make([][]sample, len(faces))
	var g errgroup.Group
	g.SetLimit(runtime.NumCPU())
	for i, f := range faces {
		g.Go(func() (err error) {
			drawn[i], err = samples(f, o.kind().draw, int(float64(o.total)/sum/math.Sqrt(float64(families[f.Family]))), rand.New(rand.NewPCG(o.seed, uint64(i))))
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	all := slices.Concat(drawn...)
	fmt.Printf("%d patches of %d fonts, %d families, drawn in %.0f s\n", len(all), len(faces), len(families), time.Since(started).Seconds())
	r := rand.New(rand.NewPCG(o.seed, 1<<40))
	n := newNetwork(r, slices.Concat([]int{clockface.PatchWidth * clockface.PatchHeight}, o.kind().sizes, []int{o.kind().classes})...)
	steps, step := o.epochs*(len(all)/batch), 0
	rate := func(step int) float64 {
		return 0.0002 + 0.0018*(1+math.Cos(math.Pi*float64(step)/float64(steps)))/2*math.Min(1, float64(step)/300)
	}
	for e := range o.epochs {
		loss := n.epoch(all, r, rate, &step)
		fmt.Printf("epoch %d: loss %.3f, %.0f s\n", e+1, loss, time.Since(started).Seconds())
	}
	return n.pack(), nil
}

// measure prints how often single glyphs of families it never saw are read right, by family and by height.
func measure(o options, split typeface.Split, g *clockface.Glyphs) error {
	faces, err := typeface.Load(o.fonts, split)
	if err != nil {
		return err
	}
	type count struct{ right, all int }
	byFamily, total := map[string]*count{}, count{}
	var digits, none count
	for i, f := range faces {
		some, err := samples(f, o.kind().draw, 600, rand.New(rand.NewPCG(o.seed+77, uint64(i))))
		if err != nil {
			return err
		}
		if byFamily[f.Family] == nil {
			byFamily[f.Family] = &count{}
		}
		for _, s := range some {
			var p clockface.Patch
			s.unpack(&p)
			hit := 0
			if o.kind().read(g, &p) == int(s.class) {
				hit = 1
			}
			kind := &digits
			if int(s.class) >= o.kind().signs {
				kind = &none
			}
			for _, c := range []*count{byFamily[f.Family], &total, kind} {
				c.all++
				c.right += hit
			}
		}
	}
	part := func(c count) float64 { return 100 * float64(c.right) / float64(max(1, c.all)) }
	fmt.Printf("%s: %d families never seen, %d fonts: %.1f %% of digits and letters, %.1f %% of what is neither\n", split, len(byFamily), len(faces), part(digits), part(none))
	var lines []string
	for name, c := range byFamily {
		lines = append(lines, fmt.Sprintf("  %-16s %5.1f %%", name, part(*c)))
	}
	sort.Strings(lines)
	fmt.Println(strings.Join(lines, "\n"))
	return nil
}
