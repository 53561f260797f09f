package arch_test

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	target   = regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*):`)
	command  = regexp.MustCompile("`make ([a-z][a-z-]*)")
	testName = regexp.MustCompile(`\bTest[A-Z][A-Za-z0-9]+`)
	testFunc = regexp.MustCompile(`(?m)^func (Test[A-Z][A-Za-z0-9]+)\(`)
)

// documents are all Markdown files that we wrote.
func documents(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root(t), func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root(t) || d.Name() == "testdata" || d.Name() == "bin") {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, ".md") {
			out = append(out, path)
		}
		return err
	})
	require.NoError(t, err)
	require.Greater(t, len(out), 5)
	return out
}

func TestLinksResolve(t *testing.T) {
	t.Parallel()
	for _, doc := range documents(t) {
		text, err := os.ReadFile(doc)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			u, err := url.Parse(m[1])
			require.NoError(t, err, "%s: %s", doc, m[1])
			if u.Scheme != "" {
				continue
			}
			to := doc
			if u.Path != "" {
				to = filepath.Join(filepath.Dir(doc), filepath.FromSlash(u.Path))
			}
			if _, err := os.Stat(to); err != nil && takenAway(t, to) {
				continue
			} else if err != nil {
				t.Errorf("%s links to %s, which is not there", doc, m[1])
				continue
			}
			if u.Fragment != "" {
				require.Contains(t, anchors(t, to), u.Fragment, "%s links to %s", doc, m[1])
			}
		}
	}
}

func anchors(t *testing.T, doc string) []string {
	t.Helper()
	text, err := os.ReadFile(doc)
	require.NoError(t, err)
	var out []string
	for _, m := range heading.FindAllStringSubmatch(string(text), -1) {
		kept := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127:
				return r
			}
			return -1
		}, strings.ToLower(m[1]))
		out = append(out, kept)
	}
	return out
}

func TestArchitectureStaysReadable(t *testing.T) {
	t.Parallel()
	require.LessOrEqual(t, strings.Count(read(t, "ARCHITECTURE.md"), "\n"), 250)
}

// TestEverySymptomIsAnswered: what the founding documents' own troubleshooting asks.
func TestEverySymptomIsAnswered(t *testing.T) {
	t.Parallel()
	questions := heading.FindAllStringSubmatch(read(t, "docs/troubleshooting.md"), -1)
	for _, symptom := range []string{"stuck in *active*", "`fixtures_live` grows", "out of order", "workflow was not started", "not uploaded", "has no clip", "ranked low"} {
		require.True(t, slices.ContainsFunc(questions, func(q []string) bool { return strings.Contains(q[1], symptom) }), symptom)
	}
}

// TestDocumentsNameWhatExists: make targets and tests that a document names.
func TestDocumentsNameWhatExists(t *testing.T) {
	t.Parallel()
	tests, away := testNames(t), anExtraIsAway(t)
	targets := map[string]bool{}
	for _, m := range target.FindAllStringSubmatch(read(t, "Makefile"), -1) {
		targets[m[1]] = true
	}
	for _, doc := range documents(t) {
		text, err := os.ReadFile(doc)
		require.NoError(t, err)
		for _, m := range command.FindAllStringSubmatch(string(text), -1) {
			require.True(t, targets[m[1]], "%s tells people to run make %s", doc, m[1])
		}
		for _, name := range testName.FindAllString(string(text), -1) {
			require.True(t, tests[name] || strings.HasSuffix(doc, "CHANGELOG.md") || away, "%s names %s, which is no test", doc, name)
		}
	}
}

// testNames are the tests of the repository.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	err := filepath.WalkDir(root(t), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range testFunc.FindAllStringSubmatch(string(text), -1) {
			out[m[1]] = true
		}
		return err
	})
	require.NoError(t, err)
	return out
}

// anExtraIsAway reports whether the folder of an extra that has a budget is not there (scripts/extras).
func anExtraIsAway(t *testing.T) bool {
	t.Helper()
	for of := range block(t, "budgets") {
		if takenAway(t, filepath.Join(root(t), filepath.FromSlash(of), "README.md")) {
			return true
		}
	}
	return false
}
