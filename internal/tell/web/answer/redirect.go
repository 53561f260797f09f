package answer

import (
	"net/http"
	"net/url"
	"path"
	"strings"
)

// Redirect sends the client to another path, with the query it came with.
func Redirect(w http.ResponseWriter, r *http.Request, path string, status int) {
	http.Redirect(w, r, (&url.URL{Path: path, RawQuery: r.URL.RawQuery}).String(), status)
}

// LocalPath reports whether Go and every browser read an address that a request carried as a path of this site. Browsers drop tabs and line
// breaks anywhere and take a backslash for a slash, so "/\t/host" names a host to them. What a proxy may decode on the way is held to
// the same rule.
func LocalPath(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" {
		return false
	}
	decoded, err := url.PathUnescape(u.Path)
	return err == nil && plainPath(u.EscapedPath()) && plainPath(u.Path) && plainPath(decoded) && printable(address)
}

// plainPath begins with one slash and stays as it is when it is cleaned.
func plainPath(p string) bool {
	return strings.HasPrefix(p, "/") && (p == "/" || path.Clean(p) == strings.TrimSuffix(p, "/")) && printable(p)
}

// printable is ASCII without spaces, control characters and backslashes.
func printable(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c > '~' || c == '\\' })
}
