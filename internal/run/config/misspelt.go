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

// retired are settings of earlier releases that do nothing any more; CHANGELOG.md has what there is instead.
var retired = strings.Fields(`
	NOTIFY_URL NOTIFY_TOKEN OTEL_EXPORTER_OTLP_ENDPOINT SECOND_FEED BROWSER_SCROLLS X_HEADFUL X_CANARY_EVERY X_CANARY_QUERY
	X_COOKIE_FILE POST_DISCORD_FILE_MB POST_DISCORD_TEXT POST_TELEGRAM_TEXT POST_MASTODON_TEXT POST_BLUESKY_TEXT POST_X_TEXT
	POST_X_LINK POST_X_DAILY_CAP COVERAGE_OBJECTIVE COVERAGE_WITHIN MODEL_CORNERS X_USER_AGENT MIN_DURATION MAX_DURATION
	MIN_ASPECT CLOCK_TOLERANCE YTDLP REDDIT_HOSTS MEDIA_SLOTS`)

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
		case slices.Contains(retired, name):
			out = append(out, name+" was a setting of an earlier release and does nothing: CHANGELOG.md says what holds instead")
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
	best = slices.MinFunc(known, func(a, b string) int { return names.Differ(name, a) - names.Differ(name, b) })
	return best, names.Differ(name, best)
}
