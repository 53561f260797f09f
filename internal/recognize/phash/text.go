package phash

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// SimpleVersion names sequences of one plain 64-bit hash per sample, as other tools write them.
const SimpleVersion = "dense"

const (
	simpleDigits = 16           // one word
	fullDigits   = 4*16 + 16    // four words, the detail and the weight
	maxSamples   = 60 * 60 * 16 // no text may make us allocate more than an hour of samples
)

// Format writes a fingerprint in the text form "dense:<interval>:<time>=<hash>,...". Hashes of our own version have 80
// hex digits (four words, detail and weight), plain ones 16.
func Format(f footy.Fingerprint) string {
	var b strings.Builder
	b.WriteString("dense:" + strconv.FormatFloat(f.Interval, 'g', -1, 64) + ":")
	for i, fr := range f.Frames {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%.2f=%016x", float64(i)*f.Interval, fr.Bits[0])
		if f.Version != SimpleVersion {
			fmt.Fprintf(&b, "%016x%016x%016x%014x%02x", fr.Bits[1], fr.Bits[2], fr.Bits[3], fr.Detail, fr.Weight)
		}
	}
	return b.String()
}

// Parse reads the text form. Sequences of simple hashes come back as SimpleVersion, which is never compared with our own.
func Parse(text string) (footy.Fingerprint, error) {
	wrong := func(format string, args ...any) (footy.Fingerprint, error) {
		return footy.Fingerprint{}, footy.Errorf(footy.CodeInvalid, "parse fingerprint", format, args...)
	}
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "dense:")
	if !ok {
		return wrong("it does not begin with dense:")
	}
	head, body, ok := strings.Cut(rest, ":")
	interval, err := strconv.ParseFloat(head, 64)
	if !ok || err != nil || !(interval > 0.001 && interval <= 60) {
		return wrong("no sample interval in %.20q", rest)
	}
	entries := strings.Split(body, ",")
	if len(entries) > maxSamples {
		return wrong("%d samples are too many", len(entries))
	}
	f := footy.Fingerprint{Interval: interval, Duration: float64(len(entries)) * interval}
	for i, e := range entries {
		when, hash, ok := strings.Cut(strings.TrimSpace(e), "=")
		t, err := strconv.ParseFloat(when, 64)
		if !ok || err != nil || t < (float64(i)-0.5)*interval || t > (float64(i)+0.5)*interval {
			return wrong("sample %d: %.20q is not at %.2f s", i, e, float64(i)*interval)
		}
		fr, version, err := parseFrame(hash)
		if err != nil {
			return wrong("sample %d: no hash in %.20q, %d or %d hex digits are needed", i, hash, simpleDigits, fullDigits)
		}
		if i > 0 && f.Version != version {
			return wrong("sample %d: a hash of version %q after some of version %q", i, version, f.Version)
		}
		f.Version = version
		f.Frames = append(f.Frames, fr)
	}
	return f, nil
}

func parseFrame(hash string) (fr footy.Frame, version string, err error) {
	switch len(hash) {
	case simpleDigits:
		fr.Weight = 255
		fr.Bits[0], err = strconv.ParseUint(hash, 16, 64)
		return fr, SimpleVersion, err
	case fullDigits:
		for k := range fr.Bits {
			if fr.Bits[k], err = strconv.ParseUint(hash[k*16:k*16+16], 16, 64); err != nil {
				return fr, "", err
			}
		}
		last, err := strconv.ParseUint(hash[64:], 16, 64)
		fr.Detail, fr.Weight = last>>8, uint8(last)
		return fr, footy.FingerprintVersion, err
	}
	return fr, "", fmt.Errorf("%d digits", len(hash))
}
