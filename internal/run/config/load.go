package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"
	"github.com/found-footy/found-footy/internal/connect/machine/trust"
	"github.com/found-footy/found-footy/internal/keep/private"
	"github.com/joho/godotenv"
)

// File is read from the working directory if it is there; variables that are set win over it.
const File = "footy.env"

// Load reads the environment and File. Its error is Problems: all of them at once, one line each. What could be read is returned beside it.
func Load(own ...Group) (Config, error) {
	vars, broken := Vars()
	c, err := Parse(vars, own...)
	if broken != nil {
		return c, broken
	}
	return c, err
}

// Vars are the environment's variables and those of File. Its error is Problems; the environment's are returned beside it.
func Vars() (map[string]string, error) {
	vars, err := file()
	if vars == nil {
		vars = map[string]string{}
	}
	maps.Copy(vars, Environment())
	return vars, err
}

func file() (map[string]string, error) {
	text, err := trust.Read(File)
	if foreign, ok := errors.AsType[*trust.Untrusted](err); ok {
		return nil, Problems{{Setting: File, Why: "is not read, since others may write it: " + foreign.Path + " " + foreign.Why, Remedy: foreign.Remedy}}
	}
	if onDisk, ok := errors.AsType[*fs.PathError](err); ok && !errors.Is(err, fs.ErrNotExist) {
		return nil, Problems{{Setting: File, Why: "cannot be read (" + onDisk.Err.Error() + ")", Remedy: "make it readable, or remove it"}}
	}
	if err := private.Existing(File); err != nil {
		return nil, Problems{{Setting: File, Why: "holds keys and may be read by others (" + err.Error() + ")", Remedy: "chmod 600 " + File}}
	}
	fromFile, bad := ParseFile(string(text))
	if bad > 0 { // which is all that is said: the file holds secrets
		return nil, Problems{{Setting: File, Why: fmt.Sprintf("has a line that is not NAME=value: line %d", bad), Remedy: "write one NAME=value per line, comments after #"}}
	}
	return fromFile, nil
}

// Environment is what no File can change. An empty variable is how compose files say "not set"; it must not hide a value in the file.
func Environment() map[string]string {
	vars := env.ToMap(os.Environ())
	maps.DeleteFunc(vars, func(k, v string) bool { return v == "" || serviceLink(k, v) })
	return vars
}

// ParseFile reads the text of a File. bad is the first line that is not NAME=value, 0 if there is none. The parser takes a line without
// "=" for the beginning of the next one's name, so lines are read one by one; only a value in quotes goes over several.
func ParseFile(text string) (vars map[string]string, bad int) {
	if vars, ok := parsed(text); ok {
		return vars, 0
	}
	lines := strings.Split(text, "\n")
	for from := 0; from < len(lines); {
		to := from + 1
		for to <= len(lines) {
			if _, ok := parsed(strings.Join(lines[from:to], "\n")); ok {
				break
			}
			to++
		}
		if to > len(lines) {
			return nil, from + 1
		}
		from = to
	}
	return nil, 1
}

var fileName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*$`)

func parsed(text string) (map[string]string, bool) {
	vars, err := godotenv.Unmarshal(text)
	for name := range vars {
		if !fileName.MatchString(name) {
			return nil, false
		}
	}
	return vars, err == nil
}

// trimLists takes the spaces from around the entries of lists: people write "clock, model".
func trimLists(c *Config) {
	for _, s := range Settings(c.groups...) {
		if list, ok := s.in(c).Interface().([]string); ok {
			for i := range list {
				list[i] = strings.TrimSpace(list[i])
			}
		}
	}
}

// Parse reads settings from vars alone, those of extras among them.
func Parse(vars map[string]string, own ...Group) (Config, error) {
	set := maps.Clone(vars)
	maps.DeleteFunc(set, func(k, v string) bool { return v == "" || serviceLink(k, v) })
	c := empty(own)
	warnings, adopted := adopt(set)
	problems := unparsable(set, own)
	for _, p := range problems {
		delete(set, p.Setting)
	}
	if err := c.fill(set); err != nil {
		return Config{}, fmt.Errorf("read settings: %w", err)
	}
	trimLists(&c)
	c.Web.PublicURL = strings.TrimRight(c.Web.PublicURL, "/")
	_, c.TimeScaleSet = set["TIME_SCALE"]
	c.Browser.Display, c.Log.NoColor = set["DISPLAY"], set["NO_COLOR"] // of the desktop and the terminal
	if c.State.Dir == "" {
		c.State.Dir = defaultStateDir(set)
	}
	if c.Browser.Dir == "" {
		c.Browser.Dir = filepath.Join(c.State.Dir, "browser")
	}
	problems = append(problems, outOfBounds(&c, set)...)
	problems = append(problems, contradictions(&c, set)...)
	problems.underOldNames(adopted)
	c.Warnings = slices.Concat(warnings, misspelt(set, own), unproxied(&c), unasked(&c), formerlyUseful(&c, set))
	if len(problems) > 0 {
		return c, problems
	}
	return c, nil
}

func empty(own []Group) Config {
	c := Config{groups: own}
	for _, g := range own {
		c.own = append(c.own, g.New())
	}
	return c
}

func (c *Config) fill(set map[string]string) error {
	for _, into := range append([]any{c}, c.own...) {
		if err := env.ParseWithOptions(into, env.Options{Environment: set}); err != nil {
			return err
		}
	}
	return nil
}

// unparsable tries each variable on its own, because the parser's error names the field and not the variable.
func unparsable(set map[string]string, own []Group) Problems {
	var out Problems
	for _, s := range Settings(own...) {
		v, ok := set[s.Name]
		if !ok {
			continue
		}
		c := empty(own)
		if c.fill(map[string]string{s.Name: v}) != nil {
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
