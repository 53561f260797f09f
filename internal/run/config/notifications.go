package config

import (
	"net/url"
	"regexp"
	"strings"
)

// Notifications is who is told outside of the page.
type Notifications struct {
	To      string   `env:"NOTIFICATIONS" secret:"addresses" format:"addresses" doc:"Addresses to tell of goals, first clips and failing parts, with spaces or commas between them: discord://, telegram://, ntfy://, slack://, smtp://, generic+https:// and more (docs/notifications.md). Of several processes with the same address one tells it." like:"ntfy://ntfy.sh/my-goals"`
	Teams   []string `env:"NOTIFICATION_TEAMS" format:"teams" doc:"Teams whose goals are told, by id or by name as in TRACK_TEAMS; with neither this nor NOTIFICATION_LEAGUES all that are followed." like:"Arsenal,40"`
	Leagues []string `env:"NOTIFICATION_LEAGUES" format:"leagues" doc:"Leagues whose goals are told, by id or by name as in TRACK_LEAGUES." like:"39,La Liga"`
}

// addressBreak parts addresses at spaces and at commas that another address follows: some addresses hold commas themselves.
var addressBreak = regexp.MustCompile(`[\s,]+([a-zA-Z][a-zA-Z0-9+.-]*://)`)

// Addresses are the single addresses of NOTIFICATIONS.
func (n Notifications) Addresses() []string { return Addresses(n.To) }

// Addresses parts those of a setting.
func Addresses(list string) []string {
	text := addressBreak.ReplaceAllString(strings.Trim(list, " \t\r\n,"), "\n$1")
	var out []string
	for a := range strings.SplitSeq(text, "\n") {
		if a = strings.TrimSpace(a); a != "" {
			out = append(out, a)
		}
	}
	return out
}

// secretParts are the parts of an address that nobody may read in a log: tokens hide anywhere in it but in its scheme.
func secretParts(address string) []string {
	out := []string{address}
	u, err := url.Parse(address)
	if err != nil {
		return out
	}
	if p, ok := u.User.Password(); ok {
		out = append(out, p)
		for part := range strings.SplitSeq(p, "-") { // Slack joins the parts of its address so, and calls them one by one
			if len(part) >= 8 {
				out = append(out, part)
			}
		}
	}
	if name := u.User.Username(); len(name) >= 8 { // a shorter one is a word
		out = append(out, name)
	}
	if kind, _, _ := strings.Cut(u.Scheme, "+"); kind != "smtp" && kind != "generic" && kind != "ntfy" {
		out = append(out, u.Host)
	}
	for part := range strings.SplitSeq(u.Path, "/") {
		if len(part) >= 12 { // a shorter one is a word, and words must stay readable
			out = append(out, part)
		}
	}
	for _, values := range u.Query() {
		for _, v := range values {
			if len(v) >= 12 {
				out = append(out, v)
			}
		}
	}
	return out
}

// Metrics is where Prometheus reads.
type Metrics struct {
	Addr string `env:"METRICS_ADDR" format:"hostport" doc:"Address of its own for /metrics, /healthz and /readyz: a process without a page needs one, a public page may want one. Without it the page serves /metrics." like:"127.0.0.1:9100"`
}
