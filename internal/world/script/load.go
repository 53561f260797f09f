package script

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

//go:embed saturday.json
var saturday []byte

//go:embed short.json
var short []byte

// Default returns the embedded Saturday.
func Default() *Script { return embedded(saturday) }

// Short returns the embedded short day: three matches of one league, and what must come of them in each mode.
func Short() *Script { return embedded(short) }

func embedded(day []byte) *Script {
	s, err := Parse(day)
	if err != nil {
		panic("embedded match day: " + err.Error())
	}
	return s
}

// DefaultJSON is the embedded Saturday as it was written, a start for scripts of one's own.
func DefaultJSON() []byte { return bytes.Clone(saturday) }

// ShortJSON is the embedded short day as it was written.
func ShortJSON() []byte { return bytes.Clone(short) }

// Load reads a script from a file.
func Load(path string) (*Script, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("match-day script: %w", err)
	}
	s, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("match-day script %s: %w", path, err)
	}
	return s, nil
}

// Parse decodes and validates a script; an unknown key is an error, so a typo cannot silently drop a situation.
func Parse(data []byte) (*Script, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	s := new(Script)
	if err := dec.Decode(s); err != nil {
		at := dec.InputOffset()
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax):
			at = syntax.Offset
		case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
			at, err = int64(len(data)), errors.New("the file ends in the middle")
		}
		return nil, fmt.Errorf("line %d: %w", 1+bytes.Count(data[:min(at, int64(len(data)))], []byte("\n")), err)
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return s, nil
}
