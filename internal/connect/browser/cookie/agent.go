package cookie

import (
	"bufio"
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// UserAgent finds what browser an export says that it was made with, "" where it does not: a field of a JSON object, or a comment of
// a Netscape file.
func UserAgent(export []byte) string {
	var object struct {
		UserAgent  string `json:"userAgent"`
		UserAgent2 string `json:"user_agent"`
	}
	if json.Unmarshal(bytes.TrimPrefix(export, []byte("\xef\xbb\xbf")), &object) == nil {
		return CleanAgent(object.UserAgent + object.UserAgent2)
	}
	lines := bufio.NewScanner(bytes.NewReader(export))
	for lines.Scan() {
		if m := agentComment.FindStringSubmatch(lines.Text()); m != nil {
			return CleanAgent(m[1])
		}
	}
	return ""
}

var agentComment = regexp.MustCompile(`(?i)^#\s*user[ _-]?agent\s*[:=]\s*(.+)$`)

// agentLimit is far above any browser's name for itself.
const agentLimit = 512

// CleanAgent is a user agent on one line, "" where it is none.
func CleanAgent(agent string) string {
	agent = strings.TrimSpace(agent)
	if len(agent) > agentLimit || strings.ContainsFunc(agent, func(r rune) bool { return r < ' ' || r > '~' }) {
		return ""
	}
	return agent
}

// agents are names of browsers as their user agents have them, the particular before the general; systems likewise.
var (
	agents = []struct{ name, mark string }{
		{"Edge", "Edg/"}, {"Opera", "OPR/"}, {"Samsung Internet", "SamsungBrowser/"}, {"Firefox", "Firefox/"}, {"Firefox", "FxiOS/"},
		{"Chrome", "CriOS/"}, {"headless Chrome", "HeadlessChrome/"}, {"Chrome", "Chrome/"}, {"Safari", "Version/"},
	}
	systems = []struct{ name, mark string }{
		{"Android", "Android"}, {"iOS", "iPhone"}, {"iOS", "iPad"}, {"Windows", "Windows"}, {"macOS", "Macintosh"}, {"ChromeOS", "CrOS"}, {"Linux", "Linux"}, {"Linux", "X11"},
	}
)

// Agent is what a user agent says, as far as it concerns people: Firefox 131 on Windows.
type Agent struct {
	Name, Version, System string // "" = not understood
}

// ParseAgent reads a user agent.
func ParseAgent(text string) Agent {
	var a Agent
	for _, known := range agents {
		if _, after, ok := strings.Cut(text, known.mark); ok {
			a.Name = known.name
			a.Version = after[:len(after)-len(strings.TrimLeft(after, "0123456789"))]
			break
		}
	}
	for _, known := range systems {
		if strings.Contains(text, known.mark) {
			a.System = known.name
			break
		}
	}
	return a
}

func (a Agent) String() string {
	switch {
	case a.Name == "":
		return "an unknown browser"
	case a.System == "":
		return strings.TrimSpace(a.Name + " " + a.Version)
	}
	return strings.TrimSpace(a.Name+" "+a.Version) + " on " + a.System
}

// Differs reports whether the browser that searches, whose user agent is now, is surely another than the one a session was made
// with. Before it has run now is ""; that it is a Chromium, which calls itself Chrome, is known all the same.
func Differs(made, now string) bool {
	if made == "" || now != "" {
		return made != "" && !SameBrowser(made, now)
	}
	name := ParseAgent(made).Name
	return name != "" && name != "Chrome"
}

// SameBrowser reports whether two user agents are of one browser on one system. Its version grows while a session lasts.
func SameBrowser(a, b string) bool {
	x, y := ParseAgent(a), ParseAgent(b)
	if x.Name == "" || y.Name == "" {
		return a == b
	}
	return x.Name == y.Name && x.System == y.System
}
