package config

import (
	"os"
	"path/filepath"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/joho/godotenv"
)

// Append writes settings to a file like File, after what stands there; only its owner may read it.
func Append(path string, set map[string]string) error {
	fail := func(err error) error {
		at, absErr := filepath.Abs(path)
		if absErr != nil {
			at = path
		}
		return footy.Errorf(footy.CodeInvalid, "write settings", "%s cannot be written: %w. Start in a directory that you may write to", at, err)
	}
	text, err := godotenv.Marshal(set)
	if err != nil {
		return fail(err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fail(err)
	}
	_, err = f.WriteString("\n# Written by the set-up page; docs/settings.md tells of each.\n" + text + "\n")
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fail(err)
	}
	return nil
}
