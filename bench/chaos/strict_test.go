package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/plan"
	"github.com/found-footy/found-footy/bench/chaos/stage"
	"github.com/found-footy/found-footy/tools/devtest"
)

func TestAProgramThatNamesNoStepsIsNotPlayed(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"echo no such command >&2; exit 80": "no such command",
		"exit 0":                            "names no step",
	} {
		footy := devtest.Script(t, "footy", script)
		_, err := Run(t.Context(), Options{Footy: footy, Devstack: footy, Teststack: footy, Clips: t.TempDir(), Dir: t.TempDir(), N: 1, PlanOnly: true, Out: io.Discard})
		require.ErrorContains(t, err, want)
	}
}

func TestAnAuditThatCannotRunIsADifference(t *testing.T) {
	t.Parallel()
	d := &judging{runner: &runner{Options: Options{Footy: devtest.Script(t, "footy", "echo the audit is broken >&2; exit 1")}}, stage: &stage.Stage{Options: stage.Options{Dir: t.TempDir()}}}
	require.Contains(t, d.audit(t.Context()), "the audit is broken")
}

func TestStepsHaveAFloor(t *testing.T) {
	t.Parallel()
	six := []string{"a", "b", "c", "d", "e", "f"}
	for reached, fails := range map[int]int{6: 0, 4: 0, 3: 1, 0: 1} {
		r := report{Steps: reached, Unreached: six[reached:]}
		r.floor(plan.Plan{Steps: six[:2], WebSteps: six[2:]})
		require.Equal(t, fails, r.Differences, reached)
	}
	r := report{Steps: 3, Unreached: six[3:]}
	r.floor(plan.Plan{Steps: six})
	require.Equal(t, []string{"3 of 6 named steps were reached, 4 at least must be; never passed: d, e, f"}, r.Lines)
	restored := plan.Plan{Steps: six[:3], WebSteps: []string{"posting-sent", "posting-edited", "posting-deleted"}, Faults: []plan.Fault{{Kind: plan.Restore, Target: plan.State}}}
	for _, tc := range []struct {
		reached   int
		unreached []string
		fails     int
	}{{3, restored.WebSteps, 0}, {1, append(six[1:3:3], restored.WebSteps...), 1}} {
		r := report{Steps: tc.reached, Unreached: tc.unreached}
		r.floor(restored)
		require.Equal(t, tc.fails, r.Differences, "what was scored before a restore is not posted: %v", tc.unreached)
	}
	r = report{}
	r.floor(plan.Plan{})
	require.Zero(t, r.Differences, "a calm day")
}

func TestAKindIsLeftOutOnlyWhereItIsNamed(t *testing.T) {
	t.Parallel()
	r := runner{Options: Options{Short: true}}
	has := func() (n int) {
		for _, f := range r.plan(1).Faults {
			if f.Kind == plan.DiskFull {
				n++
			}
		}
		return n
	}
	require.Equal(t, 1, has())
	r.Without = []string{plan.DiskFull}
	require.Zero(t, has())
}

// TestWithoutTheReleaseBeforeItsFaultsAreLeftOut: a clone without its history has none, and says so.
func TestWithoutTheReleaseBeforeItsFaultsAreLeftOut(t *testing.T) {
	t.Parallel()
	footy := devtest.Script(t, "footy", "echo a-step")
	planned := func(former string) string {
		var out strings.Builder
		_, err := Run(t.Context(), Options{Footy: footy, Devstack: footy, Teststack: footy, Former: former, Clips: t.TempDir(), Dir: t.TempDir(), N: 9, PlanOnly: true, Out: &out})
		require.NoError(t, err)
		return out.String()
	}
	with := planned(footy)
	require.Contains(t, with, " older ")
	require.Contains(t, with, " upgrade ")
	require.NotContains(t, with, "without")
	for former, why := range map[string]string{"": "-former names no program", filepath.Join(t.TempDir(), "none"): "make former builds it"} {
		out := planned(former)
		require.Contains(t, out, "without older and upgrade: ")
		require.Contains(t, out, why)
		require.NotContains(t, out, " state          for 1.0 s")
	}
}
