package media

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

type stream struct {
	Index       int    `json:"index"`
	Type        string `json:"codec_type"`
	Codec       string `json:"codec_name"`
	Tag         string `json:"codec_tag_string"`
	Width       int    `json:"width"`
	Height      int    `json:"height"`
	Shape       string `json:"sample_aspect_ratio"`
	Pixels      string `json:"pix_fmt"`
	Matrix      string `json:"color_space"`
	Transfer    string `json:"color_transfer"`
	Primaries   string `json:"color_primaries"`
	AverageRate string `json:"avg_frame_rate"`
	BaseRate    string `json:"r_frame_rate"`
	Duration    string `json:"duration"`
	Ticks       int64  `json:"duration_ts"`
	Disposition struct {
		Cover  int `json:"attached_pic"`
		Thumbs int `json:"timed_thumbnails"`
	} `json:"disposition"`
	SideData []struct {
		Rotation float64 `json:"rotation"`
	} `json:"side_data_list"`
}

// rate is how many pictures a second it says that it has.
func (s stream) rate() float64 {
	return cmp.Or(ratio(s.AverageRate), ratio(s.BaseRate))
}

type probed struct {
	Packets []packet `json:"packets"`
	Streams []stream `json:"streams"`
	Format  struct {
		Name     string `json:"format_name"`
		Duration string `json:"duration"`
		Start    string `json:"start_time"`
	} `json:"format"`
}

const probeEntries = "packet=stream_index,pts_time,dts_time,duration_time,size,flags:packet_side_data=side_data_type:format=format_name,duration,start_time" +
	":stream=index,codec_type,codec_name,codec_tag_string,width,height,sample_aspect_ratio,pix_fmt,color_space,color_transfer,color_primaries," +
	"avg_frame_rate,r_frame_rate,duration,duration_ts:stream_disposition=attached_pic,timed_thumbnails:stream_side_data_list"

// Probe reads what a file is, and its times as far as a decode goes. Width and height are those of the picture as people see it: rotation and
// sample shape applied. A file that cannot be a video is rejected with its reason.
func (t *Tool) Probe(ctx context.Context, path string) (footy.Probe, error) {
	p, err := t.probe(ctx, path)
	return p, t.blame(ctx, err, Wants{SamplesOnly: true}, p)
}

func (t *Tool) probe(ctx context.Context, path string) (footy.Probe, error) {
	const op = "probe file"
	if _, err := stat(op, path); err != nil {
		return footy.Probe{}, err
	}
	if kind := source.KindOf([]byte(begins(path))); kind == source.KindPicture || kind == source.KindText { // ffmpeg has no words for it, or takes it for a video
		return footy.Probe{}, footy.Reject(op, footy.ReasonUnreadable, "%s, no video, whatever its name says", kind)
	}
	limited, cancel := t.within(ctx, t.opts.ProbeTimeout)
	defer cancel()
	args := append([]string{"-v", "error", "-hide_banner", "-max_alloc", strconv.Itoa(t.opts.MaxAlloc)}, t.input()...)
	args = append(args, "-read_intervals", "%+"+t.most(), "-show_entries", probeEntries, "-of", "json=c=1", "-i", arg(path))
	cmd, said := program.Command(limited, t.opts.FFprobe, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return footy.Probe{}, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	if err := t.start(cmd); err != nil {
		return footy.Probe{}, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	data, _ := io.ReadAll(io.LimitReader(out, mostPackets))
	if err := cmd.Wait(); err != nil {
		if ctx.Err() == nil && limited.Err() == nil && said.Has("moov atom not found") && isMP4(begins(path)) {
			return footy.Probe{}, footy.Reject(op, footy.ReasonTruncated, "an MP4 file without its index")
		}
		return footy.Probe{}, failure(ctx, limited, op, said)
	}
	var doc probed
	if err := json.Unmarshal(data, &doc); err != nil {
		return footy.Probe{}, footy.Reject(op, footy.ReasonUnreadable, "ffprobe's answer: %w", err)
	}
	return t.facts(op, doc, said.Has(cut...))
}

// mostPackets is how many bytes ffprobe may answer: some 100 for each packet of a minute and a half.
const mostPackets = 10 << 20

func (t *Tool) facts(op string, doc probed, cut bool) (footy.Probe, error) {
	s, first := doc.video()
	if s == nil {
		return footy.Probe{}, footy.Reject(op, footy.ReasonNoVideo, "no video stream in a %s file", doc.Format.Name)
	}
	if slices.Contains([]string{"encv", "drmi"}, s.Tag) || slices.ContainsFunc(doc.Packets, packet.encrypted) {
		return footy.Probe{}, footy.Reject(op, footy.ReasonUnreadable, "the video is encrypted (DRM)")
	}
	if s.Width <= 0 || s.Height <= 0 {
		return footy.Probe{}, footy.Reject(op, footy.ReasonUnreadable, "the video stream has no picture size: %s", s.Codec)
	}
	if s.Width*s.Height > t.opts.MaxPixels {
		return footy.Probe{}, footy.Reject(op, footy.ReasonTooLarge, "%dx%d pixels", s.Width, s.Height)
	}
	p := footy.Probe{Width: s.Width, Height: s.Height, Codec: s.Codec, Container: doc.Format.Name, Stream: s.Index, Pixels: s.Pixels, Recolour: recolour(*s),
		FrameRate: s.rate()}
	if i := slices.IndexFunc(doc.Streams, func(s stream) bool { return s.Type == "audio" }); i >= 0 {
		p.Sound = cmp.Or(doc.Streams[i].Codec, "unknown")
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
	t.measure(&p, doc, *s, cut)
	p.Untold = p.Untold || !first // players show the first
	return p, nil
}

// pictures are codecs of single pictures. A stream of them beside a film is its cover, whatever its place.
var pictures = []string{"mjpeg", "png", "bmp", "gif", "webp", "tiff"}

// video is the stream that is the film, and whether it is the first that players show; nil if there is none. A much longer one is
// rather the film.
func (d probed) video() (film *stream, first bool) {
	longest := 0.0
	for i, s := range d.Streams {
		if s.Type != "video" || s.Disposition.Cover+s.Disposition.Thumbs > 0 {
			continue
		}
		moves := !slices.Contains(pictures, s.Codec)
		length, _, _ := span(d.Packets, s, d.restarts())
		switch {
		case film == nil || moves && slices.Contains(pictures, film.Codec):
			film, longest, first = &d.Streams[i], length, true
		case moves && length > 1.5*longest:
			film, longest, first = &d.Streams[i], length, false
		}
	}
	return film, first
}

// restarts reports whether its clock may begin anew on the way.
func (d probed) restarts() bool { return strings.HasPrefix(d.Format.Name, "mpeg") }

// recolour is the setparams filter's override of colour tags that ffmpeg converts nothing with (7 and later refuse them). Browsers play such
// 8-bit videos as usual; "" where there are none.
func recolour(s stream) string {
	var set []string
	if known := []string{"", "unknown", "gbr", "bt709", "fcc", "bt470bg", "smpte170m", "smpte240m", "bt2020nc"}; !slices.Contains(known, s.Matrix) {
		set = append(set, "colorspace=bt709")
	}
	if strings.HasPrefix(s.Transfer, "reserved") {
		set = append(set, "color_trc=bt709")
	}
	if strings.HasPrefix(s.Primaries, "reserved") {
		set = append(set, "color_primaries=bt709")
	}
	return strings.Join(set, ":")
}

// isMP4 looks for the mark of an MP4 file: ffmpeg believes the name of a file that is none.
func isMP4(head string) bool { return len(head) >= 8 && head[4:8] == "ftyp" }

// begins is the beginning of a file.
func begins(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := io.ReadFull(f, head)
	return string(head[:n])
}

func number(s string) float64 {
	f, _ := seconds(s)
	return max(0, f)
}

// seconds reads a time, which may lie before the beginning.
func seconds(s string) (float64, bool) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
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

// packet is the place in time of a coded picture; what is not known is "N/A".
type packet struct {
	Stream   int    `json:"stream_index"`
	PTS      string `json:"pts_time"`
	DTS      string `json:"dts_time"`
	Duration string `json:"duration_time"`
	Size     string `json:"size"`
	Flags    string `json:"flags"`
	SideData []struct {
		Type string `json:"side_data_type"`
	} `json:"side_data_list"`
}

// encrypted reports whether a packet comes with how its key is used.
func (k packet) encrypted() bool {
	return len(k.SideData) > 0 && k.SideData[0].Type == "Encryption info"
}

// cut is how ffmpeg's readers complain of a file that ends before its header says.
var cut = []string{"partial file", "stream 0, offset", "File ended prematurely"}

// unknown is how an MP4 file says that it does not know how long it is (ISO 14496-12): all ones.
const unknown = math.MaxUint32

// jump is the step in time, in seconds, behind which a stream of pieces begins its clock anew.
const jump = 10

// measure finds out how long a video is by the times of its pictures. Its header is believed only where reading ended before the video did: at
// the bound of a decode, or where bytes are missing.
func (t *Tool) measure(p *footy.Probe, doc probed, s stream, cut bool) {
	said := number(s.Duration)
	if s.Ticks == unknown {
		said = 0
	} else if said <= 0 {
		said = number(doc.Format.Duration)
	}
	length, begin, size := span(doc.Packets, s, doc.restarts())
	p.Duration = length
	if length > 0 { // headers that err about the length err about this, too
		p.Bitrate = int64(8 * size / length)
	}
	p.Untimed = slices.ContainsFunc(doc.Packets, func(k packet) bool { _, ok := seconds(k.PTS); return k.Stream == s.Index && !ok })
	bounded := length > 0.8*t.opts.MaxDuration.Seconds()
	if length > 0 && said > length && (cut || bounded) {
		p.Duration = said
	}
	p.Untold = !bounded && math.Abs(number(doc.Format.Duration)-length) > 1+0.1*length
	p.Start = max(0, begin-number(doc.Format.Start))
}

// span is how long the pictures of a stream last, when the first one begins, and how many bytes they have.
func span(packets []packet, s stream, restarts bool) (length, begin, size float64) {
	low, last, step := math.Inf(1), math.Inf(-1), 0.0
	if rate := s.rate(); rate > 0 {
		step = math.Min(1, 1/rate)
	}
	for _, k := range packets {
		at, ok := seconds(k.PTS)
		if !ok {
			at, ok = seconds(k.DTS)
		}
		if k.Stream != s.Index || !ok || strings.Contains(k.Flags, "D") { // an edit list discards it
			continue
		}
		if restarts && !math.IsInf(last, 0) && math.Abs(at-last) > jump {
			length, low, last = length+last-low+step, at, at
		}
		if length == 0 {
			begin = math.Min(low, at)
		}
		low, last, size = math.Min(low, at), math.Max(last, at), size+number(k.Size)
		if d := number(k.Duration); d > 0 {
			step = math.Min(1, d)
		}
	}
	if math.IsInf(last, 0) {
		return length, begin, size
	}
	return length + last - low + step, begin, size
}
