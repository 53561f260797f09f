package media

import (
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"time"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clockface"
	"github.com/found-footy/found-footy/internal/recognize/phash"
	"github.com/found-footy/found-footy/internal/recognize/picture"
)

// Clocks are read in broadcasts of about so many lines: digits of a 1080-line broadcast are a dozen lines high then. Smaller ones are
// enlarged, or their digits lie between the pixels.
const (
	lumaLines   = 540
	lumaColumns = lumaLines * 16 / 9
	mostEnlarge = 3
	placing     = 3 * clockface.Rate // looks in which the broadcast is searched within a frame that is higher than one
)

// lumaReader hands the brightness of the pictures to the clock reader, while the decoder goes on.
type lumaReader struct {
	w, h   int // of a look
	scaler string
	limit  int // looks at most
	begin  func(w, h int) *clockface.Reader
	reader *clockface.Reader // nil until the broadcast is found

	waiting     [][]byte // looks until then
	top, bottom int      // lines between which it lies; 0, 0: the whole look is read as it is
	frame       []byte   // the look that is cut
	cut         [2]int   // size of what is cut out
}

func (t *Tool) newLumaReader(probe footy.Probe, trace bool) *lumaReader {
	l := &lumaReader{scaler: "bilinear", limit: int(t.opts.MaxDuration.Seconds()*clockface.Rate) + 8}
	l.begin = func(w, h int) *clockface.Reader {
		r := clockface.NewReader(w, h, clockface.DefaultLimits())
		r.Borrow(&t.looks)
		if trace {
			r.KeepTrace()
		}
		return r
	}
	across, down := max(1, probe.Width), max(1, probe.Height)
	if 3*down <= 2*across && down < lumaLines || 3*down > 2*across && across < lumaColumns {
		l.scaler = "bicubic" // sharper where it enlarges, and dearer
	}
	even := func(of, by, per int) int { return int(math.Round(float64(of)*float64(by)/float64(per)/2)) * 2 }
	if l.h = max(8, min(lumaLines, mostEnlarge*down)/2*2); 3*down <= 2*across {
		l.w = min(max(16, even(l.h, across, down)), 4*lumaLines)
		l.reader = l.begin(l.w, l.h)
		return l
	}
	l.w = max(16, min(lumaColumns, mostEnlarge*across)/2*2)
	if l.h = even(l.w, down, across); l.h > 4*lumaLines {
		l.w, l.h = max(16, even(4*lumaLines, across, down)), 4*lumaLines
	}
	return l
}

// filter takes the brightness out before its size is changed: most clips need none of their colours. Scaling to grey in one step, by area,
// cost more than the decode of a small clip.
func (l *lumaReader) filter() string {
	return fmt.Sprintf("format=yuv420p|yuvj420p|yuv422p|yuvj422p|yuv444p|yuvj444p|gray,extractplanes=y,scale=%d:%d:flags=%s", l.w, l.h, l.scaler)
}

func (l *lumaReader) read(r io.Reader) error {
	for range l.limit {
		look := l.frame
		switch {
		case l.reader == nil:
			look = make([]byte, l.w*l.h)
		case look == nil:
			look = l.reader.Buffer()
		}
		if err := readWhole(r, look); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, os.ErrClosed) {
				if l.reader == nil {
					l.place()
				}
				return nil
			}
			return err
		}
		switch {
		case l.reader == nil:
			if l.waiting = append(l.waiting, look); len(l.waiting) == placing {
				l.place()
			}
		case l.frame != nil:
			l.add(look)
		default:
			l.reader.Add(look)
		}
	}
	return errEndless
}

// place finds the broadcast in the looks that wait, and has them read.
func (l *lumaReader) place() {
	var samples [][]byte
	for _, look := range l.waiting {
		samples = append(samples, make([]byte, footy.SampleWidth*footy.SampleHeight))
		average(look, l.w, samples[len(samples)-1], footy.SampleWidth, footy.SampleHeight)
	}
	from, to := phash.Footage(samples)
	l.top, l.bottom = int(from*float64(l.h)), int(math.Ceil(to*float64(l.h)))
	square := max(1, int(math.Round(float64(l.bottom-l.top)/lumaLines)))
	l.cut = [2]int{l.w / square, (l.bottom - l.top) / square}
	l.reader, l.frame = l.begin(l.cut[0], l.cut[1]), make([]byte, l.w*l.h)
	for _, look := range l.waiting {
		l.add(look)
	}
	l.waiting = nil
}

// add hands on what shows the broadcast.
func (l *lumaReader) add(look []byte) {
	to := l.reader.Buffer()
	average(look[l.top*l.w:l.bottom*l.w], l.w, to, l.cut[0], l.cut[1])
	l.reader.Add(to)
}

// average brings a picture to a smaller size: each pixel is the mean of those that it stands for.
func average(pix []byte, w int, to []byte, tw, th int) {
	h := len(pix) / w
	if w == tw && h == th {
		copy(to, pix)
		return
	}
	for y := range th {
		y0, y1 := y*h/th, max(y*h/th+1, (y+1)*h/th)
		for x := range tw {
			x0, x1 := x*w/tw, max(x*w/tw+1, (x+1)*w/tw)
			sum := 0
			for j := y0; j < y1; j++ {
				for _, v := range pix[j*w+x0 : j*w+x1] {
					sum += int(v)
				}
			}
			to[y*tw+x] = byte(sum / ((x1 - x0) * (y1 - y0)))
		}
	}
}

// readWhole waits until a picture begins, and a little more. ffmpeg writes it in pieces of 32 kB, and who reads each of them as it comes
// has both processors spin on the lock of the pipe. Meanwhile the rest lies in the pipe, and ffmpeg goes on.
func readWhole(r io.Reader, look []byte) error {
	n, err := r.Read(look)
	if err == nil && n < len(look) {
		<-time.After(time.Millisecond)
		_, err = io.ReadFull(r, look[n:])
	}
	return err
}

// startWith starts a program whose outputs from pipe 3 on are read side by side, and returns how each reading ended.
func (t *Tool) startWith(cmd *program.Cmd, side []func(io.Reader) error) (<-chan error, error) {
	ended := make(chan error, len(side))
	var ours []*os.File
	for range side {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(ours, cmd.ExtraFiles)
			return nil, err
		}
		widen(w)
		ours, cmd.ExtraFiles = append(ours, r), append(cmd.ExtraFiles, w)
	}
	if err := t.start(cmd); err != nil {
		closeAll(ours, cmd.ExtraFiles)
		return nil, err
	}
	closeAll(cmd.ExtraFiles)
	for i, read := range side {
		go func() {
			defer ours[i].Close()
			err := read(ours[i])
			if err != nil {
				_, _ = io.Copy(io.Discard, ours[i]) // or ffmpeg would block on the pipe nobody reads
			}
			ended <- err
		}()
	}
	return ended, nil
}

func closeAll(files ...[]*os.File) {
	for _, some := range files {
		for _, f := range some {
			f.Close()
		}
	}
}

// shownSeconds is how many seconds of a clock its picture shows at most.
const shownSeconds = 6

// ClockPicture is a JPEG of what was read of a clock: its place in some seconds, one below the other, enlarged. Nil if nothing was read.
func ClockPicture(a clockface.Answer) ([]byte, error) {
	seconds := a.Shown
	if len(seconds) == 0 {
		return nil, nil
	}
	const times, gap = 3, 2
	n := min(len(seconds), shownSeconds)
	w, h := seconds[0].W, seconds[0].H
	all := image.NewGray(image.Rect(0, 0, w*times, n*(h*times+gap)-gap))
	for i, p := range seconds[:n] {
		for y := range h * times {
			row := all.Pix[(i*(h*times+gap)+y)*all.Stride:]
			for x := range w * times {
				row[x] = byte(min(255, max(0, p.Pix[y/times*w+x/times])))
			}
		}
	}
	out, err := picture.JPEG(all, 70)
	return out, footy.Wrap(footy.CodeInvalid, "show clock", err)
}
