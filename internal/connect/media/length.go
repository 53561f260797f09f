package media

import (
	"math"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// packet is the place in time of a coded picture; what is not known is "N/A".
type packet struct {
	Stream   int    `json:"stream_index"`
	PTS      string `json:"pts_time"`
	DTS      string `json:"dts_time"`
	Duration string `json:"duration_time"`
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
	length, begin := span(doc.Packets, s.Index, p.FrameRate, strings.HasPrefix(doc.Format.Name, "mpeg"))
	p.Duration = length
	p.Untimed = slices.ContainsFunc(doc.Packets, func(k packet) bool { _, ok := seconds(k.PTS); return k.Stream == s.Index && !ok })
	bounded := length > 0.8*t.opts.MaxDuration.Seconds()
	if length > 0 && said > length && (cut || bounded) {
		p.Duration = said
	}
	p.Untold = !bounded && math.Abs(number(doc.Format.Duration)-length) > 1+0.1*length
	p.Start = max(0, begin-number(doc.Format.Start))
}

// span is how long the pictures of a stream last, and when the first one begins.
func span(packets []packet, stream int, rate float64, restarts bool) (length, begin float64) {
	low, last, step := math.Inf(1), math.Inf(-1), 0.0
	if rate > 0 {
		step = math.Min(1, 1/rate)
	}
	for _, k := range packets {
		at, ok := seconds(k.PTS)
		if !ok {
			at, ok = seconds(k.DTS)
		}
		if k.Stream != stream || !ok || strings.Contains(k.Flags, "D") { // an edit list discards it
			continue
		}
		if restarts && !math.IsInf(last, 0) && math.Abs(at-last) > jump {
			length, low, last = length+last-low+step, at, at
		}
		if length == 0 {
			begin = math.Min(low, at)
		}
		low, last = math.Min(low, at), math.Max(last, at)
		if d := number(k.Duration); d > 0 {
			step = math.Min(1, d)
		}
	}
	if math.IsInf(last, 0) {
		return length, begin
	}
	return length + last - low + step, begin
}
