package blob_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/keep/blob"
)

func TestMetadataSurvivesEncoding(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.String().Draw(t, "value")
		encoded := blob.EncodeMetadata(value)
		require.Equal(t, value, blob.DecodeMetadata(encoded))
		for _, c := range []byte(encoded) {
			require.True(t, c > ' ' && c < 0x7f, "%q goes into a header", encoded)
		}
	})
	require.Equal(t, "100% plain", blob.DecodeMetadata("100% plain"), "what somebody else wrote")
}

func TestCheckKeyTakesOurKeys(t *testing.T) {
	t.Parallel()
	for _, key := range []string{
		"clips/5000/5000_1_2_Goal_1/0123456789abcdef.mp4", blob.StagingPrefix + "ab/cdef", blob.PosterPrefix + "ü ö+&=#?.jpg", "a",
	} {
		require.NoError(t, blob.CheckKey("put", key))
	}
}
