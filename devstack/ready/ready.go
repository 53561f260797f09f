// Package ready announces that a role answers: one JSON line on stdout and, if asked, the same in a file.
package ready

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/found-footy/found-footy/devstack/problem"
)

// Line is the announcement. Readers rely on its names: add fields, never rename one.
type Line struct {
	Role      string `json:"role"`
	Address   string `json:"address,omitempty"`
	UI        string `json:"ui,omitempty"`
	URI       string `json:"uri,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	DB        string `json:"db,omitempty"`
	TokenFile string `json:"token_file,omitempty"`
	PID       int    `json:"pid"`
}

// Announce writes the line to w and atomically to stateFile (none when empty). The file comes first, so that a reader of
// the line can rely on it.
func Announce(w io.Writer, stateFile string, line Line) error {
	line.PID = os.Getpid()
	b, err := json.Marshal(line)
	if err != nil {
		return err
	}
	b = append(b, '\n')
	if stateFile != "" {
		if err := replace(stateFile, b); err != nil {
			return &problem.Error{Thing: "state file " + stateFile, What: err.Error(),
				Remedy: "give a writable place with --state-file", Err: err}
		}
	}
	_, err = w.Write(b)
	return err
}

// Read returns what a running (or killed) instance announced in stateFile.
func Read(stateFile string) (Line, error) {
	var line Line
	b, err := os.ReadFile(stateFile)
	if err != nil {
		return line, err
	}
	if err := json.Unmarshal(b, &line); err != nil {
		return line, fmt.Errorf("read %s: %w", stateFile, err)
	}
	return line, nil
}

// Withdraw removes stateFile if this process wrote it; another instance's announcement stays.
func Withdraw(stateFile string) {
	if stateFile == "" {
		return
	}
	if line, err := Read(stateFile); err == nil && line.PID == os.Getpid() {
		_ = os.Remove(stateFile)
	}
}

func replace(path string, content []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if _, err = tmp.Write(content); err == nil {
		err = tmp.Chmod(0o644)
	}
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
