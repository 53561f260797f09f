package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
)

func TestWhatMayFollowOnALine(t *testing.T) {
	t.Parallel()
	model := func() *kong.Node {
		var c struct {
			Up struct {
				Speed int    `help:"x"`
				Mode  string `short:"m" enum:"short,long" default:"short"`
				Quick bool
				Trap  bool `hidden:""`
			} `cmd:""`
			Upload struct {
				Of struct {
					Kind string `arg:"" enum:"goal,card"`
					File string `arg:""`
				} `cmd:""`
			} `cmd:""`
			Secret struct{} `cmd:"" hidden:""`
		}
		return kong.Must(&c, kong.Name("footy")).Model.Node
	}()
	for line, want := range map[string][]string{
		"footy":                       nil,
		"footy ":                      {"up", "upload"},
		"footy u":                     {"up", "upload"},
		"footy up":                    {"up", "upload"},
		"  footy  upl":                {"upload"},
		"footy x":                     {},
		"footy up --":                 {"--help", "--mode", "--quick", "--speed"},
		"footy up --mode ":            {"long", "short"},
		"footy up -m s":               {"short"},
		"footy up --mode=long ":       {},
		"footy up --quick --s":        {"--speed"},
		"footy up --speed 3 --mode l": {"long"},
		"footy upload ":               {"of"},
		"footy upload of ":            {"card", "goal"},
		"footy upload of goal ":       {},
		"":                            nil,
	} {
		got := completions(model, line)
		require.ElementsMatch(t, want, got, "%q", line)
	}
}

func TestBashCompletes(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	dir := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "footy"), ".").CombinedOutput() //nolint:gosec // into a directory of the test
	require.NoError(t, err, "%s", out)
	run := exec.CommandContext(t.Context(), bash, "-c", `source <(footy completion bash); COMP_LINE="footy doc" COMP_POINT=9; _footy; echo "${COMPREPLY[@]}"`) //nolint:gosec // as above
	run.Env = []string{"PATH=" + dir + ":/usr/bin:/bin", "HOME=" + dir}
	var said bytes.Buffer
	run.Stdout, run.Stderr = &said, &said
	require.NoError(t, run.Run(), said.String())
	require.Equal(t, "doctor\n", said.String())
}
