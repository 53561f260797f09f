package store

import (
	"slices"
	"strings"
)

// learned are the keys of ServiceState whose facts can be learned again: one that cannot be read counts as absent, and is written anew. A key
// that ends in "/" is the beginning of several.
var learned = []string{
	"backup", "canary", "clip_hosts", "feed_outage", "feed_pace", "feed_quota", "fetch_health", "fetch_health_reddit",
	"followed_names", "followed_names/", "ingest", "model_health", "notify/", "page_changes", "posting/", "searchers", "sweep", "sweeps",
}

// kept are the keys of facts that must not be guessed, and what is done where one cannot be read. A key that is in neither list is one of them.
var kept = map[string]string{
	"feed":                "whose ids the matches have; a start is refused",
	"installation":        "whose the clips are; nothing is written to the clip storage or deleted there until footy clips adopt",
	"lease/":              "who does what one process does; counts as held by a process that is gone",
	"push/devices":        "who asked for notifications; no device is told until it is restored",
	"push/keys":           "the keys that devices know; no device is told until they are restored",
	"push/told/":          "what a device was told; what was scored before is not told again",
	"restored":            "when a backup came back; counts as now: what was scored before is not told again",
	"restoring":           "that a restore is at it; counts as one that is, until one has ended",
	"retention_clock":     "which time is believed; nothing old is deleted until the feed bears the time out",
	"x_spent_on_searches": "money; what is left of today's counts as spent",
}

// factOf is the entry of a key; "" where the lists have none.
func factOf(key string) string {
	is := func(entry string) bool {
		return key == entry || strings.HasSuffix(entry, "/") && strings.HasPrefix(key, entry)
	}
	for entry := range kept {
		if is(entry) {
			return entry
		}
	}
	if i := slices.IndexFunc(learned, is); i >= 0 {
		return learned[i]
	}
	return ""
}
