package setup

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/private"
	"github.com/joho/godotenv"
)

// write appends settings to a file like config.File; only its owner may read it. undo takes them out again.
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
	_, err = f.WriteString("\n# Written by the set-up page; docs/settings.md tells of each.\n" + text + "\n")
	if closed := f.Close(); err == nil {
		err = closed
	}
	undo = func() error { return os.Truncate(path, end) }
	if err != nil {
		return fail(errors.Join(err, undo()))
	}
	return undo, nil
}
