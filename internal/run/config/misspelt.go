package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/recognize/names"
)

// ourPrefixes are prefixes that only this program uses, so an unknown name below them is a mistake.
var ourPrefixes = []string{"API_FOOTBALL_", "APIFOOTBALL_", "MONGODB_", "MONGO_", "S3_", "FOOTY_", "LLAMA_", "WIKIDATA_", "TRACK_", "TWITTER_SERVICE_"}

// notOurs look like ours and are not.
var notOurs = []string{"MONGODB_TEST_URI", "FOOTY_SHARED", "LLAMA_ARG_", "LLAMA_CACHE", "LLAMA_LOG_", "FOOTY_TEST_"}

// links are the variables that Kubernetes and Docker set for each service near a container: name=value.
var links = regexp.MustCompile(`^[A-Z0-9_]+(_PORT=(tcp|udp|sctp)://.*|_PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?=.*|_SERVICE_HOST=[0-9a-f.:]+|_SERVICE_PORT(_[A-Z0-9_]+)?=[0-9]+)$`)

// serviceLink reports whether the cluster set a variable, whose service may be named like a setting: TEMPORAL_UI_PORT=tcp://10.0.0.1:8080.
func serviceLink(name, value string) bool { return links.MatchString(name + "=" + value) }

// originals are variables of the Python original, by the setting that they are here.
var originals = map[string]string{"S3_ENDPOINT_URL": "S3_ENDPOINT", "S3_BUCKET_NAME": "S3_BUCKET", "TEMPORAL_HOST": "TEMPORAL_ADDRESS"}

// heard is why no process needs to know where a page is.
const heard = "every page on the same database hears of changes within a second"

// oneText stands for the texts of single services.
const oneText = "POST_TEXT is what posts say everywhere"

const coverage = "nine of ten goals should have a verified clip within five minutes"

const rows = "any host of clips is asked what its page points at, and hosts.json in STATE_DIR may say more (docs/hosts.md)"

const lengths = "clips of 3 to 60 seconds are taken"

// retired are settings of earlier releases that do nothing any more, with what there is instead.
var retired = map[string]string{
	"NOTIFY_URL":                  heard,
	"NOTIFY_TOKEN":                heard,
	"OTEL_EXPORTER_OTLP_ENDPOINT": "no traces are sent",
	"SECOND_FEED":                 "one feed is followed",
	"BROWSER_SCROLLS":             "a search takes three further pages at most",
	"X_HEADFUL":                   "the browser has its window on a screen in memory where Xvfb is installed, else none",
	"X_CANARY_EVERY":              "X is checked every six hours",
	"X_CANARY_QUERY":              "the check searches for (goal OR gol)",
	"X_COOKIE_FILE":               "the session is cookies.json in BROWSER_DIR",
	"POST_DISCORD_FILE_MB":        "a file that the server refuses is posted as the clip's picture",
	"POST_DISCORD_TEXT":           oneText,
	"POST_TELEGRAM_TEXT":          oneText,
	"POST_MASTODON_TEXT":          oneText,
	"POST_BLUESKY_TEXT":           oneText,
	"POST_X_TEXT":                 oneText,
	"POST_X_LINK":                 "posts at X have no link",
	"POST_X_DAILY_CAP":            "limit what X's API costs at console.x.com",
	"COVERAGE_OBJECTIVE":          coverage,
	"COVERAGE_WITHIN":             coverage,
	"MODEL_CORNERS":               "both upper corners are shown, enlarged",
	"X_USER_AGENT":                "the browser sends its own",
	"MIN_DURATION":                lengths,
	"MAX_DURATION":                lengths,
	"MIN_ASPECT":                  "pictures narrower than 1.33 are refused",
	"CLOCK_TOLERANCE":             "the clock may be three minutes off",
	"YTDLP":                       rows,
	"REDDIT_HOSTS":                rows,
	"MEDIA_SLOTS":                 "as many clips are decoded at once as the process may use cores",
}

// adopt reads variables of the Python original as the settings that they are here, where those are not set.
func adopt(set map[string]string) (warnings []string, adopted map[string]string) {
	adopted = map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(originals)) {
		is := originals[name]
		if set[name] == "" || set[is] != "" {
			continue
		}
		set[is], adopted[is] = set[name], name
		delete(set, name)
		warnings = append(warnings, fmt.Sprintf("%s is a setting of the Python original and is read as %s: write that", name, is))
	}
	return warnings, adopted
}

// underOldNames names settings that were adopted as they were written.
func (p Problems) underOldNames(adopted map[string]string) {
	for i := range p {
		if old := adopted[p[i].Setting]; old != "" {
			p[i].Setting = old
		}
	}
}

// misspelt warns of variables that were probably meant for us.
func misspelt(set map[string]string, own []Group) []string {
	var known []string
	for _, s := range Settings(own...) {
		known = append(known, s.Name)
	}
	var out []string
	for name := range set {
		if slices.Contains(known, name) || hasPrefix(name, notOurs) {
			continue
		}
		best, distance := nearest(name, known)
		switch {
		case retired[name] != "":
			out = append(out, fmt.Sprintf("%s was a setting of an earlier release and does nothing: %s", name, retired[name]))
		case originals[name] != "":
			out = append(out, fmt.Sprintf("%s is a setting of the Python original: here it is %s", name, originals[name]))
		case slips(name, distance) && len(name) >= 6: // TRACE is a word of others
			out = append(out, fmt.Sprintf("%s is not a setting: did you mean %s?", name, best))
		case hasPrefix(name, ourPrefixes):
			out = append(out, name+" is not a setting: docs/settings.md lists all")
		}
	}
	slices.Sort(out)
	return out
}

// slips reports whether so many single-letter edits are slips of the pen in a word of that length, and no other word.
func slips(word string, edits int) bool { return edits <= 2 && 4*edits <= len(word) }

// meant names the word that was meant, as the end of a sentence; "" if none is near.
func meant(word string, known []string) string {
	if best, distance := nearest(strings.ToLower(word), known); slips(word, distance) {
		return " (did you mean " + best + "?)"
	}
	return ""
}

func hasPrefix(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// nearest finds the name with the fewest single-letter edits; ties go to the earlier one.
func nearest(name string, known []string) (best string, distance int) {
	distance = len(name) + 100
	for _, k := range known {
		if d := names.Differ(name, k); d < distance {
			best, distance = k, d
		}
	}
	return best, distance
}
