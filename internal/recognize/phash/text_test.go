package phash_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

func anyFingerprint() *rapid.Generator[footy.Fingerprint] {
	return rapid.Custom(func(rt *rapid.T) footy.Fingerprint {
		f := footy.Fingerprint{Version: footy.FingerprintVersion, Interval: footy.SampleInterval}
		for range rapid.IntRange(1, 30).Draw(rt, "samples") {
			var fr footy.Frame
			for i := range fr.Bits {
				fr.Bits[i] = rapid.Uint64().Draw(rt, "bits")
			}
			fr.Detail = rapid.Uint64Max(1<<56-1).Draw(rt, "detail")
			fr.Weight = rapid.Uint8().Draw(rt, "weight")
			f.Frames = append(f.Frames, fr)
		}
		f.Duration = float64(len(f.Frames)) * f.Interval
		return f
	})
}

func TestTheTextFormLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		f := anyFingerprint().Draw(rt, "fingerprint")
		got, err := phash.Parse(phash.Format(f))
		require.NoError(rt, err)
		require.Equal(rt, f, got)
		data, err := json.Marshal(f)
		require.NoError(rt, err)
		var back footy.Fingerprint
		require.NoError(rt, json.Unmarshal(data, &back))
		require.Equal(rt, f, back)
	})
}

func TestThePlainFormOfOtherTools(t *testing.T) {
	t.Parallel()
	f, err := phash.Parse("dense:0.25:0.00=00000000000000ff,0.25=ffffffffffffffff")
	require.NoError(t, err)
	require.Equal(t, phash.SimpleVersion, f.Version)
	require.Equal(t, uint64(0xff), f.Frames[0].Bits[0])
	require.Equal(t, "dense:0.25:0.00=00000000000000ff,0.25=ffffffffffffffff", phash.Format(f))
	own := footy.Fingerprint{Version: footy.FingerprintVersion, Interval: 0.25, Frames: f.Frames}
	require.False(t, phash.Compare(own, f).Same, "versions are never compared")
}

func TestBrokenTextsAreRefused(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "dense:", "sparse:0.25:", "dense:0:0=00", "dense:x:0.00=00000000000000ff", "dense:0.25:0.00=xyz",
		"dense:0.25:5.00=00000000000000ff", "dense:0.25:0.00=00000000000000ff,0.25=" + strings.Repeat("0", 80), "dense:NaN:", "dense:0.25:0.00"} {
		_, err := phash.Parse(s)
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), s)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("dense:0.25:0.00=00000000000000ff,0.25=ffffffffffffffff")
	f.Add("dense:0.25:0.00=" + strings.Repeat("a", 80))
	f.Fuzz(func(t *testing.T, s string) {
		fp, err := phash.Parse(s)
		if err != nil {
			return
		}
		again, err := phash.Parse(phash.Format(fp))
		require.NoError(t, err)
		require.Equal(t, fp.Frames, again.Frames)
	})
}

func TestParseNamesTheSample(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"dense:x:0.00=0123456789abcdef":                       "no sample interval",
		"dense:0.25:":                                         "sample 0",
		"dense:0.25:0.00=0123":                                "sample 0: no hash",
		"dense:0.25:0.00=0123456789abcdef,0.2":                "sample 1: \"0.2\" is not at 0.25 s",
		"dense:0.25:0.00=0123456789abcdef,0.25=0123456789abc": "sample 1: no hash",
		"  dense:0.25:9.00=0123456789abcdef":                  "sample 0",
	} {
		_, err := phash.Parse(text)
		require.ErrorContains(t, err, says)
	}
}
