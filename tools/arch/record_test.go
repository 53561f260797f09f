package arch_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestARecordedReleaseIsNotRecordedAgain asks make itself, which would play a day of a quarter of an hour first.
func TestARecordedReleaseIsNotRecordedAgain(t *testing.T) {
	t.Parallel()
	for release, refused := range map[string]bool{"1.0.0": true, "0.0.1": false} {
		cmd := exec.CommandContext(t.Context(), "make", "unrecorded", "RELEASE="+release)
		cmd.Dir = root(t)
		out, err := cmd.CombinedOutput()
		require.Equal(t, refused, err != nil, "%s: %s", release, out)
		if refused {
			require.Contains(t, string(out), "1.0.0 are recorded")
		}
	}
	makefile := read(t, "Makefile")
	require.Regexp(t, `(?m)^record: unrecorded `, makefile, "it comes first")
	require.NotRegexp(t, `[^>]> ?SHA256SUMS`, makefile, "sums of former releases are not computed anew")
}
