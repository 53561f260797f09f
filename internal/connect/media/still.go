package media

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"slices"

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
	var out bytes.Buffer
	args := slices.Concat([]string{"-v", "error"}, Threads(), t.input(), []string{"-ss", fmt.Sprintf("%.2f", t.bounded(probe.Duration)/2), "-an", "-sn", "-dn", "-i", arg(path),
		"-frames:v", "1", "-vf", pictureFilter(stillSide, stillSide), "-c:v", "mjpeg", "-q:v", "3", "-f", "image2pipe", "pipe:1"})
	if _, err := t.Run(ctx, Job{Op: op, Limit: t.opts.ProbeTimeout, Args: args, Out: &out}); err != nil {
		return nil, err
	}
	return Still(out.Bytes())
}
