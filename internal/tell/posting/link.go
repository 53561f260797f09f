package posting

import (
	"net/url"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

const readLink = "read the link of a post"

// LinkPath is the path of a link to one of these hosts, in parts; nil for any other.
func LinkPath(link string, hosts ...string) []string {
	link = strings.TrimSpace(link)
	if !strings.Contains(link, "://") {
		link = "https://" + link
	}
	u, err := url.Parse(link)
	if err != nil || !slices.Contains(hosts, strings.TrimPrefix(strings.ToLower(u.Host), "www.")) {
		return nil
	}
	return strings.Split(strings.Trim(u.Path, "/"), "/")
}

// IsNumber reports whether an id is all digits, as those of Discord, Telegram and X are.
func IsNumber(id string) bool {
	return id != "" && strings.Trim(id, "0123456789") == ""
}

// Foreign is the error for a link to something else.
func Foreign(service, want string) error {
	return footy.Errorf(footy.CodeInvalid, readLink, "this is no link to a post of ours at %s; expected %s", service, want)
}
