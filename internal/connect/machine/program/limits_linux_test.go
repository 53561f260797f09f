package program_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMemoryHasALimit(t *testing.T) {
	t.Parallel()
	out, _, err := run(t, ample, waitForLimits+"x=0123456789abcdef; while :; do x=$x$x; echo ${#x}; done")
	require.Error(t, err)
	require.Less(t, len(strings.Fields(out)), 25, "half a gigabyte at most, in a quarter of one")
}

func TestProcessorTimeHasALimit(t *testing.T) {
	t.Parallel()
	limits := ample
	limits.CPUSeconds = 1
	_, _, err := run(t, limits, "while :; do :; done")
	require.ErrorContains(t, err, "signal: killed")
}

func TestFilesHaveALimit(t *testing.T) {
	t.Parallel()
	out, _, err := run(t, ample, waitForLimits+"f=$0.large; head -c 5000000 /dev/zero >$f; wc -c <$f")
	require.NoError(t, err)
	require.Equal(t, "1048576", strings.TrimSpace(out))
}

// waitForLimits: they are set once a program runs, and these look for trouble at once.
const waitForLimits = "while ! grep -q 'open files  *64 ' /proc/$$/limits; do :; done\n"
