package inspect

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clockface"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// ClipClock is the running clock of a clip, why none was read, or why the file could not be looked at: one of the three.
type ClipClock struct {
	File          string   `json:"file"`
	*RunningClock          // nil: none was read
	Abstained     string   `json:"abstained,omitempty"`
	Error         string   `json:"error,omitempty"`
	steps         []string // what was looked at, if asked for
}

// RunningClock is what was read of a clock. Zero is a value of each of its numbers.
type RunningClock struct {
	Readings   []ClockReading `json:"readings"`
	Seconds    int            `json:"-"`               // of the clock that the clip is long
	Speed      float64        `json:"speed"`           // seconds of the clock in a second of the clip
	Phase      float64        `json:"phase"`           // of the first tick, in seconds
	Confidence float64        `json:"confidence"`      // 0..1
	Score      string         `json:"score,omitempty"` // beside the clock, as 2-1, if it was read surely
	Codes      []string       `json:"codes,omitempty"` // words in capitals beside the clock that were read surely: ARS, CHE
}

// ClockReading is what the clock showed at a moment.
type ClockReading struct {
	At      float64 `json:"at"` // seconds into the clip, between two ticks
	Clock   string  `json:"clock"`
	seconds int
}

// Clock reads the running clock of a file. With a directory, the pictures of each step are written there. Only a file that
// cannot be looked at is reported in the answer; a machine that cannot look is an error.
func (c Clips) Clock(ctx context.Context, file, pictures string) (ClipClock, error) {
	out, err := c.clock(ctx, file, pictures)
	switch footy.CodeOf(err) {
	case footy.CodeRejected, footy.CodeNotFound, footy.CodeInvalid:
		return ClipClock{File: file, Error: fileTrouble(err)}, nil
	}
	return out, err
}

// fileTrouble says what is wrong with a file, without its name. What a program said of it is none of the words.
func fileTrouble(err error) string {
	_, said := errors.AsType[media.Complaint](err)
	reason := footy.ReasonOf(err)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file"
	case reason == footy.ReasonNone:
		return footy.RootCause(err)
	case said:
		return explain.Reason(reason)
	}
	return explain.Reason(reason) + ": " + footy.RootCause(err)
}

func (c Clips) clock(ctx context.Context, file, pictures string) (ClipClock, error) {
	out := ClipClock{File: file}
	probe, err := c.Media.Probe(ctx, file)
	if err != nil {
		return out, err
	}
	d, err := c.Media.Decode(ctx, file, probe, media.Wants{SamplesOnly: true, Clock: true, ClockTrace: pictures != ""})
	if err != nil {
		return out, err
	}
	out.Abstained = string(d.Clock.Abstained)
	out.RunningClock = runningClock(d.Clock)
	if pictures == "" {
		return out, nil
	}
	if err := os.MkdirAll(pictures, 0o755); err != nil {
		return out, footy.Errorf(footy.CodeUnavailable, "write pictures", "%w", err)
	}
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	for i, s := range d.Trace.Steps {
		path := filepath.Join(pictures, fmt.Sprintf("%s-%02d.png", name, i+1))
		if err := drawStep(path, s); err != nil {
			return out, footy.Errorf(footy.CodeUnavailable, "write pictures", "%w", err)
		}
		out.steps = append(out.steps, fmt.Sprintf("%s: from %.1f s, at %.0f,%.0f of the reduced picture\n    units %s", path, s.At, s.Place.X, s.Place.Y, s.Units))
		if s.Left != "" {
			out.steps = append(out.steps, "    "+s.Left)
		}
		if s.Result != "" {
			out.steps = append(out.steps, "    "+s.Result)
		}
	}
	return out, nil
}

func runningClock(a clockface.Answer) *RunningClock {
	if len(a.Readings) == 0 {
		return nil
	}
	out := &RunningClock{Seconds: a.Seconds, Speed: rounded(a.Speed), Phase: rounded(a.Phase), Confidence: rounded(a.Confidence), Codes: a.Codes}
	for _, r := range a.Readings {
		out.Readings = append(out.Readings, ClockReading{rounded(r.At), fmt.Sprintf("%02d:%02d", r.Clock/60, r.Clock%60), r.Clock})
	}
	if s := a.Score; s != nil {
		out.Score = fmt.Sprintf("%d-%d", s.Left, s.Right)
	}
	return out
}

// drawStep draws what the reader saw of a place: a line for each second, four times as large, its unit digit framed.
func drawStep(path string, s clockface.Step) error {
	const times = 4
	if len(s.Strip) == 0 {
		return nil
	}
	w, h := s.Strip[0].W, s.Strip[0].H
	img := image.NewRGBA(image.Rect(0, 0, w*times, len(s.Strip)*(h+1)*times))
	for n, p := range s.Strip {
		top := n * (h + 1) * times
		cell := image.Rect(int(s.Cell.X*times), top+int(s.Cell.Y*times), int((s.Cell.X+s.Cell.W)*times), top+int((s.Cell.Y+s.Cell.H)*times))
		for y := range h * times {
			for x := range w * times {
				v := byte(p.Pix[y/times*w+x/times])
				shade := color.RGBA{v, v, v, 255}
				if at := image.Pt(x, top+y); at.In(cell) && !at.In(cell.Inset(1)) {
					shade = color.RGBA{255, 60, 60, 255}
				}
				img.SetRGBA(x, top+y, shade)
			}
		}
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := png.Encode(f, img); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// jump is where the clock first goes on with another time than the one that its speed leads to.
func (c *RunningClock) jump() (at float64, ok bool) {
	for i, r := range c.Readings[1:] {
		before := c.Readings[i]
		if math.Abs(float64(r.seconds-before.seconds)-c.Speed*(r.At-before.At)) > 3 {
			return r.At, true
		}
	}
	return 0, false
}

// String is for people.
func (c ClipClock) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", c.File)
	switch {
	case c.Error != "":
		return fmt.Sprintf("%s: %s\n", c.File, c.Error)
	case c.RunningClock != nil:
		n := len(c.Readings)
		first, last := c.Readings[0], c.Readings[n-1]
		fmt.Fprintf(&b, "clock %s at %.1f s to %s at %.1f s, read in %d of %d seconds (speed %.2f, first tick %.2f s, confidence %.2f)", first.Clock, first.At, last.Clock, last.At, n, c.Seconds, c.Speed, c.Phase, c.Confidence)
		if at, jumps := c.jump(); jumps {
			fmt.Fprintf(&b, "; it jumps at %.1f s", at)
		}
		if c.Score != "" {
			fmt.Fprintf(&b, ", score %s beside it", c.Score)
		}
		if len(c.Codes) > 0 {
			fmt.Fprintf(&b, ", %s beside it", strings.Join(c.Codes, " "))
		}
		b.WriteByte('\n')
	default:
		fmt.Fprintf(&b, "no clock was read: %s\n", clockface.Reason(c.Abstained).Words())
	}
	for _, s := range c.steps {
		fmt.Fprintf(&b, "  %s\n", s)
	}
	return b.String()
}
