package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/found-footy/found-footy/internal/tell/inspect"
)

// output prints what a command answers: one JSON value with --json, else the plain lines that the answer says itself.
type output struct {
	JSON bool `help:"Print JSON."`
}

// print prints the one answer of a command.
func (o output) print(answer any, err error) error {
	if err != nil {
		return err
	}
	return o.write(os.Stdout, answer, " ")
}

// line prints one of several answers; as JSON each is a line.
func (o output) line(answer fmt.Stringer) error { return o.write(os.Stdout, answer, "") }

func (o output) write(w io.Writer, answer any, indent string) error {
	if _, ok := answer.(inspect.Remark); ok && o.JSON {
		return nil
	}
	if !o.JSON {
		_, err := fmt.Fprint(w, answer)
		return err
	}
	e := json.NewEncoder(w)
	e.SetIndent("", indent)
	e.SetEscapeHTML(false)
	return e.Encode(answer)
}
