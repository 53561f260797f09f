package inspect

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/footy"
)

// HostAnswer is where a page's file lies, step by step.
type HostAnswer struct{ hosts.Answer }

// Host finds the file of a page. page is a file with what the host answers, in whose place no host is asked. Without it, and where no way has a
// video, the file is what the first way guesses.
func Host(t hosts.Table, address, page string, ask hosts.Ask) (HostAnswer, error) {
	var a hosts.Answer
	var err error
	if page == "" {
		a, err = t.Resolve(address, "", false, ask)
	} else {
		body, failed := os.ReadFile(page)
		if failed != nil {
			return HostAnswer{}, footy.Errorf(footy.CodeInvalid, "", "--page=%s cannot be read (%w); give a file with what the host answers", page, failed)
		}
		a, err = t.Read(address, body)
	}
	switch {
	case footy.CodeOf(err) == footy.CodeInvalid:
		return HostAnswer{}, err
	case page == "" && a.File == "" && a.Gone == "" && a.Ways[0].How == "address":
		a.File = a.Ways[0].Address
	}
	if err != nil {
		a.Trouble = hosts.What(err)
	}
	return HostAnswer{a}, nil
}

// MarshalJSON writes no file as null.
func (a HostAnswer) MarshalJSON() ([]byte, error) {
	out := struct {
		hosts.Answer
		File *string `json:"file"`
	}{Answer: a.Answer}
	if a.File != "" {
		out.File = &a.File
	}
	return json.Marshal(out)
}

// String is for people: a step a line.
func (a HostAnswer) String() string {
	var b strings.Builder
	for _, way := range a.Ways {
		fmt.Fprintf(&b, "way: %s %s\n", way.How, way.Address)
	}
	for _, s := range a.Steps {
		fmt.Fprintln(&b, s)
	}
	for _, end := range []struct{ name, text string }{{"gone", a.Gone}, {"file", a.File}, {"trouble", a.Trouble}} {
		if end.text != "" {
			fmt.Fprintf(&b, "%s: %s\n", end.name, end.text)
		}
	}
	return b.String()
}
