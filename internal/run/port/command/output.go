package command

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"go.yaml.in/yaml/v3"
)

// Output prints what a command answers: JSON with --json, else the lines that the answer says itself, or its values as YAML.
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

// Line prints one of several answers; as JSON each is a line, else one of a list.
func (o Output) Line(answer any) error {
	if _, said := answer.(fmt.Stringer); !said && !o.JSON {
		answer = []any{answer}
	}
	return o.Write(os.Stdout, answer, "")
}

// Write prints an answer to w.
func (o Output) Write(w io.Writer, answer any, indent string) error {
	if _, ok := answer.(Remark); ok && o.JSON {
		return nil
	}
	if said, ok := answer.(fmt.Stringer); ok && !o.JSON {
		_, err := fmt.Fprint(w, said)
		return err
	}
	if !o.JSON {
		return plain(w, answer)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", indent)
	e.SetEscapeHTML(false)
	return e.Encode(answer)
}

// plain writes the values of the JSON as YAML. What stands in a list and holds no list takes one line.
func plain(w io.Writer, answer any) error {
	raw, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	var n yaml.Node
	if err := yaml.Unmarshal(raw, &n); err != nil {
		return err
	}
	unfold(&n, false)
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	return e.Encode(&n)
}

func unfold(n *yaml.Node, listed bool) {
	single := n.Kind == yaml.MappingNode && listed
	n.Style = 0
	for _, c := range n.Content {
		single = single && c.Kind == yaml.ScalarNode
		unfold(c, n.Kind == yaml.SequenceNode)
	}
	if single {
		n.Style = yaml.FlowStyle
	}
}

// Remark is a line for people between the answers of a command: no part of its JSON.
type Remark string

func (r Remark) String() string { return string(r) }
