package footy

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// FingerprintVersion names the algorithm; sequences of different versions are never compared.
const FingerprintVersion = "ff3"

// The picture samples a fingerprint is built from: small grey pictures at a fixed rate. The shape is the same for
// every video, whatever its own; 144x72 divides evenly into the 9x8 and 8x9 cells of difference hashes. There are sixteen a second: real
// cameras change half the bits in a quarter of a second, and a copy is never sampled at the same moments as its original.
const (
	SampleWidth    = 144
	SampleHeight   = 72
	SampleInterval = 0.0625 // seconds
)

// Samples is what one decode of a video hands to phash.Build.
type Samples struct {
	Pix      [][]byte // SampleWidth*SampleHeight grey bytes each, row by row
	Interval float64  // seconds between samples
	Duration float64  // seconds really decoded
}

// Fingerprint is a perceptual hash sequence: one entry per sample of the picture, evenly spaced.
type Fingerprint struct {
	Version  string
	Interval float64 // seconds between samples
	Frames   []Frame
	Duration float64 // seconds
}

// Frame is the perceptual hash of one sample. Each Bits word is one variant: horizontal and vertical differences of
// the active picture (bars and frames around it cut off), then the same of its centre, so that a slightly cropped
// copy meets one of them. Mirrored variants are computed when comparing. Weight 0..255 says how much the sample may
// count: static, black and low-texture samples carry none.
type Frame struct {
	Bits   [4]uint64
	Detail uint64 // 56 bits: where, along each of seven rows, the picture changes most; moving players, not the pitch
	Weight uint8
}

// Empty reports whether there is nothing to compare.
func (f Fingerprint) Empty() bool { return len(f.Frames) == 0 }

// Seconds is how much of the video was sampled.
func (f Fingerprint) Seconds() float64 { return float64(len(f.Frames)) * f.Interval }

// StoredFingerprint is a fingerprint with what it belongs to.
type StoredFingerprint struct {
	ClipID      string      `json:"clip_id"`
	EventUID    string      `json:"event_uid"`
	FixtureID   int64       `json:"fixture_id"`
	Digest      string      `json:"digest"`
	Fingerprint Fingerprint `json:"fingerprint"`
	Seen        *Seen       `json:"seen,omitempty"` // what the clip shows; nil while its fixture is there to tell
}

// FingerprintRef says of which clip there is a fingerprint.
type FingerprintRef struct {
	ID        string // in the store
	EventUID  string
	FixtureID int64
}

// FrameBytes is what one sample of a fingerprint takes in storage.
const FrameBytes = 4*8 + 7 + 1

// fingerprintJSON packs the frames into one string: 64-bit words do not survive JSON numbers, and a stored clip costs
// a third of what a list of numbers would.
type fingerprintJSON struct {
	Version  string  `json:"version"`
	Interval float64 `json:"interval"`
	Duration float64 `json:"duration"`
	Frames   string  `json:"frames"`
}

// MarshalJSON implements json.Marshaler.
func (f Fingerprint) MarshalJSON() ([]byte, error) {
	buf := make([]byte, 0, len(f.Frames)*FrameBytes)
	for _, fr := range f.Frames {
		for _, w := range fr.Bits {
			buf = binary.BigEndian.AppendUint64(buf, w)
		}
		buf = binary.BigEndian.AppendUint64(buf, fr.Detail<<8|uint64(fr.Weight))
	}
	return json.Marshal(fingerprintJSON{f.Version, f.Interval, f.Duration, base64.StdEncoding.EncodeToString(buf)})
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *Fingerprint) UnmarshalJSON(data []byte) error {
	var in fingerprintJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	buf, err := base64.StdEncoding.DecodeString(in.Frames)
	if err != nil {
		return fmt.Errorf("decode fingerprint frames: %w", err)
	}
	if len(buf)%FrameBytes != 0 {
		return fmt.Errorf("decode fingerprint frames: %d bytes are no whole frames", len(buf))
	}
	*f = Fingerprint{Version: in.Version, Interval: in.Interval, Duration: in.Duration}
	for ; len(buf) > 0; buf = buf[FrameBytes:] {
		var fr Frame
		for i := range fr.Bits {
			fr.Bits[i] = binary.BigEndian.Uint64(buf[i*8:])
		}
		last := binary.BigEndian.Uint64(buf[4*8:])
		fr.Detail, fr.Weight = last>>8, uint8(last)
		f.Frames = append(f.Frames, fr)
	}
	return nil
}
