package media

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/picture"
)

const (
	stillSide  = 320      // longest side of a still
	stillBytes = 20 << 10 // the largest a still may be: there is one for every post that was ever downloaded
)

// posterSide is the longest side of a poster.
const posterSide = 640

// Still makes a small picture of a larger one, for pages that show what was looked at: never more than 20 KB.
func Still(data []byte) ([]byte, error) {
	const op = "shrink picture"
	src, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, footy.Reject(op, footy.ReasonUnreadable, "%w", err)
	}
	for side := stillSide; side >= 80; side /= 2 {
		size := src.Bounds().Size()
		if longest := max(size.X, size.Y); longest > side {
			size = image.Pt(max(1, size.X*side/longest), max(1, size.Y*side/longest))
		}
		small := picture.Scale(src, size.X, size.Y)
		for _, quality := range []int{75, 55, 35} {
			out, err := picture.JPEG(small, quality)
			if err != nil {
				return nil, footy.Wrap(footy.CodeInvalid, op, err)
			}
			if len(out) <= stillBytes {
				return out, nil
			}
		}
	}
	return nil, footy.Reject(op, footy.ReasonTooLarge, "no size fits %d bytes", stillBytes)
}

// Glimpse cuts one small picture from the middle of a file that is not worth decoding: it was refused by its shape.
func (t *Tool) Glimpse(ctx context.Context, path string, probe footy.Probe) ([]byte, error) {
	const op = "cut picture"
	limited, cancel := t.within(ctx, t.opts.ProbeTimeout)
	defer cancel()
	args := append([]string{"-nostdin", "-v", "error", "-hide_banner", "-max_alloc", fmt.Sprint(t.opts.MaxAlloc), "-threads", "1", "-filter_threads", "1"}, t.input()...)
	args = append(args, "-ss", fmt.Sprintf("%.2f", t.bounded(probe.Duration)/2), "-an", "-sn", "-dn", "-i", arg(path), "-frames:v", "1",
		"-vf", fmt.Sprintf("scale=w='min(%d,iw)':h='min(%d,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2,format=yuvj420p", stillSide, stillSide),
		"-c:v", "mjpeg", "-q:v", "3", "-f", "image2pipe", "pipe:1")
	cmd, said := program.Command(limited, t.opts.FFmpeg, args...)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := t.start(cmd); err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	if err := cmd.Wait(); err != nil || out.Len() == 0 {
		return nil, failure(ctx, limited, op, said)
	}
	return Still(out.Bytes())
}
