// Package hosts knows where the hosts of clips keep their files. What it knows is a table, hosts.json: which pages are a host's, and the ways
// to the file. Hosts move within weeks, so a row only guesses: each way is tried until one answers with a video, and what a page names counts
// for any host. A person may add and override rows.
package hosts

import (
	"bytes"
	_ "embed" // the built-in table
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/machine/trust"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
)

// File is the name of a person's table in STATE_DIR.
const File = "hosts.json"

// Row is one kind of page of one host. {id} stands for the clip's id in the addresses of its ways.
type Row struct {
	Name    string           `json:"name"`
	Hosts   []string         `json:"hosts"`             // of its pages
	Paths   []*regexp.Regexp `json:"paths"`             // of its pages; the first group is the id
	Page    string           `json:"page,omitempty"`    // of the first way
	Find    Find             `json:"find,omitzero"`     // of the first way
	Ways    []Way            `json:"ways,omitempty"`    // further ones, in the order in which they are tried
	Gone    *regexp.Regexp   `json:"gone,omitempty"`    // an answer that says that the clip is gone
	Ready   *Ready           `json:"ready,omitempty"`   // nil: an answer with a file is ready
	Missing string           `json:"missing,omitempty"` // what it means that no file is named: Deleted, or words; "" = the page has changed
	Files   []string         `json:"files,omitempty"`   // who alone may serve it: a host, or ".example.com" for all of a domain; none = any public host

	unknown bool // no row of the table: all that is known is the page
}

// Deleted is what Missing says of a host whose page names the file of every clip that is there.
const Deleted = "deleted"

// Way is one way to the file.
type Way struct {
	Page string `json:"page,omitempty"` // what to ask; "" = the page that the post links to, or nothing where the id alone tells the file
	Find Find   `json:"find"`
}

// Find is how the file is found: one of these.
type Find struct {
	Pattern   string `json:"pattern,omitempty"`   // its address, which is a guess
	Attribute string `json:"attribute,omitempty"` // the first attribute of that name
	Meta      string `json:"meta,omitempty"`      // the content of the meta element of this property
	JSON      string `json:"json,omitempty"`      // a field (github.com/tidwall/gjson)
	Dash      string `json:"dash,omitempty"`      // the best track of that kind in a DASH play-list
	Any       bool   `json:"any,omitempty"`       // what any page may name: og:video, <video>, contentUrl, a player
}

// how is the kind of way that finds so.
func (f Find) how() string {
	switch {
	case f.Pattern != "":
		return "address"
	case f.JSON != "":
		return "json"
	case f.Dash != "":
		return "playlist"
	}
	return "page"
}

func (w Way) name() string { return strings.TrimSpace(w.Page + " " + w.Find.by()) }

// Ready is a field of JSON that says so.
type Ready struct {
	JSON  string `json:"json"`
	Is    string `json:"is"`
	Never string `json:"never,omitempty"` // its value where there will be no file
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
			for i, host := range r.Hosts {
				if u, err := join(nil, "https://"+host); err == nil {
					r.Hosts[i] = u.Host
				}
			}
			if r.Find != (Find{}) {
				r.Ways = append([]Way{{r.Page, r.Find}}, r.Ways...)
				r.Page, r.Find = "", Find{}
			}
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
	switch {
	case r.Name == "":
		return errors.New("name is missing")
	case len(r.Hosts) == 0:
		return errors.New("hosts is empty: name the hosts of its pages")
	case len(r.Paths) == 0 || slices.ContainsFunc(r.Paths, func(p *regexp.Regexp) bool { return p == nil || p.NumSubexp() == 0 }):
		return errors.New("paths needs an expression with a group, which is the id")
	case r.Page != "" || len(r.Ways) == 0:
		return errors.New("find needs one of pattern, attribute, meta, json, dash, any")
	}
	for _, w := range r.Ways {
		ways := 0
		for _, is := range []bool{w.Find.Pattern != "", w.Find.Attribute != "", w.Find.Meta != "", w.Find.JSON != "", w.Find.Dash != "", w.Find.Any} {
			if is {
				ways++
			}
		}
		switch {
		case ways != 1:
			return errors.New("find needs one of pattern, attribute, meta, json, dash, any")
		case w.Page == "" && (w.Find.JSON != "" || w.Find.Dash != ""):
			return errors.New("page is missing: what is asked for the file")
		}
		for field, address := range map[string]string{"page": w.Page, "find.pattern": w.Find.Pattern} {
			if address == "" {
				continue
			}
			if u, err := url.Parse(fill(address, "id")); err != nil || u.Host == "" || !httpx.Secure(u) {
				return fmt.Errorf("%s is %q: give an address that begins with https://", field, address)
			}
		}
	}
	return nil
}

// Lookup finds the row of an address, and the clip's id in it. Where the table has none, it is the row of a host of which only the page is known.
func (t Table) Lookup(address string) (Row, string, error) {
	u, err := join(nil, address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil {
		return Row{}, "", footy.Errorf(footy.CodeInvalid, "", "%q is no address of a page; give one like https://streamable.com/abc12", address)
	}
	if id := RedditVideo(address); id != "" {
		u = &url.URL{Scheme: "https", Host: redditVideos, Path: "/" + id}
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
	return Row{Name: strings.ToLower(u.Hostname()), Hosts: []string{u.Host}, unknown: true}, "", nil
}

// Knows reports whether an address lies on a host of the table, whatever its path.
func (t Table) Knows(address string) bool {
	u, err := join(nil, address)
	return err == nil && u.Host != "" && slices.ContainsFunc(t, func(r Row) bool { return r.has(u) })
}

// Known reports whether it is a row of the table.
func (r Row) Known() bool { return !r.unknown }

// Names reports whether pages or answers of its own name the files.
func (r Row) Names() bool {
	return slices.ContainsFunc(r.Ways, func(w Way) bool { return w.Find.Pattern == "" })
}

func (r Row) has(u *url.URL) bool {
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	return slices.Contains(r.Hosts, strings.TrimPrefix(host, "www.")) || slices.Contains(r.Hosts, host) || slices.Contains(r.Hosts, u.Host)
}

func (r Row) missing() string {
	if r.Missing != "" {
		return r.Missing
	}
	return "its pages have changed; a row in " + File + " may say how they are now"
}

func fill(text, id string) string { return strings.ReplaceAll(text, "{id}", id) }

const redditVideos = "v.redd.it"

// playerPath is a video below its post, or its page: /link/POST/video/ID/player, /link/POST/asset/ID/DASHPlaylist.mpd, /video/ID.
var playerPath = regexp.MustCompile(`^/(?:link/[^/]+/)?(?:video|asset)/([A-Za-z0-9]+)(?:/|$)`)

// RedditVideo is the id of a video of Reddit's own, whichever of its addresses a post brings; "" if it is none.
func RedditVideo(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	host, page := strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), playerPath.FindStringSubmatch(u.Path)
	switch own := host == redditVideos || httpx.Allowed(host, []string{".reddit.com"}); {
	case own && page != nil:
		return page[1]
	case host == redditVideos, host == "packaged-media.redd.it":
		id, _, _ := strings.Cut(strings.TrimLeft(u.Path, "/"), "/")
		if id != "" && strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" {
			return id
		}
	}
	return ""
}

// Playlist is what a DASH play-list says of its tracks, as far as it matters.
type Playlist struct {
	Sets []struct {
		Content string `xml:"contentType,attr"`
		Kind    string `xml:"mimeType,attr"`
		Tracks  []struct {
			Kind      string `xml:"mimeType,attr"`
			Bandwidth int    `xml:"bandwidth,attr"`
			BaseURL   string `xml:"BaseURL"`
		} `xml:"Representation"`
	} `xml:"Period>AdaptationSet"`
}

// ReadPlaylist reads a play-list.
func ReadPlaylist(raw []byte) (Playlist, error) {
	var list Playlist
	err := xml.Unmarshal(raw, &list)
	return list, err
}

// Best is the best track of a kind (video, audio), relative to the play-list; "" if it names none.
func (l Playlist) Best(kind string) string {
	found, bandwidth := "", -1
	for _, s := range l.Sets {
		for _, t := range s.Tracks {
			is := s.Content == kind || strings.HasPrefix(s.Kind, kind+"/") || strings.HasPrefix(t.Kind, kind+"/")
			if at := strings.TrimSpace(t.BaseURL); is && at != "" && t.Bandwidth > bandwidth {
				found, bandwidth = at, t.Bandwidth
			}
		}
	}
	return found
}
