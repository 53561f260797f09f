package inspect

import (
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/footy"
)

// HostAnswer is where the table of hosts finds a page's file, step by step.
type HostAnswer struct{ hosts.Answer }

// Host resolves the address of a page. page is a file with the host's answer; "" = ask asks the host.
func Host(t hosts.Table, address, page string, ask func(page string) (hosts.Asked, error)) (HostAnswer, error) {
	if page != "" {
		ask = func(string) (hosts.Asked, error) {
			body, err := os.ReadFile(page)
			return hosts.Asked{Status: http.StatusOK, Body: body}, err
		}
	}
	a, err := t.Resolve(address, ask)
	if err != nil && a.Host == "" { // no row knows the page
		return HostAnswer{}, err
	}
	if err != nil {
		a.Trouble = footy.UserMessage(err)
	}
	return HostAnswer{a}, nil
}

// String is for people: a step a line.
func (a HostAnswer) String() string {
	var b strings.Builder
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
