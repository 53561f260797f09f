package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// resultsEnv names the file in which a run keeps what became of each test: a line "name, tab, why it was skipped", with nothing behind
// the tab where it ran. Other programs may write such files, too.
const resultsEnv = "FOOTY_RESULTS"

// module is left out of names: every package has it.
const module = "github.com/found-footy/found-footy/"

const unsaid = "no reason is given"

// keep writes down what became of each test, over what an earlier run wrote.
func (f Failures) keep(path string) error {
	if path == "" {
		return nil
	}
	var b strings.Builder
	for _, at := range slices.SortedFunc(maps.Keys(f.ended), func(x, y name) int { return strings.Compare(x.String(), y.String()) }) {
		fmt.Fprintf(&b, "%s\t%s\n", at, f.ended[at])
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(b.String()), 0o600)
}

func (n name) String() string { return strings.TrimPrefix(n.pkg, module) + " " + n.test }

// why is the reason that a skipped test gave last.
func why(said []string) string {
	for _, line := range slices.Backward(said) {
		if _, said, found := strings.Cut(line, ".go:"); found {
			_, said, _ = strings.Cut(said, ": ")
			return cmp.Or(strings.TrimSpace(said), unsaid)
		}
	}
	return unsaid
}

// notRun lists, by reason, the tests that no run of a directory ran. Left out are those that other tests start as their helpers.
func notRun(dir string, out io.Writer) error {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return err
	}
	reasons, ran := map[string]string{}, map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			at, reason, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
			if reason == "" {
				ran[at] = true
			} else if !strings.HasPrefix(reason, "a helper of ") {
				reasons[at] = reason
			}
		}
	}
	maps.DeleteFunc(reasons, func(at, _ string) bool { return ran[at] })
	if len(reasons) == 0 {
		return nil
	}
	fmt.Fprintln(out, "\nnot run:")
	for _, reason := range slices.Compact(slices.Sorted(maps.Values(reasons))) {
		fmt.Fprintln(out, "    "+reason)
		for _, at := range slices.Sorted(maps.Keys(reasons)) {
			if reasons[at] == reason {
				fmt.Fprintln(out, "        "+at)
			}
		}
	}
	return nil
}
