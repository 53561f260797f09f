package model

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"image"
	_ "image/jpeg" // the frames come as JPEG
	_ "image/png"  // or PNG
	"strings"

	"github.com/found-footy/found-footy/internal/world/film/clip"
	"github.com/found-footy/found-footy/internal/world/film/sight"
	"github.com/found-footy/found-footy/internal/world/film/strip"
)

// frameSeen is what the model says of one frame.
type frameSeen struct {
	soccer, screen                 bool
	clock, added, stoppage, period any // string or nil
	shows                          any // "" is nothing of what was asked about
}

// picture is a data URL and the text that introduced it.
type picture struct{ label, url string }

// corners: enlarged cuts of the frames before it, which a viewer looks at beside them.
func (p picture) corners() bool { return strings.HasPrefix(p.label, "Corners") }

func (p picture) bytes() ([]byte, error) {
	head, body, ok := strings.Cut(p.url, ",")
	if !ok || !strings.HasPrefix(head, "data:image/") || !strings.HasSuffix(head, ";base64") {
		return nil, fmt.Errorf("image_url is not a base64 data URL of an image")
	}
	data, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		return nil, fmt.Errorf("image_url: %w", err)
	}
	return data, nil
}

func (p picture) decode() (image.Image, error) {
	data, err := p.bytes()
	if err != nil {
		return nil, err
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("failed to decode image: %w", err)
	}
	return img, nil
}

// read reads the strip of a frame; where there is none, it looks at the picture as such.
func (p picture) read() (frameSeen, *strip.Reading, error) {
	img, err := p.decode()
	if err != nil {
		return frameSeen{}, nil, err
	}
	r, ok := strip.Read(img)
	if !ok {
		look := sight.Look(img)
		s := frameSeen{soccer: look.Grass, screen: look.Grass && look.Room}
		return s.with(look.Clocks), nil, nil
	}
	s := frameSeen{soccer: r.Soccer, screen: r.Screen, clock: text(clip.Clock(r)), stoppage: text(clip.SubClock(r)), period: text(r.Period), shows: text(r.Shows)}
	if r.Added >= 0 {
		s.added = fmt.Sprintf("+%d", r.Added)
	}
	return s, &r, nil
}

// with adds printed clocks: the largest is that of the match, the next one its timer.
func (s frameSeen) with(clocks []sight.Text) frameSeen {
	if len(clocks) > 0 {
		s.clock = clocks[0].Text
	}
	if len(clocks) > 1 {
		s.stoppage = clocks[1].Text
	}
	return s
}

// rows are the clocks in enlarged corners, by the frame they were cut from: a row for each.
func (p picture) rows(frames int) ([][]sight.Text, error) {
	img, err := p.decode()
	if err != nil {
		return nil, err
	}
	out := make([][]sight.Text, frames)
	for _, c := range sight.Look(img).Clocks {
		row := min(c.Top*frames/img.Bounds().Dy(), frames-1)
		out[row] = append(out[row], c)
	}
	return out, nil
}

// checksum is the same for the same picture.
func checksum(r strip.Reading) uint32 { return crc32.ChecksumIEEE([]byte(fmt.Sprintf("%+v", r))) }

// misread makes a mistake real models make with clocks: the second timer is taken for the clock, a leading 9 is lost, or the
// clock is not seen at all.
func (s frameSeen) misread() frameSeen {
	clock, ok := s.clock.(string)
	switch {
	case !ok:
	case s.stoppage != nil:
		return s.timerAsClock()
	case strings.HasPrefix(clock, "9"):
		s.clock = "0" + clock[1:]
	default:
		s.clock = nil
	}
	return s
}

// timerAsClock sees the timer that runs in place of the clock that stands.
func (s frameSeen) timerAsClock() frameSeen {
	if s.stoppage != nil {
		s.clock, s.stoppage = s.stoppage, nil
	}
	return s
}

func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}
