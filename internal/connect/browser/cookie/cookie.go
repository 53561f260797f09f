// Package cookie reads the cookies a person brings from their own browser and keeps them in one private file. Only cookies
// of the site itself are taken: an export often holds every site the person ever visited.
package cookie

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/machine/trust"
	"github.com/found-footy/found-footy/internal/footy"
)

// Cookie is one cookie as it is stored, which is how Chromium names its parts. Expires is 0 for a session cookie, else seconds of Unix time.
type Cookie struct {
	Name     string  `json:"name"`
	Value    string  `json:"value"`
	Domain   string  `json:"domain"`
	Path     string  `json:"path"`
	Expires  float64 `json:"expires,omitempty"`
	HTTPOnly bool    `json:"httpOnly,omitempty"`
	Secure   bool    `json:"secure,omitempty"`
	SameSite string  `json:"sameSite,omitempty"` // Strict, Lax, None or ""
}

// The two cookies that make a session: the login and its proof against forged requests.
const (
	Session = "auth_token"
	CSRF    = "ct0"
)

// aliases are names of the same site; twitter.com's cookies are taken over as x.com's.
var aliases = map[string]string{"twitter.com": "x.com"}

// Import reads an export in JSON (an array, or an object with "cookies") or in Netscape format, of one host.
func Import(raw []byte, host string) ([]Cookie, error) {
	const op = "import cookies"
	parse := netscape
	if s := strings.TrimSpace(strings.TrimPrefix(string(raw), "\xef\xbb\xbf")); strings.HasPrefix(s, "[") || strings.HasPrefix(s, "{") {
		raw, parse = []byte(s), jsonExport
	}
	all, err := parse(raw)
	if err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, op, err)
	}
	own := Of(all, host)
	if !Has(own, Session) {
		return nil, footy.Errorf(footy.CodeInvalid, op, "no %s cookie of %s among %d cookies: export them while logged in, with httpOnly cookies included", Session, host, len(all))
	}
	return own, nil
}

// Of keeps the cookies of one host and its subdomains, with aliases renamed; the later of two of a name wins.
func Of(all []Cookie, host string) []Cookie {
	byKey := map[string]Cookie{}
	for _, c := range all {
		bare := strings.ToLower(strings.TrimPrefix(c.Domain, "."))
		for from, to := range aliases {
			if to == host && (bare == from || strings.HasSuffix(bare, "."+from)) {
				c.Domain, bare = strings.Replace(strings.ToLower(c.Domain), from, to, 1), strings.Replace(bare, from, to, 1)
			}
		}
		if c.Name == "" || bare != host && !strings.HasSuffix(bare, "."+host) || strings.ContainsAny(c.Value, "\r\n;") {
			continue
		}
		c.Path, c.Expires = cmp.Or(c.Path, "/"), max(c.Expires, 0) // -1 for a session cookie, too
		byKey[c.Name+"\x00"+c.Domain+"\x00"+c.Path] = c
	}
	return slices.SortedFunc(maps.Values(byKey), func(a, b Cookie) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.Path, b.Path))
	})
}

// Has reports whether a cookie of that name is there and not blank.
func Has(all []Cookie, name string) bool {
	return slices.ContainsFunc(all, func(c Cookie) bool { return c.Name == name && c.Value != "" })
}

// ValidUntil is when the session ends; zero where it does not say.
func ValidUntil(all []Cookie) time.Time {
	for _, c := range all {
		if c.Name == Session && c.Expires > 0 {
			return time.Unix(int64(c.Expires), 0).UTC()
		}
	}
	return time.Time{}
}

// Unexpired drops cookies that have expired.
func Unexpired(all []Cookie, now time.Time) []Cookie {
	var out []Cookie
	for _, c := range all {
		if c.Expires <= 0 || c.Expires > float64(now.Unix()) {
			out = append(out, c)
		}
	}
	return out
}

// jsonExport reads what browser extensions write: their names for the same field differ.
func jsonExport(raw []byte) ([]Cookie, error) {
	type exported struct {
		Name           string   `json:"name"`
		Value          string   `json:"value"`
		Domain         string   `json:"domain"`
		Host           string   `json:"host"`
		Path           string   `json:"path"`
		Expires        *float64 `json:"expires"`
		ExpirationDate *float64 `json:"expirationDate"`
		HTTPOnly       bool     `json:"httpOnly"`
		Secure         bool     `json:"secure"`
		SameSite       string   `json:"sameSite"`
	}
	var file struct {
		Cookies []exported `json:"cookies"`
	}
	into := any(&file.Cookies)
	if raw[0] == '{' {
		into = &file
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return nil, fmt.Errorf("no cookie JSON: %w", err)
	}
	var out []Cookie
	for _, e := range file.Cookies {
		c := Cookie{Name: e.Name, Value: e.Value, Domain: e.Domain, Path: e.Path, HTTPOnly: e.HTTPOnly, Secure: e.Secure, SameSite: sameSite(e.SameSite)}
		c.Domain = cmp.Or(c.Domain, e.Host)
		for _, at := range []*float64{e.Expires, e.ExpirationDate} {
			if at != nil && *at > 0 {
				c.Expires = *at
			}
		}
		out = append(out, c)
	}
	return out, nil
}

func sameSite(s string) string {
	switch strings.ToLower(s) {
	case "strict":
		return "Strict"
	case "lax":
		return "Lax"
	case "none", "no_restriction":
		return "None"
	}
	return ""
}

// netscape reads the cookies.txt format: seven fields between tabs; httpOnly is a prefix that looks like a comment.
func netscape(raw []byte) ([]Cookie, error) {
	var out []Cookie
	for i, line := range strings.Split(string(raw), "\n") {
		line = strings.TrimRight(line, "\r")
		rest, httpOnly := strings.CutPrefix(line, "#HttpOnly_")
		if !httpOnly && strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		f := strings.Split(rest, "\t")
		if len(f) != 7 {
			return nil, fmt.Errorf("line %d is no cookie: %d fields between tabs instead of 7", i+1, len(f))
		}
		expires, err := strconv.ParseFloat(f[4], 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: %q is no time of expiry", i+1, f[4])
		}
		out = append(out, Cookie{Domain: f[0], Path: f[2], Secure: strings.EqualFold(f[3], "TRUE"), Expires: max(expires, 0),
			Name: f[5], Value: f[6], HTTPOnly: httpOnly})
	}
	return out, nil
}

// File is where they are kept in the directory of a browser.
func File(dir string) string { return filepath.Join(dir, "cookies.json") }

// Load reads the cookie file; no file is no cookies.
func Load(path string) (all []Cookie, err error) {
	const op = "read cookie file"
	raw, err := trust.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) { // of releases up to 1.2
		var file struct{ Cookies json.RawMessage }
		if err = json.Unmarshal(raw, &file); err == nil {
			raw = file.Cookies
		}
	}
	if err == nil {
		err = json.Unmarshal(raw, &all)
	}
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, op, "%s: %w; bring the cookies again", path, err)
	}
	return all, nil
}

// Save replaces the cookie file in one step; nobody but its owner may read it, since it is as good as a password.
func Save(path string, all []Cookie) error {
	const op = "write cookie file"
	raw, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return footy.Wrap(footy.CodeInvalid, op, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return footy.Wrap(footy.CodeUnavailable, op, err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".cookies-*") // made with mode 0600
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, op, err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(raw)
	if err == nil {
		err = tmp.Sync()
	}
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	return footy.Wrap(footy.CodeUnavailable, op, err)
}
