package config

import (
	"cmp"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
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
	if words := s.Words(); len(words) > 0 && !slices.Contains(words, v.String()) {
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

// isWeb reports whether a text is an address of the web, with a port that there is.
func isWeb(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	n, bad := strconv.Atoi(cmp.Or(u.Port(), "1"))
	return bad == nil && n > 0 && n <= 65535
}

// wrongFormat checks addresses, and what must fit a line.
func (s Setting) wrongFormat(v reflect.Value) string {
	switch s.tag.Get("format") {
	case "url":
		if !isWeb(v.String()) {
			return "is not an http or https address"
		}
	case "site":
		if !isWeb(v.String()) {
			return "is not an http or https address"
		}
		u, _ := url.Parse(v.String())
		switch {
		case u.RawQuery != "" || u.Fragment != "" || u.User != nil || u.ForceQuery:
			return "has more than a host and a path"
		case !plainPath.MatchString(u.EscapedPath()):
			return "has a path that is not made of plain letters"
		case ownPath.MatchString(u.Path):
			return "has a path of the page itself"
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
	case "agent":
		return wrongAgent(v.String())
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

// ownPath begins as one of the page's does, those of extras, too: no page can be mounted there.
var ownPath = regexp.MustCompile(`^/(admin|api|assets|calendar\.ics|day|embed|favicon\.ico|feed|feed\.xml|g|goals|health|healthz|league|logo|manifest\.webmanifest|match|` +
	`matches|oembed|offline|p|part|r|readyz|reel|robots\.txt|search|settings|setup|sw\.js|team|v|waiting|watch|watch\.m3u)(/|$)`)

// plainPath has segments that nothing decodes or cleans.
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/*$`)

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

var anAgent = regexp.MustCompile(`^[A-Za-z0-9._-]+/[A-Za-z0-9._+-]+( [ -~]+)?$`)

// wrongAgent says what is wrong with the name that requests bear; "" if nothing is. No request poses as a browser.
func wrongAgent(name string) string {
	switch low := strings.ToLower(name); {
	case strings.HasPrefix(low, "mozilla/"), strings.Contains(low, "chrome/"), strings.Contains(low, "safari/"), strings.Contains(low, "firefox/"):
		return "poses as a browser"
	case !anAgent.MatchString(name) || len(name) > 200:
		return "is not a name and a version, with more in plain letters behind them"
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

// rule is a problem that there may be.
type rule struct {
	applies bool
	p       Problem
}

func applying(rules []rule) (out Problems) {
	for _, r := range rules {
		if r.applies {
			out = append(out, r.p)
		}
	}
	return out
}

// contradictions are settings that are fine alone and wrong together.
func contradictions(c *Config, set map[string]string) Problems {
	leagues, none := strings.Join(c.Track.Leagues, ","), slices.ContainsFunc(c.Track.Leagues, isNone)
	path := "" // of a CDN
	if public, err := url.Parse(c.S3.PublicURL); err == nil {
		path = public.Path
	}
	store, secure, same := c.S3.byScheme(set["S3_SECURE"])
	feed, archive := c.wrongFeed(), c.Reddit.wrongArchive()
	var out Problems
	if c.Feed.Name == ESPN {
		out = notOfESPN(c, set)
	}
	out = append(out, applying([]rule{
		{none && len(c.Track.Leagues) > 1, Problem{"TRACK_LEAGUES", leagues, "names leagues beside none", "write none alone to follow only the teams of TRACK_TEAMS"}},
		{none && len(c.Track.Leagues) == 1 && len(c.Track.Teams) == 0, Problem{"TRACK_LEAGUES", "none", "follows nothing without TRACK_TEAMS", "set TRACK_TEAMS to the teams to follow, or unset TRACK_LEAGUES"}},
		{c.State.Postgres != "" && c.State.MongoURI != "", Problem{"POSTGRES_URL and MONGODB_URI", "", "are both set, and state is kept in one database", "unset one of them"}},
		// There is no login to assume: a store that takes one everybody knows is open to everybody.
		{c.S3.Endpoint != "" && (c.S3.AccessKey == "" || c.S3.SecretKey == ""), Problem{"S3_ENDPOINT", c.S3.Endpoint, "needs S3_ACCESS_KEY and S3_SECRET_KEY",
			"set both to the store's login (of a MinIO that was given none, each is minioadmin), or unset S3_ENDPOINT to keep clips in a directory"}},
		{c.S3.PublicURL != "" && c.S3.Endpoint == "", Problem{"S3_PUBLIC_URL", c.S3.PublicURL, "is where viewers reach an object store, and none is set", "set S3_ENDPOINT, or unset S3_PUBLIC_URL"}},
		{c.S3.Signed && strings.Trim(path, "/") != "", Problem{"S3_PUBLIC_URL", c.S3.PublicURL, "has a path, which a signature does not allow",
			"leave " + path + " out, or set S3_PUBLIC_SIGNED=false if it is a CDN"}},
		{!same, Problem{"S3_ENDPOINT", c.S3.Endpoint, "contradicts S3_SECURE=" + set["S3_SECURE"], "unset S3_SECURE, or write " + map[bool]string{true: "https://", false: "http://"}[c.S3.Secure] + store}},
		{c.Search.ServiceToken == "" && !onLoopback(c.Browser.Addr), Problem{"BROWSER_ADDR", c.Browser.Addr, "can be reached from other machines and needs TWITTER_SERVICE_TOKEN",
			"set the same token for the search service and its workers, or listen on 127.0.0.1"}},
		{(c.Reddit.ClientID == "") != (c.Reddit.Secret == ""), Problem{"REDDIT_CLIENT_ID", c.Reddit.ClientID, "needs REDDIT_CLIENT_SECRET, and that needs it", "set both as Reddit shows them for your app, or neither"}},
		{feed != "", Problem{"REDDIT_FEED", Setting{Secret: "true"}.masked(c.Reddit.Feed), feed,
			"log in to Reddit, copy an address from preferences > RSS feeds, and make it https://www.reddit.com/r/" + strings.Join(c.Reddit.Subreddits, "+") + "/new/.rss?feed=TOKEN&user=NAME"}},
		{archive != "", Problem{"REDDIT_ARCHIVE", c.Reddit.shownArchive(), archive,
			"write off, or an address like https://arctic-shift.photon-reddit.com, or unset it for that"}},
		{slices.Equal(c.Search.Sources, []string{"xapi"}) && c.Search.BearerToken == "" && !c.RedditOn(), Problem{"SOURCES", "xapi", "needs X_BEARER_TOKEN",
			"set it, or add reddit, or add xweb to search with a browser"}},
	})...)
	c.S3.Endpoint, c.S3.Secure = store, secure
	for _, l := range Settings(c.groups...) {
		list, _ := l.in(c).Interface().([]string)
		all := strings.Join(list, ",")
		for i, name := range list {
			if len(l.Words()) > 0 && slices.Contains(list[:i], name) {
				out = append(out, Problem{l.Name, all, "names " + name + " twice", "name each once"})
			}
		}
		why := map[string]string{"teams": "is no team", "leagues": "is no league"}[l.tag.Get("format")]
		if why != "" && l.Name != "TRACK_LEAGUES" && slices.ContainsFunc(list, isNone) {
			out = append(out, Problem{l.Name, all, why, "leave none out of " + l.Name})
		}
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
	return strings.TrimRight(host, "/"), scheme
}

// byScheme cuts a scheme off Endpoint, which decides about TLS then; same is false where written, the value of S3_SECURE, says otherwise.
func (s *S3) byScheme(written string) (host string, secure, same bool) {
	host, scheme := splitScheme(s.Endpoint)
	if scheme == "" {
		return s.Endpoint, s.Secure, true
	}
	secure = scheme == "https"
	return host, secure, written == "" || s.Secure == secure
}

func isNone(entry string) bool { return strings.EqualFold(strings.TrimSpace(entry), "none") }

// unasked warns of a model that proves nothing: the set-up page writes PROOF=clock where none is entered.
func unasked(c *Config) []string {
	if c.Model.URL == "" || c.Media.ByModel() {
		return nil
	}
	return []string{"LLAMA_URL is set, and PROOF=clock asks no model: remove PROOF to have it prove clips"}
}

// unproxied warns of a page that is reached through a proxy that no setting names.
func unproxied(c *Config) []string {
	host, _, _ := net.SplitHostPort(c.Web.Addr)
	if c.Web.PublicURL == "" || len(c.Web.Proxies) > 0 || !onLoopback(c.Web.Addr) {
		return nil
	}
	return []string{"PUBLIC_URL is set and WEB_ADDR is on loopback, so a proxy stands before the page: without WEB_PROXIES=" + host + " all its readers share the limits of one address"}
}

// Missing is what a live run still lacks and how to get it. None of it stops the program: the page is served and
// the part concerned waits. account means that this machine has a session of X.
func (c *Config) Missing(account bool) Problems {
	why, remedy := c.Feed.Lacks()
	noX := !account && c.Search.ServiceURL == "" && c.Search.BearerToken == ""
	noModel := c.Model.URL == "" && c.Media.ByModel()
	const noLogIn = "is not set and nobody has logged in to X here, so "
	const bring = "bring an X account (footy x import-cookies FILE; docs/x-login.md), or set it to use the paid X API"
	const start = "start an OpenAI-compatible server with a vision model (llama.cpp, vLLM, Ollama) and set its address"
	return applying([]rule{
		{c.Feed.Missing(), Problem{"FEED", c.Feed.InCharge(), "cannot be followed: " + why, remedy}},
		{noX && !c.RedditOn(), Problem{"X_BEARER_TOKEN", "", noLogIn + "no clip is searched for", bring}},
		{noX && c.RedditOn(), Problem{"X_BEARER_TOKEN", "", noLogIn + "posts come from Reddit alone", bring}},
		{noX && c.RedditOn() && c.Reddit.ClientID == "" && c.Reddit.Feed == "", Problem{"REDDIT_FEED", "", "is not set, so Reddit's public list is asked, which many are refused",
			"set it to an address that any free account shows under preferences > RSS feeds (docs/reddit.md); it takes a minute"}},
		{noModel && !c.Media.ByClock(), Problem{"LLAMA_URL", "", "is not set, so no clip can be proven and none is shown", start}},
		{noModel && c.Media.ByClock(), Problem{"LLAMA_URL", "", "is not set, so only clips whose running clock can be read are shown", start + ", or set PROOF=clock to use no model"}},
	})
}
