package devtest_test

import (
	"os/exec"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/found-footy/found-footy/tools/devtest"
)

// TestAScriptRunsWhileOthersStart: of scripts written without the lock, one in twenty does not start.
func TestAScriptRunsWhileOthersStart(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				assert.NoError(t, exec.CommandContext(t.Context(), devtest.Script(t, "nothing", "exit 0\n")).Run())
			}
		})
	}
	all.Wait()
}
