package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/found-footy/found-footy/internal/footy"
)

type completionCmd struct {
	Shell string  `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
	Line  *string `hidden:"" help:"What stands before the cursor: print what may follow."`
}

func (completionCmd) Help() string {
	return "Prints what a shell runs to complete: source <(footy completion bash), source <(footy completion zsh), or footy completion fish | source."
}

// scripts ask this program at each Tab. zsh does it in bash's way.
var scripts = map[string]string{
	"bash": bashScript, "zsh": "autoload -U +X bashcompinit && bashcompinit\n" + bashScript,
	"fish": `complete -f -c footy -a '(footy completion fish --line="$(commandline -cp)")'`,
}

const bashScript = `_footy() { COMPREPLY=($(footy completion bash --line="${COMP_LINE:0:$COMP_POINT}")); }
complete -o default -o bashdefault -F _footy footy`

func (c completionCmd) Run(k *kong.Context) error {
	text := scripts[c.Shell]
	if c.Line != nil {
		text = strings.Join(completions(k.Model.Node, *c.Line), "\n")
	}
	_, err := io.WriteString(k.Stdout, strings.TrimLeft(text+"\n", "\n"))
	return footy.Wrap(footy.CodeUnavailable, "print completion", err)
}

// completions are what may stand in place of the last word of a line, which may be empty.
func completions(at *kong.Node, line string) (out []string) {
	words := strings.Split(strings.TrimLeft(line, " "), " ")
	last := words[len(words)-1]
	var value *kong.Value // of the flag before, which the next word gives
	args := 0
	for _, w := range words[1:max(1, len(words)-1)] {
		child := slices.IndexFunc(at.Children, func(n *kong.Node) bool { return n.Name == w })
		switch {
		case w == "":
		case value != nil:
			value = nil
		case strings.HasPrefix(w, "-"):
			value = valueOf(at, w)
		case child >= 0:
			at, args = at.Children[child], 0
		default:
			args++
		}
	}
	switch {
	case len(words) < 2:
	case value != nil:
		out = value.EnumSlice()
	case strings.HasPrefix(last, "-"):
		for _, group := range at.AllFlags(true) {
			for _, f := range group {
				out = append(out, "--"+f.Name)
			}
		}
	default:
		for _, n := range at.Children {
			if !n.Hidden {
				out = append(out, n.Name)
			}
		}
		if args < len(at.Positional) {
			out = append(out, at.Positional[args].EnumSlice()...)
		}
	}
	out = slices.DeleteFunc(out, func(s string) bool { return s == "" || !strings.HasPrefix(s, last) })
	slices.Sort(out)
	return slices.Compact(out)
}

// valueOf is what the word behind a flag gives; nil if none does.
func valueOf(at *kong.Node, flag string) *kong.Value {
	for _, group := range at.AllFlags(false) {
		for _, f := range group {
			if (flag == "--"+f.Name || flag == fmt.Sprintf("-%c", f.Short)) && !f.IsBool() && !f.IsCounter() {
				return f.Value
			}
		}
	}
	return nil
}
