package command

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// Output prints what a command answers: one JSON value with --json, else the plain lines that the answer says itself.
type Output struct {
	JSON bool `help:"Print JSON."`
}

// Print prints the one answer of a command.
func (o Output) Print(answer any, err error) error {
	if err != nil {
		return err
	}
	return o.Write(os.Stdout, answer, " ")
}

// Line prints one of several answers; as JSON each is a line.
func (o Output) Line(answer fmt.Stringer) error { return o.Write(os.Stdout, answer, "") }

// Write prints an answer to w.
func (o Output) Write(w io.Writer, answer any, indent string) error {
	if _, ok := answer.(Remark); ok && o.JSON {
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

// Remark is a line for people between the answers of a command: no part of its JSON.
type Remark string

func (r Remark) String() string { return string(r) }
