package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/caarlos0/env/v11"
	"github.com/joho/godotenv"
)

// File is read from the working directory if it is there; variables that are set win over it.
const File = "footy.env"

// Load reads the environment and File. Its error is Problems: all of them at once, one line each.
func Load() (Config, error) {
	vars := map[string]string{}
	fromFile, err := godotenv.Read(File)
	var onDisk *fs.PathError
	switch {
	case err == nil || errors.Is(err, fs.ErrNotExist):
	case errors.As(err, &onDisk):
		return Config{}, Problems{{Setting: File, Why: "cannot be read (" + onDisk.Err.Error() + ")", Remedy: "make it readable, or remove it"}}
	default: // the parser's error quotes the file, which holds secrets
		return Config{}, Problems{{Setting: File, Why: "has a line that is not NAME=value", Remedy: "write one NAME=value per line, comments after #"}}
	}
	for k, v := range fromFile {
		vars[k] = v
	}
	for k, v := range env.ToMap(os.Environ()) {
		// An empty variable is how compose files say "not set"; it must not hide a value in the file.
		if v != "" {
			vars[k] = v
		}
	}
	return Parse(vars)
}

// Parse reads settings from vars alone.
func Parse(vars map[string]string) (Config, error) {
	set := map[string]string{}
	for k, v := range vars {
		if v != "" {
			set[k] = v
		}
	}
	var c Config
	problems := unparsable(set)
	for _, p := range problems {
		delete(set, p.Setting)
	}
	if err := env.ParseWithOptions(&c, env.Options{Environment: set}); err != nil {
		return Config{}, fmt.Errorf("read settings: %w", err)
	}
	if c.State.Dir == "" {
		c.State.Dir = defaultStateDir(set)
	}
	if c.Browser.Dir == "" {
		c.Browser.Dir = filepath.Join(c.State.Dir, "browser")
	}
	problems = append(problems, outOfBounds(&c, set)...)
	problems = append(problems, contradictions(&c)...)
	c.Warnings = misspelt(set)
	if len(problems) > 0 {
		return c, problems
	}
	return c, nil
}

// unparsable tries each variable on its own, because the parser's error names the field and not the variable.
func unparsable(set map[string]string) Problems {
	var out Problems
	for _, s := range Settings() {
		v, ok := set[s.Name]
		if !ok {
			continue
		}
		err := env.ParseWithOptions(&Config{}, env.Options{Environment: map[string]string{s.Name: v}})
		if err != nil {
			out = append(out, s.problem(v, "is not "+s.Type))
		}
	}
	return out
}

// defaultStateDir follows the XDG rule so that a second start from another directory finds the same state.
func defaultStateDir(set map[string]string) string {
	if d := set["XDG_STATE_HOME"]; filepath.IsAbs(d) {
		return filepath.Join(d, "found-footy")
	}
	if home := set["HOME"]; home != "" {
		return filepath.Join(home, ".local", "state", "found-footy")
	}
	return "found-footy-state"
}
