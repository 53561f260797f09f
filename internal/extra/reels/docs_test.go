package reels_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/reels"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
	"github.com/found-footy/found-footy/internal/run/port"
)

var update = flag.Bool("update", false, "write the printed table")

func TestTheTableOfTimeOutsIsUpToDate(t *testing.T) {
	t.Parallel()
	part, err := reels.Extra().Worker(port.Core{}, port.Duty{})
	require.NoError(t, err)
	for _, a := range part.Activities {
		o := a.Row.Options("")
		require.Less(t, o.HeartbeatTimeout, o.StartToCloseTimeout, a.Name)
		require.Contains(t, policy.Queues(), o.TaskQueue, a.Name)
	}
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), "<!-- table -->\n")
	require.True(t, found)
	_, behind, found := strings.Cut(rest, "<!-- end -->")
	require.True(t, found)
	want := before + "<!-- table -->\n" + enginetest.Table(part.Activities) + "<!-- end -->" + behind
	if *update {
		require.NoError(t, os.WriteFile("README.md", []byte(want), 0o600))
		return
	}
	require.Equal(t, want, string(text), "run: go test ./internal/extra/reels -run TimeOuts -update")
}
