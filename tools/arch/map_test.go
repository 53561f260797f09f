package arch_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// place is a row's link to a file and what to look for there: "[rank.go](internal/decide/clip/rank/rank.go) `Compare`".
var place = regexp.MustCompile("\\]\\((internal/[^)]+\\.go)\\) (`[A-Za-z.]+`(?:, `[A-Za-z.]+`)*)")

func TestTheMapLeadsToWhatItNames(t *testing.T) {
	t.Parallel()
	_, rest, ok := strings.Cut(read(t, "ARCHITECTURE.md"), "## Where do I find")
	require.True(t, ok)
	section, _, _ := strings.Cut(rest, "\n## ")
	rows := 0
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| question") {
			continue
		}
		rows++
		places := place.FindAllStringSubmatch(line, -1)
		require.NotEmpty(t, places, line)
		for _, p := range places {
			if takenAway(t, filepath.Join(root(t), filepath.FromSlash(p[1]))) {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root(t), filepath.FromSlash(p[1])), nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			for name := range strings.SplitSeq(p[2], ", ") {
				require.Contains(t, declared(file), strings.Trim(name, "` "), p[1])
			}
		}
	}
	require.GreaterOrEqual(t, rows, 10)
}

// declared lists what a file declares; a method as Type.Method.
func declared(file *ast.File) []string {
	var out []string
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				of := d.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				if id, ok := of.(*ast.Ident); ok {
					name = id.Name + "." + name
				}
			}
			out = append(out, name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					out = append(out, s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						out = append(out, n.Name)
					}
				}
			}
		}
	}
	return out
}
