// Package hosts knows where the hosts of clips keep their files. What it knows is a table, hosts.json: which pages are a host's, what to
// ask, where the answer names the file and who may serve it. Hosts come and go with the seasons, so a person may add and override rows.
package hosts

import (
	"bytes"
	_ "embed" // the built-in table
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"golang.org/x/net/html"

	"github.com/found-footy/found-footy/internal/connect/machine/trust"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
)

// File is the name of a person's table in STATE_DIR.
const File = "hosts.json"

// Row is one kind of page of one host. {id} stands for the clip's id in Page and Pattern.
type Row struct {
	Name    string           `json:"name"`
	Hosts   []string         `json:"hosts"`          // of its pages
	Paths   []*regexp.Regexp `json:"paths"`          // of its pages; the first group is the id
	Page    string           `json:"page,omitempty"` // what to ask; "" where the id alone tells the file
	Find    Find             `json:"find"`
	Gone    *regexp.Regexp   `json:"gone,omitempty"`    // an answer that says that the clip is gone
	Ready   *Ready           `json:"ready,omitempty"`   // nil: an answer with a file is ready
	Missing string           `json:"missing,omitempty"` // what it means that no file is named; "" = the page has changed
	Files   []string         `json:"files"`             // who may serve it: a host, or ".example.com" for all of a domain
}

// Find is how the file is found: one of these.
type Find struct {
	Pattern   string `json:"pattern,omitempty"`   // its address
	Attribute string `json:"attribute,omitempty"` // the first attribute of that name
	Meta      string `json:"meta,omitempty"`      // the content of the meta element of this property
	JSON      string `json:"json,omitempty"`      // a field (github.com/tidwall/gjson)
}

// Ready is a field of JSON that says so.
type Ready struct {
	JSON string `json:"json"`
	Is   string `json:"is"`
}

// Table is every row; those of a person go before the built-in ones.
type Table []Row

//go:embed hosts.json
var builtIn []byte

// Load reads the built-in table and the person's beside it, whose rows replace those of the same name.
func Load(stateDir string) (Table, error) {
	own, err := parse("built in", builtIn)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(stateDir, File)
	body, err := trust.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return own, nil
	}
	if err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, "read the table of hosts", err)
	}
	theirs, err := parse(path, body)
	if err != nil {
		return nil, err
	}
	own = slices.DeleteFunc(own, func(r Row) bool { return slices.ContainsFunc(theirs, func(t Row) bool { return t.Name == r.Name }) })
	return append(theirs, own...), nil
}

func parse(path string, body []byte) (Table, error) {
	var file struct {
		Hosts []json.RawMessage `json:"hosts"`
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&file); err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, "read the table of hosts", "%s: %w", path, err)
	}
	var out Table
	for i, raw := range file.Hosts {
		var r Row
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.DisallowUnknownFields()
		err := dec.Decode(&r)
		if err == nil {
			err = r.check()
		}
		if err != nil {
			return nil, footy.Errorf(footy.CodeInvalid, "read the table of hosts", "%s: row %d (%q): %w", path, i+1, r.Name, err)
		}
		out = append(out, r)
	}
	return out, nil
}

func (r Row) check() error {
	ways := 0
	for _, is := range []bool{r.Find.Pattern != "", r.Find.Attribute != "", r.Find.Meta != "", r.Find.JSON != ""} {
		if is {
			ways++
		}
	}
	switch {
	case r.Name == "":
		return errors.New("name is missing")
	case len(r.Hosts) == 0:
		return errors.New("hosts is empty: name the hosts of its pages")
	case len(r.Paths) == 0 || slices.ContainsFunc(r.Paths, func(p *regexp.Regexp) bool { return p == nil || p.NumSubexp() == 0 }):
		return errors.New("paths needs an expression with a group, which is the id")
	case len(r.Files) == 0:
		return errors.New("files is empty: name the hosts that may serve the file")
	case ways != 1:
		return errors.New("find needs one of pattern, attribute, meta, json")
	case r.Page == "" && r.Find.Pattern == "":
		return errors.New("page is missing: what is asked for the file")
	}
	for field, address := range map[string]string{"page": r.Page, "find.pattern": r.Find.Pattern} {
		if address == "" {
			continue
		}
		if u, err := url.Parse(fill(address, "id")); err != nil || u.Host == "" || !httpx.Secure(u) {
			return fmt.Errorf("%s is %q: give an address that begins with https://", field, address)
		}
	}
	return nil
}

// Answer is where a clip's file lies, step by step.
type Answer struct {
	Host    string   `json:"host"` // the row's name
	ID      string   `json:"id"`
	Steps   []string `json:"steps"`
	File    string   `json:"file,omitempty"`
	Gone    string   `json:"gone,omitempty"`    // why there will be none: a fact about the clip
	Trouble string   `json:"trouble,omitempty"` // why it was not found, or may not be fetched: the host's trouble, or ours
}

// Asked is what a host answered.
type Asked struct {
	Status int
	Body   []byte
}

// Lookup finds the row of an address, and the clip's id in it.
func (t Table) Lookup(address string) (Row, string, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" {
		return Row{}, "", footy.Errorf(footy.CodeInvalid, "", "%q is no address of a page; give one like https://streamable.com/abc12", address)
	}
	for _, r := range t {
		if !r.has(u) {
			continue
		}
		for _, p := range r.Paths {
			if m := p.FindStringSubmatch(strings.TrimSuffix(u.Path, "/")); m != nil && m[1] != "" {
				return r, m[1], nil
			}
		}
	}
	return Row{}, "", footy.Errorf(footy.CodeNotFound, "", "no row of the table knows %s; add one to %s in STATE_DIR", u.Host+u.Path, File)
}

// Knows reports whether an address lies on a host of the table, whatever its path.
func (t Table) Knows(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && slices.ContainsFunc(t, func(r Row) bool { return r.has(u) })
}

func (r Row) has(u *url.URL) bool {
	return slices.Contains(r.Hosts, strings.ToLower(u.Hostname())) || slices.Contains(r.Hosts, u.Host)
}

// Resolve finds the file of a page's clip. ask asks a host, where that is needed. What is wrong with the host, or not yet so, is an error
// with the steps until then; it is never the post's fault.
func (t Table) Resolve(address string, ask func(page string) (Asked, error)) (Answer, error) {
	r, id, err := t.Lookup(address)
	if err != nil {
		return Answer{Steps: []string{}}, err
	}
	a := Answer{Host: r.Name, ID: id, Steps: []string{fmt.Sprintf("a page of %s, clip %s", r.Name, id)}}
	if r.Page == "" {
		return a.at(r, fill(r.Find.Pattern, id))
	}
	page := fill(r.Page, id)
	got, err := ask(page)
	if at := hop(err); at != nil && strings.Contains(at.Hostname(), abused) {
		a.step("asked %s: led to %s", page, at.Hostname())
		a.Gone = "another film stands in its place, at " + at.Host
		return a, nil
	}
	if at := hop(err); at != nil && at.Host != "" && !strings.HasPrefix(page, at.Scheme+"://"+at.Host+"/") {
		return a, r.unlisted(at, "page")
	}
	if err != nil {
		return a, r.Failure(footy.Wrap(footy.CodeUnavailable, "ask "+page, err))
	}
	a.step("asked %s: status %d, %d bytes", page, got.Status, len(got.Body))
	switch {
	case got.Status == http.StatusNotFound || got.Status == http.StatusGone:
		a.Gone = fmt.Sprintf("%s answers %d", r.Name, got.Status)
		return a, nil
	case got.Status != http.StatusOK:
		return a, r.trouble("status %d", got.Status)
	case r.Gone != nil && r.Gone.Match(got.Body):
		a.Gone = "its answer says that the clip is gone"
		return a, nil
	}
	if r.Ready != nil {
		if is := gjson.GetBytes(got.Body, r.Ready.JSON).String(); is != r.Ready.Is {
			return a, r.trouble("%s is %q and not %q: %s", r.Ready.JSON, is, r.Ready.Is, r.missing())
		}
	}
	found, how := r.Find.in(got.Body, id)
	if found == "" {
		return a, r.trouble("its answer has no %s: %s", how, r.missing())
	}
	a.step("found %s", how)
	base, err := url.Parse(page)
	if err != nil {
		return a, r.trouble("%w", err)
	}
	file, err := base.Parse(found) // it may lack its scheme
	if err != nil {
		return a, r.trouble("%s is no address: %w", how, err)
	}
	return a.at(r, file.String())
}

func (r Row) missing() string {
	if r.Missing != "" {
		return r.Missing
	}
	return "its pages have changed; a row in " + File + " may say how they are now"
}

func fill(text, id string) string { return strings.ReplaceAll(text, "{id}", id) }

func (a *Answer) step(format string, args ...any) {
	a.Steps = append(a.Steps, fmt.Sprintf(format, args...))
}

// at ends with a file, if who serves it may.
func (a Answer) at(r Row, file string) (Answer, error) {
	u, err := url.Parse(file)
	switch {
	case err != nil || u.Host == "":
		return a, r.trouble("%q is no address of a file", file)
	case strings.Contains(u.Host, abused):
		a.step("the file is at %s", u.Host)
		a.Gone = "another film stands in its place, at " + u.Host
		return a, nil
	}
	a.File = file
	if !httpx.Secure(u) || !httpx.Allowed(u.Host, r.Files) {
		a.step("the file is at %s", u.Host)
		return a, r.unlisted(u, "files")
	}
	a.step("the file is at %s, which may serve it", u.Host)
	return a, nil
}

// in finds the file in an answer, and says by what.
func (f Find) in(body []byte, id string) (file, how string) {
	switch {
	case f.Pattern != "":
		return fill(f.Pattern, id), "address of the id"
	case f.JSON != "":
		return gjson.GetBytes(body, f.JSON).String(), "field " + f.JSON
	case f.Meta != "":
		return attribute(body, "content", func(element string, a map[string]string) bool {
			return element == "meta" && (a["property"] == f.Meta || a["name"] == f.Meta)
		}), "meta element " + f.Meta
	}
	return attribute(body, f.Attribute, func(string, map[string]string) bool { return true }), "attribute " + f.Attribute
}

// attribute is that of the first element that is meant and has it.
func attribute(body []byte, name string, meant func(element string, all map[string]string) bool) string {
	page := html.NewTokenizer(bytes.NewReader(body))
	for {
		switch page.Next() {
		case html.ErrorToken: // the end
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			t := page.Token()
			all := map[string]string{}
			for _, a := range t.Attr {
				all[a.Key] = a.Val
			}
			if all[name] != "" && meant(t.Data, all) {
				return strings.TrimSpace(all[name])
			}
		}
	}
}
