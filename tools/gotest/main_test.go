package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	gotest "github.com/found-footy/found-footy/tools/gotest"
)

// asGotest makes the test binary the program.
const asGotest = "FOOTY_TEST_GOTEST"

func TestMain(m *testing.M) {
	if os.Getenv(asGotest) != "" {
		os.Exit(gotest.Run(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// played runs the program on a module of these files.
func played(t *testing.T, files map[string]string) (out string, code int) {
	t.Helper()
	return kept(t, "", files)
}

// kept is played that keeps what became of each test in a file.
func kept(t *testing.T, results string, files map[string]string) (out string, code int) {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module sample\n\ngo 1.26\n"
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return ended(t, dir, results, "./...")
}

// ended runs the program to its end.
func ended(t *testing.T, dir, results string, args ...string) (out string, code int) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), asGotest+"=1", "GOWORK=off", "FOOTY_RESULTS="+results)
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	_ = cmd.Run() // its exit code is looked at
	return both.String(), cmd.ProcessState.ExitCode()
}

const passing = "package good\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) { t.Log(\"never printed\") }\n"

func TestALongRunEndsWithWhatFailed(t *testing.T) {
	t.Parallel()

	t.Run("nothing failed: go test's own lines, and no more", func(t *testing.T) {
		t.Parallel()
		out, code := played(t, map[string]string{"good/good_test.go": passing})
		require.Zero(t, code, out)
		require.True(t, strings.HasPrefix(out, "ok  \tsample/good\t"), out)
		require.Equal(t, 1, strings.Count(out, "\n"), out)
	})

	t.Run("a data race, told while a test ran that passes", func(t *testing.T) {
		t.Parallel()
		out, code := played(t, map[string]string{"raced/raced_test.go": `package raced
import ("fmt"; "testing")
func TestFirst(t *testing.T) { fmt.Print("WARNING: DATA RACE\nRead at goals.go:7\n==================\nand nothing more\n") }
func TestSecond(t *testing.T) { t.Error("race detected during execution of test") }
`})
		require.Equal(t, 1, code, out)
		_, failed, _ := strings.Cut(out, "\nfailed:\n")
		require.Contains(t, failed, "sample/raced, the first data race\n    WARNING: DATA RACE\n    Read at goals.go:7\n    ==================\n")
		require.NotContains(t, failed, "nothing more")
	})

	t.Run("of a long failure its beginning and its end", func(t *testing.T) {
		t.Parallel()
		out, code := played(t, map[string]string{"long/long_test.go": `package long
import ("strings"; "testing")
func TestLong(t *testing.T) { t.Error("the page lacks a goal:\n" + strings.Repeat("a line\n", 100) + "the end") }
`})
		require.Equal(t, 1, code, out)
		_, failed, _ := strings.Cut(out, "\nfailed:\n")
		require.Regexp(t, `(?s)the page lacks a goal:.* more lines \.\.\..*the end`, failed)
		require.Less(t, strings.Count(failed, "a line"), 50)
	})

	t.Run("a test below a test, a panic and a package that does not compile", func(t *testing.T) {
		t.Parallel()
		out, code := played(t, map[string]string{
			"good/good_test.go": passing,
			"bad/bad_test.go": `package bad
import "testing"
func TestBad(t *testing.T) {
	t.Run("half time", func(t *testing.T) { t.Error("3-3, want 2-2") })
	t.Run("full time", func(t *testing.T) {})
}
`,
			"dead/dead_test.go":     "package dead\nimport \"testing\"\nfunc TestDead(t *testing.T) { panic(\"out of goals\") }\n",
			"broken/broken_test.go": "package broken\nimport \"testing\"\nfunc TestBroken(t *testing.T) { offside() }\n",
		})
		require.Equal(t, 1, code, out)
		before, failed, found := strings.Cut(out, "\nfailed:\n")
		require.True(t, found, out)
		require.Contains(t, before, "ok  \tsample/good\t")
		require.Contains(t, failed, "sample/bad TestBad/half_time\n")
		require.Contains(t, failed, "bad_test.go:4: 3-3, want 2-2")
		require.NotContains(t, failed, "full_time")
		require.NotContains(t, failed, "sample/bad TestBad\n", "the test above says nothing more")
		require.Contains(t, failed, "sample/dead TestDead\n")
		require.Contains(t, failed, "panic: out of goals")
		require.Contains(t, failed, "undefined: offside")
		require.Regexp(t, `(?s)FAIL\tsample/bad\t[^\n]*\nsample/bad TestBad/half_time\n[^\n]*3-3, want 2-2\n`, before, "at once: who stops a run sees it")
	})
}

// TestWhatDidNotRunIsListed: a check on a machine without PostgreSQL or Chromium looked like any other.
func TestWhatDidNotRunIsListed(t *testing.T) {
	t.Parallel()
	results := t.TempDir()
	_, code := kept(t, filepath.Join(results, "unit"), map[string]string{
		"good/good_test.go": passing,
		"page/page_test.go": `package page
import "testing"
func TestPage(t *testing.T) { t.Skip("Chromium is not installed; make chromium does it") }
func TestScreen(t *testing.T) { t.Run("small", func(t *testing.T) { t.Skip("Chromium is not installed; make chromium does it") }) }
func TestChild(t *testing.T) { t.Skip("a helper of other tests") }
func TestDay(t *testing.T) { t.Skip("plays a day: make e2e") }
func TestSilent(t *testing.T) { t.Skip() }
func FuzzPage(f *testing.F) { f.Add("x"); f.Fuzz(func(t *testing.T, _ string) { t.Skip() }) }
func TestAlerts(t *testing.T) { t.Skip("promtool is not installed (Debian: prometheus)") }
`})
	require.Zero(t, code)
	_, code = kept(t, filepath.Join(results, "e2e"), map[string]string{"page/page_test.go": "package page\nimport \"testing\"\nfunc TestDay(*testing.T) {}\n"})
	require.Zero(t, code)
	require.NoError(t, os.WriteFile(filepath.Join(results, "compose-smoke"), []byte("make compose-smoke\tno Docker engine answers\n"), 0o600))

	out, code := ended(t, t.TempDir(), "", "-not-run", results)
	require.Zero(t, code)
	require.Equal(t, `
not run:
    Chromium is not installed; make chromium does it
        sample/page TestPage
        sample/page TestScreen/small
    no Docker engine answers
        make compose-smoke
    no reason is given
        sample/page TestSilent
    promtool is not installed (Debian: prometheus)
        sample/page TestAlerts
`, out)

	out, _ = ended(t, t.TempDir(), "", "-not-run", t.TempDir())
	require.Empty(t, out)
}
