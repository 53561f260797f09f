package media

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/footy"
)

type probed struct {
	Streams []struct {
		Codec       string `json:"codec_name"`
		Width       int    `json:"width"`
		Height      int    `json:"height"`
		Shape       string `json:"sample_aspect_ratio"`
		AverageRate string `json:"avg_frame_rate"`
		BaseRate    string `json:"r_frame_rate"`
		Duration    string `json:"duration"`
		Bitrate     string `json:"bit_rate"`
		Disposition struct {
			Cover int `json:"attached_pic"`
		} `json:"disposition"`
		SideData []struct {
			Rotation float64 `json:"rotation"`
		} `json:"side_data_list"`
	} `json:"streams"`
	Format struct {
		Name     string `json:"format_name"`
		Duration string `json:"duration"`
		Bitrate  string `json:"bit_rate"`
	} `json:"format"`
}

const probeEntries = "format=format_name,duration,bit_rate" +
	":stream=codec_name,width,height,sample_aspect_ratio,avg_frame_rate,r_frame_rate,duration,bit_rate" +
	":stream_disposition=attached_pic:stream_side_data=rotation"

// Probe reads what the file says of itself. Width and height are those of the picture as people see it: rotation and
// sample shape applied. A file that cannot be a video is rejected with its reason.
func (t *Tool) Probe(ctx context.Context, path string) (footy.Probe, error) {
	const op = "probe file"
	size, err := stat(op, path)
	if err != nil {
		return footy.Probe{}, err
	}
	limited, cancel := t.within(ctx, t.opts.ProbeTimeout)
	defer cancel()
	args := append([]string{"-v", "error", "-hide_banner", "-max_alloc", strconv.Itoa(t.opts.MaxAlloc)}, t.input()...)
	args = append(args, "-select_streams", "V:0", "-show_entries", probeEntries, "-of", "json", "-i", arg(path))
	cmd, said := program.Command(limited, t.opts.FFprobe, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return footy.Probe{}, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	if err := t.start(cmd); err != nil {
		return footy.Probe{}, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	data, _ := io.ReadAll(io.LimitReader(out, 1<<20))
	if err := cmd.Wait(); err != nil {
		if ctx.Err() == nil && limited.Err() == nil && said.Has("moov atom not found") && isMP4(path) {
			return footy.Probe{}, footy.Reject(op, footy.ReasonTruncated, "an MP4 file without its index")
		}
		if kind := pictureKind(path); kind != "" && ctx.Err() == nil {
			return footy.Probe{}, footy.Reject(op, footy.ReasonUnreadable, "a still picture (%s), no video, whatever its name says", kind)
		}
		return footy.Probe{}, failure(ctx, limited, op, said)
	}
	var doc probed
	if err := json.Unmarshal(data, &doc); err != nil {
		return footy.Probe{}, footy.Reject(op, footy.ReasonUnreadable, "ffprobe's answer: %w", err)
	}
	return t.facts(op, doc, size)
}

func (t *Tool) facts(op string, doc probed, size int64) (footy.Probe, error) {
	if len(doc.Streams) == 0 || doc.Streams[0].Disposition.Cover != 0 {
		return footy.Probe{}, footy.Reject(op, footy.ReasonNoVideo, "no video stream in a %s file", doc.Format.Name)
	}
	s := doc.Streams[0]
	if s.Width <= 0 || s.Height <= 0 {
		return footy.Probe{}, footy.Reject(op, footy.ReasonUnreadable, "the video stream has no picture size: %s", s.Codec)
	}
	if s.Width*s.Height > t.opts.MaxPixels {
		return footy.Probe{}, footy.Reject(op, footy.ReasonTooLarge, "%dx%d pixels", s.Width, s.Height)
	}
	p := footy.Probe{
		Width: s.Width, Height: s.Height, Codec: s.Codec, Container: doc.Format.Name,
		Duration: number(s.Duration), Bitrate: int64(number(s.Bitrate)), FrameRate: ratio(s.AverageRate),
	}
	if p.FrameRate <= 0 {
		p.FrameRate = ratio(s.BaseRate)
	}
	if shape := ratio(strings.Replace(s.Shape, ":", "/", 1)); shape > 0.1 && shape < 10 {
		p.Width = int(math.Round(float64(p.Width) * shape))
	}
	for _, d := range s.SideData {
		if int(math.Abs(math.Round(d.Rotation)))%180 == 90 {
			p.Width, p.Height = p.Height, p.Width
			break
		}
	}
	if p.Duration <= 0 {
		p.Duration = number(doc.Format.Duration)
	}
	if p.Bitrate <= 0 {
		p.Bitrate = int64(number(doc.Format.Bitrate))
	}
	if p.Bitrate <= 0 && p.Duration > 0 {
		p.Bitrate = int64(float64(size) * 8 / p.Duration)
	}
	return p, nil
}

// isMP4 looks for the mark of an MP4 file: ffmpeg believes the name of a file that is none.
func isMP4(path string) bool {
	head := begins(path)
	return len(head) >= 8 && head[4:8] == "ftyp"
}

// pictureKind tells which kind of still picture a file is; empty: none that we know.
func pictureKind(path string) string {
	head := begins(path)
	switch {
	case strings.HasPrefix(head, "\x89PNG"):
		return "PNG"
	case strings.HasPrefix(head, "\xff\xd8\xff"):
		return "JPEG"
	case strings.HasPrefix(head, "RIFF") && strings.HasSuffix(head, "WEBP"):
		return "WebP"
	}
	return ""
}

// begins is the beginning of a file.
func begins(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	var head [12]byte
	if _, err := io.ReadFull(f, head[:]); err != nil {
		return ""
	}
	return string(head[:])
}

// number reads ffprobe's numbers, which are strings, "N/A" or absent.
func number(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) || f < 0 {
		return 0
	}
	return f
}

func ratio(s string) float64 {
	a, b, ok := strings.Cut(s, "/")
	if !ok {
		return number(s)
	}
	if d := number(b); d > 0 {
		return number(a) / d
	}
	return 0
}
