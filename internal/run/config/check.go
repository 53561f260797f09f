package config

import (
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// outOfBounds checks each value that was set against the limits in its tags. Defaults are checked by the tests.
func outOfBounds(c *Config, set map[string]string) Problems {
	var out Problems
	for _, s := range Settings(c.groups...) {
		raw, ok := set[s.Name]
		if !ok {
			continue
		}
		if why := s.wrongValue(s.in(c)); why != "" {
			out = append(out, s.problem(raw, why))
		}
	}
	return out
}

// wrongValue says in words what is wrong with a value; "" if nothing is.
func (s Setting) wrongValue(v reflect.Value) string {
	if v.Kind() == reflect.Slice {
		for i := range v.Len() {
			if why := s.wrongValue(v.Index(i)); why != "" {
				return why
			}
		}
		return ""
	}
	if words := s.words(); len(words) > 0 && !slices.Contains(words, v.String()) {
		return "is not one of " + strings.Join(words, ", ") + meant(v.String(), words)
	}
	if n, err := strconv.Atoi(s.tag.Get("minlen")); err == nil && v.Len() < n {
		return "is shorter than " + strconv.Itoa(n) + " characters"
	}
	if why := s.wrongFormat(v); why != "" {
		return why
	}
	if x, ok := number(v); ok {
		lo, hasLo := limit(v, s.tag.Get("min"))
		hi, hasHi := limit(v, s.tag.Get("max"))
		switch {
		case hasLo && x < lo && hasHi, hasHi && x > hi:
			return "is not between " + s.tag.Get("min") + " and " + s.tag.Get("max")
		case hasLo && x < lo:
			return "is less than " + s.tag.Get("min")
		}
	}
	return ""
}

// wrongFormat checks addresses, and what must fit a line.
func (s Setting) wrongFormat(v reflect.Value) string {
	switch s.tag.Get("format") {
	case "url":
		u, err := url.Parse(v.String())
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return "is not an http or https address"
		}
	case "mongo":
		if !strings.HasPrefix(v.String(), "mongodb://") && !strings.HasPrefix(v.String(), "mongodb+srv://") {
			return "is not a mongodb:// address"
		}
	case "postgres":
		return wrongPostgres(v.String())
	case "hostport":
		_, port, err := net.SplitHostPort(v.String())
		if n, bad := strconv.Atoi(port); err != nil || bad != nil || n < 0 || n > 65535 {
			return "is not host:port"
		}
	case "line":
		if strings.ContainsFunc(v.String(), func(r rune) bool { return r < ' ' || r > '~' }) || v.Len() > 512 {
			return "is not one line of at most 512 plain letters"
		}
	case "leagues", "teams":
		return wrongName(v.String())
	case "networks":
		if _, err := netip.ParsePrefix(v.String()); err != nil {
			if _, err := netip.ParseAddr(v.String()); err != nil {
				return "is neither an address nor a network"
			}
		}
	case "endpoint":
		if host, _ := splitScheme(v.String()); host == "" || strings.ContainsAny(host, "/ ") {
			return "is not a host with an optional port and scheme"
		}
	}
	return ""
}

// wrongPostgres says what is wrong with the address of a PostgreSQL server; "" if nothing is.
func wrongPostgres(address string) string {
	rest, ok := strings.CutPrefix(address, "postgres://")
	if !ok {
		rest, ok = strings.CutPrefix(address, "postgresql://")
	}
	before, _, _ := strings.Cut(rest, "?")
	at := strings.LastIndex(before, "@")
	switch {
	case !ok:
		return "is not a postgres:// address"
	case strings.ContainsAny(before[:max(at, 0)], "/@"):
		return "has a / or @ in its password, which must be written %2F or %40"
	}
	return ""
}

// wrongName says what is wrong with one entry of a list of ids and names; "" if nothing is.
func wrongName(entry string) string {
	entry = strings.TrimSpace(entry)
	if id, err := strconv.ParseInt(entry, 10, 64); err == nil {
		if id < 1 {
			return "has an id that is less than 1"
		}
		return ""
	}
	if !strings.ContainsFunc(entry, unicode.IsLetter) {
		return "has an entry that is neither an id nor a name"
	}
	return ""
}

func number(v reflect.Value) (float64, bool) {
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}

func limit(v reflect.Value, text string) (float64, bool) {
	if v.Type() == reflect.TypeFor[time.Duration]() {
		d, err := time.ParseDuration(text)
		return float64(d), err == nil
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}

// contradictions are settings that are fine alone and wrong together.
func contradictions(c *Config, set map[string]string) Problems {
	var out Problems
	out = append(out, feedProblems(c, set)...)
	if none := slices.ContainsFunc(c.Track.Leagues, isNone); none && len(c.Track.Leagues) > 1 {
		out = append(out, Problem{
			Setting: "TRACK_LEAGUES", Value: strings.Join(c.Track.Leagues, ","),
			Why: "names leagues beside none", Remedy: "write none alone to follow only the teams of TRACK_TEAMS",
		})
	} else if none && len(c.Track.Teams) == 0 {
		out = append(out, Problem{
			Setting: "TRACK_LEAGUES", Value: "none",
			Why: "follows nothing without TRACK_TEAMS", Remedy: "set TRACK_TEAMS to the teams to follow, or unset TRACK_LEAGUES",
		})
	}
	for _, l := range Settings(c.groups...) {
		if list, _ := l.in(c).Interface().([]string); len(l.words()) > 0 {
			for i, name := range list {
				if slices.Contains(list[:i], name) {
					out = append(out, Problem{Setting: l.Name, Value: strings.Join(list, ","), Why: "names " + name + " twice", Remedy: "name each once"})
				}
			}
		}
		why := map[string]string{"teams": "is no team", "leagues": "is no league"}[l.tag.Get("format")]
		list, _ := l.in(c).Interface().([]string)
		if why != "" && l.Name != "TRACK_LEAGUES" && slices.ContainsFunc(list, isNone) {
			out = append(out, Problem{Setting: l.Name, Value: strings.Join(list, ","), Why: why, Remedy: "leave none out of " + l.Name})
		}
	}
	if c.State.Postgres != "" && c.State.MongoURI != "" {
		out = append(out, Problem{Setting: "POSTGRES_URL and MONGODB_URI", Why: "are both set, and state is kept in one database", Remedy: "unset one of them"})
	}
	if p := c.S3.withoutLogin(); p.Setting != "" {
		out = append(out, p)
	}
	if c.S3.PublicURL != "" && c.S3.Endpoint == "" {
		out = append(out, Problem{Setting: "S3_PUBLIC_URL", Value: c.S3.PublicURL, Why: "is where viewers reach an object store, and none is set", Remedy: "set S3_ENDPOINT, or unset S3_PUBLIC_URL"})
	}
	if u, err := url.Parse(c.S3.PublicURL); err == nil && c.S3.Signed && strings.Trim(u.Path, "/") != "" {
		out = append(out, Problem{Setting: "S3_PUBLIC_URL", Value: c.S3.PublicURL, Why: "has a path, which a signature does not allow", Remedy: "leave " + u.Path + " out, or set S3_PUBLIC_SIGNED=false if it is a CDN"})
	}
	if p := c.S3.readScheme(set["S3_SECURE"]); p.Setting != "" {
		out = append(out, p)
	}
	if c.Search.ServiceToken == "" && !onLoopback(c.Browser.Addr) {
		out = append(out, Problem{
			Setting: "BROWSER_ADDR", Value: c.Browser.Addr,
			Why: "can be reached from other machines and needs TWITTER_SERVICE_TOKEN", Remedy: "set the same token for the search service and its workers, or listen on 127.0.0.1",
		})
	}
	out = append(out, redditProblems(c)...)
	if slices.Equal(c.Search.Sources, []string{"xapi"}) && c.Search.BearerToken == "" && !c.RedditOn() {
		out = append(out, Problem{
			Setting: "SOURCES", Value: "xapi",
			Why: "needs X_BEARER_TOKEN", Remedy: "set it, or add reddit, or add xweb to search with a browser",
		})
	}
	for i, g := range c.groups {
		if g.Check != nil {
			out = append(out, g.Check(*c, c.own[i])...)
		}
	}
	return out
}

// onLoopback reports whether only this machine can reach an address to listen on. An address that is none is another problem's.
func onLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	return err != nil || host == "localhost" || ip != nil && ip.IsLoopback()
}

// splitScheme cuts http:// or https:// and a closing slash off an address.
func splitScheme(address string) (host, scheme string) {
	host = address
	for _, s := range []string{"http", "https"} {
		if n := len(s + "://"); len(address) >= n && strings.EqualFold(address[:n], s+"://") {
			host, scheme = address[n:], s
		}
	}
	return strings.TrimSuffix(host, "/"), scheme
}

// readScheme leaves the host alone in Endpoint and lets a scheme decide Secure; told is S3_SECURE as a person wrote it.
func (s *S3) readScheme(told string) Problem {
	host, scheme := splitScheme(s.Endpoint)
	if scheme == "" {
		return Problem{}
	}
	tls, written := scheme == "https", s.Endpoint
	if told != "" && s.Secure != tls {
		other := map[bool]string{true: "http://", false: "https://"}[tls]
		return Problem{Setting: "S3_ENDPOINT", Value: written, Why: "contradicts S3_SECURE=" + told, Remedy: "unset S3_SECURE, or write " + other + host}
	}
	s.Endpoint, s.Secure = host, tls
	return Problem{}
}

// withoutLogin names what is missing of the login. There is none to assume: a store that takes a login everybody knows is open to everybody.
func (s *S3) withoutLogin() Problem {
	p := Problem{Setting: "S3_ENDPOINT", Value: s.Endpoint, Why: "needs S3_ACCESS_KEY and S3_SECRET_KEY",
		Remedy: "set both to the store's login (of a MinIO that was given none, each is minioadmin), or unset S3_ENDPOINT to keep clips in a directory"}
	switch {
	case s.Endpoint == "" || s.AccessKey != "" && s.SecretKey != "":
		return Problem{}
	case s.SecretKey != "":
		p.Why, p.Remedy = "needs S3_ACCESS_KEY beside S3_SECRET_KEY", "set it, or unset S3_ENDPOINT to keep clips in a directory"
	case s.AccessKey != "":
		p.Why, p.Remedy = "needs S3_SECRET_KEY beside S3_ACCESS_KEY", "set it, or unset S3_ENDPOINT to keep clips in a directory"
	}
	return p
}

func isNone(entry string) bool { return strings.EqualFold(strings.TrimSpace(entry), "none") }

// unproxied warns of a page that is reached through a proxy nobody told us of.
func unproxied(c *Config) []string {
	host, _, _ := net.SplitHostPort(c.Web.Addr)
	at, err := netip.ParseAddr(host)
	if c.Web.PublicURL == "" || len(c.Web.Proxies) > 0 || host != "localhost" && (err != nil || !at.IsLoopback()) {
		return nil
	}
	return []string{"PUBLIC_URL is set and WEB_ADDR is on loopback, so a proxy stands before the page: without WEB_PROXIES=" + host + " all its readers share the limits of one address"}
}
