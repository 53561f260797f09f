package config

import (
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Base is where RSS and tokens are asked for: URL, unless Feed is an address on this machine, as that of a stand-in for Reddit is.
func (r Reddit) Base() string {
	u, err := url.Parse(r.Feed)
	if err != nil || r.Feed == "" || net.ParseIP(u.Hostname()) == nil || !net.ParseIP(u.Hostname()).IsLoopback() {
		return r.URL
	}
	before, _, listed := strings.Cut(u.Path, "/r/")
	if !listed { // the list of the front page
		before = strings.TrimSuffix(u.Path, "/.rss")
	}
	return u.Scheme + "://" + u.Host + before
}

var subreddits = regexp.MustCompile(`/r/([^/]+)/`)

// wrongFeed says in words what is wrong with the address of RSS; "" if nothing is. The words name none of it: it is secret.
func (c *Config) wrongFeed() string {
	if c.Reddit.Feed == "" {
		return ""
	}
	u, err := url.Parse(c.Reddit.Feed)
	if err != nil {
		return "is not an address"
	}
	base, err := url.Parse(c.Reddit.URL) // a wrong one is that setting's problem
	if ours := err == nil && u.Scheme == base.Scheme && u.Host == base.Host; !ours && c.Reddit.Base() == c.Reddit.URL {
		if u.Scheme != "https" || !slices.Contains([]string{"www.reddit.com", "old.reddit.com", "reddit.com"}, strings.ToLower(u.Host)) {
			return "is not an address at https://www.reddit.com"
		}
	}
	user, token := c.Reddit.Own()
	switch {
	case u.User != nil:
		return "has a login before its host"
	case !strings.HasSuffix(u.Path, ".rss"):
		return "is not an address of RSS: its path does not end in .rss"
	case token == "":
		return "has no token: feed= is missing"
	case user == "":
		return "has no name: user= is missing"
	}
	if in := subreddits.FindStringSubmatch(u.Path); in != nil {
		for _, name := range strings.Split(in[1], "+") {
			if !slices.ContainsFunc(c.Reddit.Subreddits, func(s string) bool { return strings.EqualFold(s, name) }) {
				return "names a subreddit that REDDIT_SUBREDDITS leaves out"
			}
		}
	}
	return ""
}

// SecondDoor is the address of the archive; "" where it is turned off.
func (r Reddit) SecondDoor() string {
	if r.Archive == "off" {
		return ""
	}
	return r.Archive
}

// wrongArchive says in words what is wrong with the archive's address; "" if nothing is.
func (r Reddit) wrongArchive() string {
	if r.SecondDoor() == "" {
		return ""
	}
	u, err := url.Parse(r.Archive)
	beside, bad := url.Parse(r.URL) // a stand-in for Reddit has one for the archive, too
	plain := err == nil && u.Scheme == "http" && (net.ParseIP(u.Hostname()).IsLoopback() || bad == nil && beside.Scheme == u.Scheme && beside.Host == u.Host)
	switch {
	case err != nil, u.Hostname() == "", u.Scheme != "https" && !plain:
		return "is neither off nor an https:// address"
	case u.User != nil:
		return "has a login before its host"
	case u.RawQuery != "" || u.Fragment != "":
		return "has more than an address: something follows a ? or #"
	}
	return ""
}

// shownArchive is that address as a message may show it: a login hides in none without an @.
func (r Reddit) shownArchive() string {
	if strings.Contains(r.Archive, "@") {
		return Setting{Secret: "url"}.masked(r.Archive)
	}
	return Setting{}.masked(r.Archive)
}
