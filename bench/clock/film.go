package main

import (
	"context"
	"fmt"
	"math"
	"os/exec"
	"strings"
)

// film draws the clip into an encoder.
func (k clip) film(ctx context.Context, to string) error {
	w, h := k.manner.lines*16/9/2*2, k.manner.lines
	d := roll(k.seed, k.File, "footage")
	f := newFootage(w, h, k.Seconds, d)
	g, err := k.graphic()
	if err != nil {
		return err
	}
	each := 1
	if k.Rate >= 50 && d.IntN(2) == 0 {
		each = 2 // frames doubled by a converter
	}
	column := 0
	if k.manner.cut > 0 {
		column = g.column(k.manner.cut) / 2 * 2
	}
	args := []string{"-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", fmt.Sprintf("%dx%d", w, h), "-r", fmt.Sprint(k.Rate), "-i", "-"}
	cmd := exec.CommandContext(ctx, "ffmpeg", append(append(args, k.manner.args(k.Kind == mirrored, column, k.CRF, k.Rate*(1+d.IntN(4)))...), to)...)
	said := &strings.Builder{}
	cmd.Stderr = said
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	p := newPicture(w, h)
	var fed error
	for n := 0; n < int(math.Round(k.Seconds*float64(k.Rate))) && fed == nil; n++ {
		if n%each == 0 {
			t := float64(n) / float64(k.Rate)
			f.frame(p, t)
			g.lay(p, t)
		}
		for _, b := range p.bytes() {
			if _, fed = in.Write(b); fed != nil {
				break
			}
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("ffmpeg: %w: %s", err, said)
	}
	return fed
}
