package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// most is how many lines of a failed test are printed: half of them its first, which say why, half its last.
const most = 40

// event is a line of go test -json (go doc test2json).
type event struct {
	Action, Package, Test, Output string
	ImportPath                    string // of a package that does not compile
	FailedBuild                   string // why a package failed that was not run
}

// name is a test, or with an empty test a package and its build.
type name struct{ pkg, test string }

// Failures is what failed, in the order in which it did. It is printed twice: with the line of its package, and at the end.
type Failures struct {
	names []name
	said  map[name][]string
	races map[string]*race // by package: the detector speaks while any test runs, and fails others
	ended map[name]string  // tests that ran, and why the others were skipped
}

// race is the first report of the race detector in a package.
type race struct {
	report []string
	whole  bool
}

func (r *race) add(line string) {
	r.report = append(r.report, line)
	r.whole = strings.HasPrefix(line, "=====") || len(r.report) == most
}

// Read copies the lines of packages to out and collects what failed. A line that is no event is copied, too.
func Read(in io.Reader, out io.Writer) (Failures, error) {
	f := Failures{said: map[name][]string{}, races: map[string]*race{}, ended: map[name]string{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			f.add(line, out)
		}
		if err == io.EOF {
			return f, nil
		}
		if err != nil {
			return f, err
		}
	}
}

func (f *Failures) add(line string, out io.Writer) {
	var e event
	if json.Unmarshal([]byte(line), &e) != nil {
		fmt.Fprint(out, line)
		return
	}
	at := name{e.Package, e.Test}
	switch e.Action {
	case "output":
		if r := f.races[e.Package]; r != nil && !r.whole {
			r.add(e.Output)
		} else if r == nil && strings.HasPrefix(e.Output, "WARNING: DATA RACE") {
			f.races[e.Package] = &race{report: []string{e.Output}}
		}
		if e.Test == "" && verdict(e.Output) {
			fmt.Fprint(out, e.Output)
		} else if !strings.HasPrefix(e.Output, "=== ") {
			f.said[at] = append(f.said[at], e.Output)
		}
	case "build-output":
		at = name{pkg: e.ImportPath}
		f.said[at] = append(f.said[at], e.Output)
	case "fail":
		if e.Test != "" {
			f.ended[at] = ""
		}
		if e.FailedBuild != "" {
			at = name{pkg: e.FailedBuild}
		}
		if !slices.Contains(f.names, at) {
			f.names = append(f.names, at)
		}
		if e.Test == "" {
			f.print(out, e.Package)
		}
	case "pass", "skip":
		if e.Action == "skip" && e.Test != "" && !strings.HasPrefix(e.Test, "Fuzz") { // whose inputs skip what is no input
			f.ended[at] = why(f.said[at])
		} else if e.Test != "" {
			f.ended[at] = ""
		}
		delete(f.said, at)
	}
}

// verdict reports whether go test says with this line how a package did.
func verdict(line string) bool {
	for _, prefix := range []string{"ok  \t", "FAIL\t", "?   \t"} {
		if strings.HasPrefix(line, prefix) {
			return true
		}
	}
	return false
}

// Print ends a run: what failed and why, nothing if nothing did.
func (f Failures) Print(out io.Writer) {
	if len(f.names) == 0 {
		return
	}
	fmt.Fprintln(out, "\nfailed:")
	f.print(out, "")
	for _, pkg := range slices.Sorted(maps.Keys(f.races)) {
		fmt.Fprintln(out, pkg+", the first data race")
		tell(out, f.races[pkg].report)
	}
}

// print lists what failed in a package, in all of them if none is named.
func (f Failures) print(out io.Writer, pkg string) {
	for _, n := range f.names {
		if pkg != "" && n.pkg != pkg || f.repeated(n) {
			continue
		}
		fmt.Fprintln(out, strings.TrimSpace(n.pkg+" "+n.test))
		tell(out, shortened(f.said[n]))
	}
}

func shortened(said []string) []string {
	if len(said) <= most {
		return said
	}
	left := fmt.Sprintf("... %d more lines ...", len(said)-most)
	return slices.Concat(said[:most/2], []string{left}, said[len(said)-most/2:])
}

func tell(out io.Writer, lines []string) {
	for _, line := range lines {
		fmt.Fprint(out, "    "+strings.TrimRight(line, "\n")+"\n")
	}
}

// repeated reports whether another failure says the same: a package or a test fails with a test below it. What it
// printed itself, a race or a panic, is kept.
func (f Failures) repeated(n name) bool {
	for _, line := range f.said[n] {
		if own := strings.TrimSpace(line); own != "" && own != "FAIL" && own != "PASS" && !strings.HasPrefix(own, "--- ") && !strings.HasPrefix(own, "exit status") {
			return false
		}
	}
	return slices.ContainsFunc(f.names, func(other name) bool {
		return other.pkg == n.pkg && other.test != n.test && (n.test == "" || strings.HasPrefix(other.test, n.test+"/"))
	})
}
