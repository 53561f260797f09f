package answer

import (
	"net/http"
	"net/url"
	"regexp"
)

// Redirect sends the client to another path, with the query it came with.
func Redirect(w http.ResponseWriter, r *http.Request, path string, status int) {
	http.Redirect(w, r, (&url.URL{Path: path, RawQuery: r.URL.RawQuery}).String(), status)
}

// localPath has segments of plain characters that begin with no dot, so nothing in it is cleaned, decoded or read as a host by Go, a proxy or a
// browser, which drops tabs and line breaks and takes a backslash for a slash. Behind it come a query and a fragment of printable ASCII.
var localPath = regexp.MustCompile(`^/(\w[\w.~-]*/)*(\w[\w.~-]*)?([?#][!-\[\]-~]*)?$`)

// LocalPath reports whether Go and every browser read an address that a request carried as a path of this site.
func LocalPath(address string) bool { return localPath.MatchString(address) }
