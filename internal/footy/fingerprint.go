package footy

// FingerprintVersion names the algorithm; sequences of different versions are never compared.
const FingerprintVersion = "ff1"

// Fingerprint is a perceptual hash sequence: one entry per sample of the picture, evenly spaced.
type Fingerprint struct {
	Version  string  `json:"version"`
	Interval float64 `json:"interval"` // seconds between samples
	Frames   []Frame `json:"frames"`
	Duration float64 `json:"duration"` // seconds
}

// Frame is the perceptual hash of one sample. Each Bits word is one variant (horizontal and vertical differences,
// full and active picture area); mirrored variants are computed when comparing. Weight 0..255 says how much the sample
// may count: static, black and low-texture samples carry none.
type Frame struct {
	Bits   [4]uint64 `json:"b"`
	Weight uint8     `json:"w"`
}

// StoredFingerprint is a fingerprint with what it belongs to.
type StoredFingerprint struct {
	ClipID      string      `json:"clip_id"`
	EventUID    string      `json:"event_uid"`
	FixtureID   int64       `json:"fixture_id"`
	Digest      string      `json:"digest"`
	Fingerprint Fingerprint `json:"fingerprint"`
}
