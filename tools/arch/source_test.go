package arch_test

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/found-footy/found-footy/"

// pkg is what the go command knows of one package, paths relative to the repository.
type pkg struct {
	Path    string
	Name    string
	Doc     string
	Files   []string // product files
	Imports []string
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	return dir
}

var list = sync.OnceValues(func() ([]pkg, error) {
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Name,Doc,Dir,GoFiles,Imports", "./...")
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var pkgs []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath, Name, Doc, Dir string
			GoFiles, Imports           []string
		}
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return pkgs, nil
		}
		if err != nil {
			return nil, err
		}
		if len(p.GoFiles) == 0 || strings.HasPrefix(p.ImportPath, module+"bench/") { // tests only; measuring tools, which nothing imports
			continue
		}
		for i, f := range p.GoFiles {
			p.GoFiles[i] = filepath.Join(p.Dir, f)
		}
		pkgs = append(pkgs, pkg{Path: strings.TrimPrefix(p.ImportPath, module), Name: p.Name, Doc: p.Doc, Files: p.GoFiles, Imports: p.Imports})
	}
})

func packages(t *testing.T) []pkg {
	t.Helper()
	pkgs, err := list()
	require.NoError(t, err)
	require.Greater(t, len(pkgs), 30, "go list found too little to judge")
	return pkgs
}

// block returns the lines of the fenced block of that name in ARCHITECTURE.md, as name -> words; names that stand together share their words.
func block(t *testing.T, name string) map[string][]string {
	t.Helper()
	_, rest, found := strings.Cut(read(t, "ARCHITECTURE.md"), "```"+name+"\n")
	require.True(t, found, "ARCHITECTURE.md has no block %s", name)
	text, _, _ := strings.Cut(rest, "```")
	out := map[string][]string{}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		require.True(t, ok, "no colon in %q", line)
		for name := range strings.FieldsSeq(key) {
			require.NotContains(t, out, name, "two lines for %s", name)
			out[name] = strings.Fields(value)
		}
	}
	return out
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), path))
	require.NoError(t, err)
	return string(text)
}

// covers reports whether a pattern ("a/b" or "a/b/...") means path.
func covers(pattern, path string) bool {
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return path == base || strings.HasPrefix(path, base+"/")
	}
	return pattern == path
}

// exact finds the most exact pattern that means path.
func exact(table map[string][]string, path string) (best string, found bool) {
	for pattern := range table {
		if !covers(pattern, path) {
			continue
		}
		better := len(pattern) > len(best) || pattern == path
		if best == path {
			better = false
		}
		if !found || better {
			best, found = pattern, true
		}
	}
	return best, found
}

// takenAway reports whether a path is of an extra whose folder is not there (scripts/extras).
func takenAway(t *testing.T, path string) bool {
	t.Helper()
	rel, err := filepath.Rel(root(t), path)
	require.NoError(t, err)
	name := extra(filepath.ToSlash(rel))
	if name == "" {
		return false
	}
	_, err = os.Stat(filepath.Join(root(t), "internal", "extra", name))
	return errors.Is(err, fs.ErrNotExist)
}
