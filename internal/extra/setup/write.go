package setup

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/private"
	"github.com/joho/godotenv"
)

// write appends settings to a file like config.File; only its owner may read it. undo takes them out again, and nothing else that was
// written meanwhile.
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
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return fail(err)
	}
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return fail(errors.Join(err, f.Close()))
	}
	block := "\n# Written by the set-up page; docs/settings.md tells of each.\n" + text + "\n"
	_, err = f.WriteString(block)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fail(errors.Join(err, os.Truncate(path, end)))
	}
	return func() error { return takeOut(path, block) }, nil
}

// takeOut takes a block from the end of a file. Where something else was written meanwhile it changes nothing.
func takeOut(path, block string) error {
	const op = "take settings back"
	all, err := os.ReadFile(path)
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, op, err)
	}
	before, ends := strings.CutSuffix(string(all), block)
	if !ends {
		return footy.Errorf(footy.CodeConflict, op, "%s was changed meanwhile; take out by hand what the set-up page wrote there", path)
	}
	return footy.Wrap(footy.CodeUnavailable, op, os.Truncate(path, int64(len(before))))
}
