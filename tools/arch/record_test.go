package arch_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARecordedReleaseIsNotRecordedAgain(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "scripts/record", "1.0.0")
	cmd.Dir = root(t)
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "1.0.0 are recorded")
	require.NotRegexp(t, `[^>]> ?SHA256SUMS`, read(t, "scripts/record"), "sums of former releases are not computed anew")
}
