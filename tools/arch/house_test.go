package arch_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		name := p.Path[strings.LastIndex(p.Path, "/")+1:]
		start := "Package " + name + " "
		if strings.HasPrefix(p.Path, "cmd/") || strings.HasPrefix(p.Path, "tools/") && p.Name == "main" {
			start = "Command " + name + " "
		}
		if !strings.HasPrefix(p.Doc, start) {
			t.Errorf("%s: the package comment must start with %q", p.Path, start)
		}
	}
}

func TestNoPackageIsADrawer(t *testing.T) {
	t.Parallel()
	drawers := []string{"util", "utils", "common", "helper", "helpers", "models", "types", "misc", "shared", "base"}
	for _, p := range packages(t) {
		for part := range strings.SplitSeq(p.Path, "/") {
			require.NotContains(t, drawers, part, "name %s after what it is for", p.Path)
		}
	}
}

// TestFilesStaySmall counts the lines of product files of both modules. The pipeline has the tighter limit because its
// coordinators are where such programs grow their god file.
func TestFilesStaySmall(t *testing.T) {
	t.Parallel()
	for _, path := range productFiles(t) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		n := bytes.Count(text, []byte("\n"))
		limit := 500
		if strings.Contains(filepath.ToSlash(path), "internal/pipeline/") {
			limit = 400
		}
		if n > limit {
			t.Errorf("%s has %d lines, more than %d: it does more than one thing", path, n, limit)
		}
	}
}

func productFiles(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, top := range []string{"cmd", "internal", "devstack"} {
		err := filepath.WalkDir(filepath.Join(root(t), top), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				out = append(out, path)
			}
			return err
		})
		require.NoError(t, err)
	}
	return out
}

// TestOnlyTheOwnersTouch: each of these has one owner, so that its behaviour can be changed in one place.
func TestOnlyTheOwnersTouch(t *testing.T) {
	t.Parallel()
	for _, rule := range []struct {
		names  []string // import path and name
		owners []string
		why    string
	}{
		{[]string{"os.Getenv", "os.LookupEnv", "os.Environ", "os.ExpandEnv"}, []string{"internal/run/config", "internal/connect/machine/program"}, "settings have one door"},
		{[]string{"net/http.Client", "net/http.DefaultClient", "net/http.DefaultTransport", "net/http.Get", "net/http.Post", "net/http.Head", "net/http.Transport"},
			[]string{"internal/connect/network/httpx"}, "time-outs, limits and private-address guards have one door"},
		{[]string{"os/exec.Command", "os/exec.CommandContext", "os/exec.Cmd", "os.StartProcess", "syscall.ForkExec", "syscall.StartProcess", "syscall.Exec"},
			[]string{"internal/connect/machine/program"}, "programs are started with an environment that holds no secrets"},
		{[]string{"time.Now", "time.Since", "time.Until", "time.After", "time.Sleep"}, nil, "a rule gets the time as an argument"},
	} {
		for _, p := range packages(t) {
			if slices.Contains(rule.owners, p.Path) || isSuite(p.Path) {
				continue
			}
			if rule.owners == nil && !decides(p.Path) {
				continue
			}
			for _, file := range p.Files {
				for _, use := range uses(t, file, rule.names) {
					t.Errorf("%s: %s", use, rule.why)
				}
			}
		}
	}
}

// uses finds mentions of package-level names as values. A type mentioned behind a star only (an argument, a field)
// makes nothing and is no use.
func uses(t *testing.T, file string, names []string) []string {
	t.Helper()
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	paths := map[string]string{} // local name -> import path
	for _, imp := range tree.Imports {
		path := strings.Trim(imp.Path.Value, `"`)
		local := path[strings.LastIndex(path, "/")+1:]
		if imp.Name != nil {
			local = imp.Name.Name
		}
		paths[local] = path
	}
	pointed := map[ast.Node]bool{}
	var out []string
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StarExpr:
			pointed[n.X] = true
		case *ast.TypeAssertExpr:
			pointed[n.Type] = true
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if ok && !pointed[n] && slices.Contains(names, paths[x.Name]+"."+n.Sel.Name) {
				out = append(out, set.Position(n.Pos()).String()+" uses "+x.Name+"."+n.Sel.Name)
			}
		}
		return true
	})
	return out
}

// decides reports whether a package is a rule or recognises something: values in, values out.
func decides(path string) bool {
	return strings.HasPrefix(path, "internal/decide/") || strings.HasPrefix(path, "internal/recognize/") ||
		strings.HasPrefix(path, "internal/extra/") && strings.HasSuffix(path, "/rule")
}

// TestFloorsStaySmall: a floor with more than nine rooms is no overview.
func TestFloorsStaySmall(t *testing.T) {
	t.Parallel()
	rooms := map[string]map[string]bool{}
	for _, p := range packages(t) {
		if isSuite(p.Path) {
			continue
		}
		for at := p.Path; strings.Contains(at, "/"); at = at[:strings.LastIndex(at, "/")] {
			parent, room := at[:strings.LastIndex(at, "/")], at[strings.LastIndex(at, "/")+1:]
			if rooms[parent] == nil {
				rooms[parent] = map[string]bool{}
			}
			rooms[parent][room] = true
		}
	}
	delete(rooms["internal"], "extra") // the annex,
	delete(rooms, "internal/extra")    // which is a list
	for floor, in := range rooms {
		require.LessOrEqual(t, len(in), 9, "%s holds %d rooms: %v", floor, len(in), slices.Sorted(maps.Keys(in)))
	}
}

func TestRulesDoNoIO(t *testing.T) {
	t.Parallel()
	forbidden := []string{"context", "log", "log/slog", "net", "net/http", "os", "os/exec", "io/fs", "database/sql", "math/rand", "math/rand/v2", "crypto/rand", "sync"}
	for _, p := range packages(t) {
		if !decides(p.Path) {
			continue
		}
		for _, imported := range p.Imports {
			require.NotContains(t, forbidden, imported, "%s imports %s: a rule takes values and gives values", p.Path, imported)
		}
	}
	// Their tests run without the race detector.
	for _, path := range productFiles(t) {
		rel, err := filepath.Rel(root(t), filepath.Dir(path))
		require.NoError(t, err)
		if !decides(filepath.ToSlash(rel)) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			_, goes := n.(*ast.GoStmt)
			require.False(t, goes, "%s starts a goroutine", path)
			return true
		})
	}
}

// TestScriptsOfTestsAreWrittenInOnePlace: a file that is executed soon after it was written must be closed for writing in every child that
// another test starts meanwhile, which devtest.Script sees to.
func TestScriptsOfTestsAreWrittenInOnePlace(t *testing.T) {
	t.Parallel()
	found := 0
	for _, top := range []string{"bench", "cmd", "devstack", "internal", "tools"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root(t), top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			text, err := os.ReadFile(path)
			if bytes.Contains(text, []byte(`"#`+`!/`)) {
				found++
				require.Equal(t, filepath.Join(root(t), "tools", "devtest", "script.go"), path, "write the script with devtest.Script")
			}
			return err
		}))
	}
	require.Equal(t, 1, found)
}
