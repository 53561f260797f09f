package setup

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/joho/godotenv"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/private"
	"github.com/found-footy/found-footy/internal/run/config"
)

// write sets settings in a file like config.File, below all that stands there, and takes their earlier lines out; only its owner may read it.
// undo brings the file back as it was.
func write(path string, set map[string]string) (undo func() error, err error) {
	fail := func(err error) (func() error, error) {
		at, absErr := filepath.Abs(path)
		if absErr != nil {
			at = path
		}
		return nil, footy.Errorf(footy.CodeInvalid, "write settings", "%s cannot be written: %w. Start in a directory that you may write to",
			at, err)
	}
	text, err := godotenv.Marshal(set)
	if err != nil {
		return fail(err)
	}
	if err := private.File(path); err != nil {
		return fail(err)
	}
	was, err := os.ReadFile(path)
	if err != nil {
		return fail(err)
	}
	now := strings.TrimRight(without(string(was), set), "\n") + "\n" + mark + text + "\n"
	if err := os.WriteFile(path, []byte(now), 0o600); err != nil {
		return fail(errors.Join(err, os.WriteFile(path, was, 0o600)))
	}
	return func() error {
		const op = "take settings back"
		is, err := os.ReadFile(path)
		if err == nil && string(is) != now {
			return footy.Errorf(footy.CodeConflict, op, "%s was changed meanwhile; take out by hand what the set-up page wrote there", path)
		}
		if err == nil {
			err = os.WriteFile(path, was, 0o600)
		}
		return footy.Wrap(footy.CodeUnavailable, op, err)
	}, nil
}

const mark = "\n# Written by the set-up page; docs/settings.md tells of each.\n"

// without is the text of a file without the lines of some settings. Where one goes over several lines all stay: the last of a name counts.
func without(text string, set map[string]string) string {
	vars, _ := config.ParseFile(text)
	lines := slices.DeleteFunc(strings.SplitAfter(strings.ReplaceAll(text, mark, "\n"), "\n"), func(line string) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		_, is := set[strings.TrimSpace(name)]
		return is
	})
	out := strings.Join(lines, "")
	left, bad := config.ParseFile(out)
	maps.DeleteFunc(vars, func(name, _ string) bool { _, is := set[name]; return is })
	if bad > 0 || !maps.Equal(left, vars) {
		return text
	}
	return out
}
