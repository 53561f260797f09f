package stage_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/plan"
	"github.com/found-footy/found-footy/bench/chaos/stage"
	"github.com/found-footy/found-footy/tools/devtest"
)

// product is worker and page on a database, which the release before is started on.
func product(t *testing.T, former string, f plan.Fault) *stage.Stage {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "state"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "state", "footy.db"), []byte("of today"), 0o600))
	today := devtest.Script(t, "footy", `test "$1" = audit && exec rm -f state/footy.db-wal; echo "today's $1, dies at: $FOOTY_CRASH_AT"; exec sleep 600`)
	s, err := stage.Released(dir, today, devtest.Script(t, "footy", former), plan.Plan{Faults: []plan.Fault{f}, Steps: []string{"saved"}})
	require.NoError(t, err)
	require.NoError(t, s.StartProduct(t.Context()))
	t.Cleanup(func() {
		for _, name := range []string{plan.Worker, plan.Web} {
			p, err := s.Process(name)
			require.NoError(t, err)
			p.Stop()
		}
	})
	return s
}

func TestTheReleaseBeforeMustRefuseTheDatabase(t *testing.T) {
	t.Parallel()
	const refuses = "echo it was written by a newer version; "
	older := plan.Fault{Kind: plan.Older, Target: plan.State}
	for name, tc := range map[string]struct{ former, fails string }{
		"it refuses":                      {refuses + "exit 1", ""},
		"it runs":                         {"exit 0", "did not refuse the database"},
		"it writes":                       {refuses + "echo more >>state/footy.db; exit 1", "changed the database that it refused"},
		"something is in its way at once": {"test -e tried && { " + refuses + "exit 1; }; touch tried; echo the disk is full; exit 1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := product(t, tc.former, older)
			require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "state", "footy.db-wal"), nil, 0o600))
			err := s.Make(t.Context(), older)
			if tc.fails == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tc.fails)
			}
			requireStarts(t, s, 2, "today's")
		})
	}
}

// TestADayIsUpgraded: the release before knows not all steps that processes kill themselves at.
func TestADayIsUpgraded(t *testing.T) {
	t.Parallel()
	upgrade := plan.Fault{Kind: plan.Upgrade, Target: plan.State}
	s := product(t, `echo "former $1, dies at: $FOOTY_CRASH_AT"; exec sleep 600`, upgrade)
	requireStarts(t, s, 1, "former")
	require.NoError(t, s.Make(t.Context(), upgrade))
	requireStarts(t, s, 2, "today's")
	log, err := os.ReadFile(s.Log(plan.Worker))
	require.NoError(t, err)
	require.Regexp(t, `(?s)former worker, dies at: \n.*today's worker, dies at: saved\n`, string(log))
}

// requireStarts waits until worker and page were started so often, the last time by a release.
func requireStarts(t *testing.T, s *stage.Stage, n int, release string) {
	t.Helper()
	for _, name := range []string{plan.Worker, plan.Web} {
		p, err := s.Process(name)
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			log, err := os.ReadFile(s.Log(name))
			return err == nil && p.Starts() >= n && strings.Contains(string(log[strings.LastIndex(string(log), "start\n"):]), release+" "+name)
		}, time.Minute, 10*time.Millisecond)
	}
}
