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

	"github.com/found-footy/found-footy/internal/world/clip"
	"github.com/found-footy/found-footy/internal/world/strip"
)

// frameSeen is what the model says of one frame.
type frameSeen struct {
	soccer, screen                 bool
	clock, added, stoppage, period any // string or nil
}

// readFrame decodes a data URL and reads the strip; a frame that cannot be read is no football to the model.
func readFrame(url string) (frameSeen, *strip.Reading, error) {
	head, body, ok := strings.Cut(url, ",")
	if !ok || !strings.HasPrefix(head, "data:image/") || !strings.HasSuffix(head, ";base64") {
		return frameSeen{}, nil, fmt.Errorf("image_url is not a base64 data URL of an image")
	}
	data, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		return frameSeen{}, nil, fmt.Errorf("image_url: %w", err)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return frameSeen{}, nil, fmt.Errorf("failed to decode image: %w", err)
	}
	r, ok := strip.Read(img)
	if !ok {
		return frameSeen{}, nil, nil
	}
	s := frameSeen{soccer: r.Soccer, screen: r.Screen, clock: text(clip.Clock(r)), stoppage: text(clip.SubClock(r)), period: text(r.Period)}
	if r.Added >= 0 {
		s.added = fmt.Sprintf("+%d", r.Added)
	}
	return s, &r, nil
}

// checksum is the same for the same picture.
func checksum(r *strip.Reading) uint32 {
	if r == nil {
		return 0
	}
	return crc32.ChecksumIEEE([]byte(fmt.Sprintf("%+v", *r)))
}

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
