package stage_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/plan"
	"github.com/found-footy/found-footy/bench/chaos/stage"
	"github.com/found-footy/found-footy/tools/devtest"
)

func TestARestoreMustBeRefusedWhileTheProductRuns(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ restore, fails string }{
		"it is":                            {"test -e refused && exit 0; touch refused; echo footy.db is in use by footy web; exit 1", ""},
		"it is not":                        {"exit 0", "replaced the database under process"},
		"something is in its way at first": {"test -e refused && exit 0; test -e tried && { touch refused; echo footy.db is in use by footy web; exit 1; }; touch tried; echo the disk is full; exit 1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			footy := devtest.Script(t, "footy", `test "$1" = backup && exit 0; test "$1" = restore && { `+tc.restore+`; }; echo "today's $1"; exec sleep 600`)
			s, err := stage.Released(dir, footy, footy, plan.Plan{})
			require.NoError(t, err)
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "state"), 0o755))
			require.NoError(t, s.StartProduct(t.Context()))
			for _, name := range []string{plan.Worker, plan.Web} {
				p, err := s.Process(name)
				require.NoError(t, err)
				t.Cleanup(p.Stop)
			}
			err = s.Make(t.Context(), plan.Fault{Kind: plan.Restore, Target: plan.State})
			if tc.fails != "" {
				require.ErrorContains(t, err, tc.fails)
				return
			}
			require.NoError(t, err)
			requireStarts(t, s, 2, "today's")
		})
	}
}
