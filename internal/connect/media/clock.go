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
	"github.com/found-footy/found-footy/internal/recognize/picture"
)

// lumaLines is the height at which clocks are read at most: digits of a 1080-line broadcast are a dozen lines high then.
const lumaLines = 540

// lumaReader hands the brightness of the pictures to the clock reader, while the decoder goes on.
type lumaReader struct {
	w, h   int
	limit  int // looks at most
	reader *clockface.Reader
}

func (t *Tool) newLumaReader(probe footy.Probe, trace bool) *lumaReader {
	l := &lumaReader{limit: int(t.opts.MaxDuration.Seconds()*clockface.Rate) + 8}
	l.h = max(8, min(lumaLines, probe.Height)/2*2)
	l.w = max(16, int(math.Round(float64(l.h)*float64(probe.Width)/float64(max(1, probe.Height))/2))*2)
	l.w = min(l.w, 4*lumaLines)
	l.reader = clockface.NewReader(l.w, l.h, clockface.DefaultLimits())
	l.reader.Borrow(&t.looks)
	if trace {
		l.reader.KeepTrace()
	}
	return l
}

// filter takes the brightness out before it is made smaller: most clips need no scaling then, and none of their colours. Scaling to
// grey in one step, by area, cost more than the decode of a small clip.
func (l *lumaReader) filter() string {
	return fmt.Sprintf("format=yuv420p|yuvj420p|yuv422p|yuvj422p|yuv444p|yuvj444p|gray,extractplanes=y,scale=%d:%d:flags=bilinear", l.w, l.h)
}

func (l *lumaReader) read(r io.Reader) error {
	for range l.limit {
		look := l.reader.Buffer()
		if err := readWhole(r, look); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, os.ErrClosed) {
				return nil
			}
			return err
		}
		l.reader.Add(look)
	}
	return errEndless
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
