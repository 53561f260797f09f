package store

import "strings"

// fact is one kind of what is kept in ServiceState.
type fact struct {
	key     string // a beginning where it ends in "/"
	form    byte   // of its JSON: { for an object, " for a text
	learned bool   // it can be learned again: one that cannot be read counts as absent, and is written anew
	what    string // and what is done without it
}

// facts lists all of them. What is not in this list must not be guessed: whoever asks for one that cannot be read gets an error.
var facts = []fact{
	{"backup", '{', true, "the last backup; the next one notes itself"},
	{"canary", '{', true, "what the last look at X found; the next look tells"},
	{"clip_hosts", '{', true, "how fetches from hosts of clips went; the next ones tell"},
	{"feed_outage", '{', true, "an outage of the feed; three more calls tell"},
	{"feed_pace", '{', true, "how fast is polled; reckoned in each cycle"},
	{"feed_quota", '{', true, "which calls the vendor left; its next answer tells"},
	{"fetch_health", '{', true, "how fetching from X goes; the next fetches tell"},
	{"fetch_health_reddit", '{', true, "the same, from Reddit"},
	{"followed_names", '{', true, "names that were looked up; they are looked up again"},
	{"followed_names/", '{', true, "the same, of another feed"},
	{"ingest", '{', true, "whether today's list was read; it is read again"},
	{"model_health", '{', true, "how the model does; the next answer tells"},
	{"notify/", '{', true, "what a target was told; what is scored from now on is told"},
	{"page_changes", '{', true, "what other processes changed; pages are loaded anew"},
	{"posting/", '"', true, "when a target was set up; what is scored from now on is posted"},
	{"searchers", '{', true, "which browsers take searches; each tells within a minute"},
	{"sweeps", '{', true, "what was deleted last, and what an operator allowed; the next sweep begins anew, and asks more"},
	{"sweep", '{', true, "when leftovers were deleted last; the next sweep is due"},

	{"feed", '"', false, "whose ids the matches have; a start is refused"},
	{"installation", '{', false, "whose the clips are; nothing is written to the clip storage or deleted there until footy clips adopt"},
	{"lease/", '{', false, "who does what one process does; counts as held by a process that is gone"},
	{"push/devices", '{', false, "who asked for notifications; no device is told until it is restored"},
	{"push/keys", '{', false, "the keys that devices know; no device is told until they are restored"},
	{"push/told/", '{', false, "what a device was told; what was scored before is not told again"},
	{"restored", '{', false, "when a backup came back; counts as now: what was scored before is not told again"},
	{"restoring", '{', false, "that a restore is at it; counts as one that is, until one has ended"},
	{"retention_clock", '{', false, "which time is believed; nothing old is deleted until the feed bears the time out"},
	{"x_spent_on_searches", '{', false, "money; what is left of today's counts as spent"},
}

// factOf is what is known of a key.
func factOf(key string) (f fact, known bool) {
	for _, is := range facts {
		if key == is.key || strings.HasSuffix(is.key, "/") && strings.HasPrefix(key, is.key) {
			return is, true
		}
	}
	return fact{key: key}, false
}
