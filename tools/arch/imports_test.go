package arch_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const vocabulary = "internal/footy"

func TestImportsFollowTheTable(t *testing.T) {
	t.Parallel()
	table := block(t, "imports")
	used := map[string]bool{}
	for _, p := range packages(t) {
		line, found := exact(table, p.Path)
		if !found {
			t.Errorf("%s has no line in ARCHITECTURE.md: say what it may import", p.Path)
			continue
		}
		used[line] = true
		for _, imported := range p.Imports {
			if path, ours := strings.CutPrefix(imported, module); ours && !allowed(table[line], path) {
				t.Errorf("%s imports %s, which the line %q in ARCHITECTURE.md does not allow", p.Path, path, line)
			}
		}
	}
	for line := range table {
		if !used[line] && !strings.HasPrefix(line, "internal/extra/") { // all may be taken away
			t.Errorf("ARCHITECTURE.md has a line for %s, which no package needs", line)
		}
		for _, pattern := range table[line] {
			require.Regexp(t, `^(nothing|internal/.*|tools/.*)$`, pattern, "what %s may import", line)
		}
	}
}

func allowed(line []string, path string) bool {
	if path == vocabulary {
		return !slices.Contains(line, "nothing")
	}
	return slices.ContainsFunc(line, func(pattern string) bool { return covers(pattern, path) })
}

func TestForeignModulesStayWhereTheyBelong(t *testing.T) {
	t.Parallel()
	table := block(t, "outside")
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			for prefix, may := range table {
				if !covers(prefix+"/...", imported) {
					continue
				}
				if !slices.ContainsFunc(may, func(pattern string) bool { return covers(pattern, p.Path) }) {
					t.Errorf("%s imports %s, which belongs to %s only", p.Path, imported, strings.Join(may, ", "))
				}
			}
		}
	}
}

// TestEachExtraCanBeTakenAway: only the list names extras, and no extra names another.
func TestEachExtraCanBeTakenAway(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		if p.Path == "cmd/footy" {
			continue
		}
		for _, imported := range p.Imports {
			if path, ours := strings.CutPrefix(imported, module); ours && extra(path) != "" && extra(path) != extra(p.Path) {
				t.Errorf("%s imports %s: only cmd/footy/extras.go names an extra", p.Path, path)
			}
		}
	}
	for _, path := range productFiles(t) {
		rel, err := filepath.Rel(root(t), path)
		require.NoError(t, err)
		if !strings.HasPrefix(filepath.ToSlash(rel), "cmd/") || filepath.Base(rel) == "extras.go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range file.Imports {
			require.NotContains(t, i.Path.Value, "internal/extra/", rel)
		}
	}
}

// extra is the name of the extra that a package belongs to; "": the core.
func extra(path string) string {
	rest, is := strings.CutPrefix(path, "internal/extra/")
	if !is {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

func TestVocabularyNeedsOnlyTheStandardLibrary(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		if p.Path != vocabulary {
			continue
		}
		for _, imported := range p.Imports {
			first, _, _ := strings.Cut(imported, "/")
			require.NotContains(t, first, ".", "%s imports %s", p.Path, imported)
		}
		return
	}
	t.Fatal("the vocabulary is gone")
}

// TestSuitesStayOutOfTheProduct: a conformance suite in the binary would bring the test library along.
func TestSuitesStayOutOfTheProduct(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		if isSuite(p.Path) {
			continue
		}
		for _, imported := range p.Imports {
			require.False(t, isSuite(imported), "%s imports %s", p.Path, imported)
			require.NotEqual(t, "testing", imported, "%s imports testing", p.Path)
		}
	}
}

// isSuite: storetest below store, devtest, net/http/httptest, ...
func isSuite(path string) bool {
	return strings.HasSuffix(path[strings.LastIndex(path, "/")+1:], "test") && !strings.HasSuffix(path, "/latest")
}
