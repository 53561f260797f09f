package media

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"math"
	"os"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/picture"
)

// cutter takes the JPEG stream apart and knows which sample each picture belongs to.
type cutter struct {
	wanted []int // sample numbers, ascending
	pics   []Frame
	n      int // sample number of the next picture
}

func newCutter(wanted []int) *cutter { return &cutter{wanted: wanted} }

// next is the first sample number at or after n that the select filter lets pass.
func (c *cutter) next(n int) int {
	for _, w := range c.wanted {
		if w >= n {
			return w
		}
	}
	return (n + spare - 1) / spare * spare
}

const (
	maxPics = 96      // one every 4 s of the longest decode, and the wanted ones
	maxJPEG = 4 << 20 // bytes of one picture
)

// read consumes the stream to its end. ffmpeg's JPEGs stuff every 0xff of the picture data, so the end marker is the
// end.
func (c *cutter) read(r io.Reader) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var pic bytes.Buffer
	for {
		b, err := in.ReadSlice(0xd9)
		pic.Write(b)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
				return nil
			}
			return err
		}
		if pic.Len() > maxJPEG || len(c.pics) > maxPics {
			_, err := io.Copy(io.Discard, in) // never block ffmpeg
			return err
		}
		data := pic.Bytes()
		if len(data) < 4 || data[len(data)-2] != 0xff || data[len(data)-1] != 0xd9 {
			continue
		}
		c.n = c.next(c.n)
		c.pics = append(c.pics, Frame{At: float64(c.n) / rate, JPEG: bytes.Clone(data)})
		c.n++
		pic.Reset()
	}
}

// pick returns, for each fraction of the samples really decoded, the nearest picture, each once, in time order.
func (c *cutter) pick(fractions []float64, samples int) []Frame {
	var out []Frame
	used := map[int]bool{}
	for _, n := range wantedIndices(float64(samples)/rate, fractions) {
		best, bestGap := -1, 0.0
		for i, p := range c.pics {
			gap := math.Abs(p.At - float64(n)/rate)
			if !used[i] && (best < 0 || gap < bestGap) {
				best, bestGap = i, gap
			}
		}
		if best >= 0 {
			used[best] = true
		}
	}
	for i, p := range c.pics {
		if used[i] {
			out = append(out, p)
		}
	}
	return out
}

// flat is the texture below which a picture shows nothing: black, a fade, a plain card.
const flat = 3.0

// poster chooses the frame people see first: the one nearest the middle that is not flat, else the richest.
func poster(frames []Frame, pix [][]byte) []byte {
	order := slices.Clone(frames)
	if len(frames) > 0 {
		middle := frames[len(frames)/2].At
		slices.SortStableFunc(order, func(a, b Frame) int { return cmp.Compare(math.Abs(a.At-middle), math.Abs(b.At-middle)) })
	}
	var best []byte
	bestTexture := -1.0
	for _, f := range order {
		tex := texture(pix[min(int(f.At*rate+0.5), len(pix)-1)])
		if tex >= flat {
			return f.JPEG
		}
		if tex > bestTexture {
			best, bestTexture = f.JPEG, tex
		}
	}
	return best
}

// texture is the mean brightness step between neighbours in a row.
func texture(pix []byte) float64 {
	sum := 0
	for y := range footy.SampleHeight {
		row := pix[y*footy.SampleWidth : (y+1)*footy.SampleWidth]
		for x := 1; x < len(row); x++ {
			sum += max(int(row[x])-int(row[x-1]), int(row[x-1])-int(row[x]))
		}
	}
	return float64(sum) / float64((footy.SampleWidth-1)*footy.SampleHeight)
}

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
