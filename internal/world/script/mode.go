package script

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Mode is a manner of the outside world for a stretch of the day, or for all of it.
type Mode struct {
	Mode    string  `json:"mode"`
	From    float64 `json:"from,omitempty"`    // product minute
	Minutes float64 `json:"minutes,omitempty"` // 0 = to the end of the day
	Clip    string  `json:"clip,omitempty"`    // only this clip: "1300101/first/master", a post's id, or a file's name
	// Seconds of product time that a slow model takes for one answer; 0 = no answer while it is slow. Of a late feed: by which it is late; 0 = 60.
	Seconds float64 `json:"seconds,omitempty"`
	// Fixture and Minute are of stale_start: which match is in which minute when the day begins.
	Fixture int `json:"fixture,omitempty"` // 0 = the first that is followed
	Minute  int `json:"minute,omitempty"`  // 0 = 60
	// Day is of list_down: which date has no list, in days after today (UTC); nil = every one.
	Day *int `json:"day,omitempty"`
}

// String says it to a person.
func (m Mode) String() string {
	switch {
	case m.Mode == StaleStart:
		return m.Mode + ": the day begins in mid-match"
	case m.From > 0 && m.Minutes > 0:
		return fmt.Sprintf("%s from minute %g to %g", m.Mode, m.From, m.From+m.Minutes)
	case m.Minutes > 0:
		return fmt.Sprintf("%s until minute %g", m.Mode, m.From+m.Minutes)
	case m.From > 0:
		return fmt.Sprintf("%s from minute %g on", m.Mode, m.From)
	}
	return m.Mode + " all day"
}

// What can go wrong with the services, named after who fails and how.
const (
	XLoggedOut   = "x_logged_out"   // X wants a login
	XRateLimited = "x_rate_limited" // 429 to every search
	XNoCredits   = "x_no_credits"   // 402 to every call of the paid API
	XMonthlyCap  = "x_monthly_cap"  // 429 to every call of the paid API, whose rate limits allow thousands more
	FetchRefused = "fetch_refused"  // the look-up of a post is 403 for everybody
	FetchGone    = "fetch_gone"     // the look-up of a post is 404 for everybody
	CDNRefused   = "cdn_refused"    // a video's bytes are 403 for everybody
	HostRefused  = "host_refused"   // the hosts of clips answer 403, as some do to data centres
	HostGone     = "host_gone"      // they no longer have the clip
	HostStub     = "host_stub"      // another film stands in the place of the file
	HostEncoding = "host_encoding"  // dropr and streamable are not done with it
	ModelDown    = "model_down"     // connections break
	ModelLoading = "model_loading"  // 503, as llama.cpp answers until its model is in memory
	ModelSlow    = "model_slow"     // answers late or not at all
	ModelBlind   = "model_blind"    // a text model
	ModelContext = "model_context"  // a context too small for any picture
	ModelNarrow  = "model_narrow"   // a context of 2,048 tokens, as servers have that nobody set up: a small picture fits, three do not
	ModelGuesses = "model_guesses"  // a text model behind a server that drops pictures: it answers, and says the same of all
	ModelJunk    = "model_junk"     // answers in prose
	ModelThinks  = "model_thinks"   // thinks unless reasoning_effort is "none", and knows no chat_template_kwargs: Ollama's manner
	ModelRouter  = "model_router"   // behind a router of models that exchanges them: Router
	ModelTimer   = "model_timer"    // reads the second timer of stoppage time as the clock
	ModelNoLabel = "model_no_label" // reads no label beside a clock that restarts each period
	FeedDown     = "feed_down"      // 502 from the vendor's gateway
	ListDown     = "list_down"      // 500 to the list of a date; polls are answered

	RedditLimited = "reddit_limited" // 429 to everybody's list by RSS; an account's own is answered
	RedditBlocked = "reddit_blocked" // the same with 403 "You've been blocked by network security"
	RedditEmpty   = "reddit_empty"   // the same with a list without posts
	RedditLogin   = "reddit_login"   // the same with a redirect to the log-in page
	ArchiveStale  = "archive_stale"  // as reddit_blocked, and the archive's newest post is twenty minutes old
	ArchiveSlow   = "archive_slow"   // as reddit_blocked, and the archive says "Maybe slow down a bit"
)

// Faults lists all of them.
var Faults = []string{XLoggedOut, XRateLimited, XNoCredits, XMonthlyCap, FetchRefused, FetchGone, CDNRefused, HostRefused, HostGone, HostStub, HostEncoding, ModelDown,
	ModelLoading, ModelSlow, ModelBlind, ModelContext, ModelNarrow, ModelGuesses, ModelJunk, ModelThinks, ModelRouter, ModelTimer, ModelNoLabel, FeedDown, ListDown, RedditLimited,
	RedditBlocked, RedditEmpty, RedditLogin, ArchiveStale, ArchiveSlow}

// redditRefuses are those in which the public list is refused.
var redditRefuses = []string{RedditLimited, RedditBlocked, RedditEmpty, RedditLogin, ArchiveStale, ArchiveSlow}

// StaleStart begins the day in the middle of a match, as for a product that was started late. What must come of it: each goal that
// fell before is found by the third answer and searched for with posts from its own time on, so that it has the clips that its posts
// allow, and its page and its row say that it fell before anybody looked; goals that fall later are not held up by those, have their
// clips as on any day, and say nothing of the kind.
const StaleStart = "stale_start"

// Manners of the feed that are no faults: it answers, and within what the plan allows.
const (
	FreePlan   = "free_plan"   // the key is a free one
	PatchyLive = "patchy_live" // the list of what is under way lacks some matches, and the events of others
)

// ownerManners are what the owner has not configured.
var ownerManners = []string{NoModel, NoApp, Nothing, EveryKind}

var feedManners = []string{FreePlan, PatchyLive}

// NoModel is a manner of the owner: clips are proven by their running clock alone. What only a model could tell of a clip is not told.
const NoModel = "no_model"

// EveryKind is a manner of the owner: events of every kind are followed, not only goals and red cards.
const EveryKind = "every_kind"

// WithEveryKind tells that the day is played with every kind followed.
func (s *Script) WithEveryKind() bool {
	return slices.ContainsFunc(s.Modes, func(m Mode) bool { return m.Mode == EveryKind })
}

// More is how many events of the day are neither goals nor red cards, and followed if every kind is.
func (s *Script) More() (n int) {
	for _, f := range s.Fixtures {
		for _, e := range f.Events {
			if !f.Untracked && slices.Contains([]string{YellowCard, VARDecision, MissedPenalty}, e.Kind) {
				n++
			}
		}
	}
	return n
}

// NoApp is a manner of the owner: there is no app of Reddit, so that its public list is asked.
const NoApp = "no_app"

// modes are the names by which people know manners; every fault is a mode by its own name, too.
var modes = map[string]string{"blind_model": ModelBlind, "small_context": ModelNarrow, "slow_model": ModelSlow, "blocked_fetch": FetchRefused}

// ModeNames are the manners that have a name for people. Every fault is a mode, too.
func ModeNames() []string {
	return slices.Concat(slices.Sorted(maps.Keys(modes)), []string{StaleStart}, ownerManners, feedManners)
}

// Played lists the manners of the day that it is played with.
func (s *Script) Played() []Manner {
	var out []Manner
	for _, m := range s.Manners {
		if slices.ContainsFunc(s.Modes, func(on Mode) bool { return on.Mode == m.Mode.Mode }) {
			out = append(out, m)
		}
	}
	return out
}

// Fault is what goes wrong in this mode; "" if it is another kind of manner.
func (m Mode) Fault() string {
	if f, ok := modes[m.Mode]; ok {
		return f
	}
	if slices.Contains(Faults, m.Mode) {
		return m.Mode
	}
	return ""
}

// On reports whether the mode holds at a product minute.
func (m Mode) On(minute float64) bool {
	return minute >= m.From && (m.Minutes == 0 || minute < m.From+m.Minutes)
}

// StaleMatch is the minute in which a match of stale_start is, unless the script says another.
const StaleMatch = 60

// ModelSlots is on how many questions the model works at once: one that is slow has no machine for two.
func (s *Script) ModelSlots() int {
	if slices.ContainsFunc(s.Modes, func(m Mode) bool { return m.Fault() == ModelSlow }) {
		return 1
	}
	return 2
}

// WithoutModel tells that the day is played without a model.
func (s *Script) WithoutModel() bool {
	return slices.ContainsFunc(s.Modes, func(m Mode) bool { return m.Mode == NoModel || m.Mode == Nothing })
}

// WithoutApp tells that the day is played without an app of Reddit. A day on which the public list is refused has nothing else.
func (s *Script) WithoutApp() bool {
	return slices.ContainsFunc(s.Modes, func(m Mode) bool {
		return m.Mode == NoApp || m.Mode == Nothing || slices.Contains(redditRefuses, m.Mode)
	})
}

// Refused is how many posts at least must be refused for which reason. Where no model looks, nobody tells why a clip is not of the goal.
func (s *Script) Refused() map[string]int {
	if !s.WithoutModel() {
		return s.Expect.Rejected
	}
	out := map[string]int{}
	for why, n := range s.Expect.Rejected {
		if why == "screen" || why == "not_soccer" {
			why = "no_clock"
		}
		out[why] += n
	}
	return out
}

// Begins is the product minute at which the world starts: 0 unless the day has a stale start.
func (s *Script) Begins() float64 {
	for _, m := range s.Modes {
		if m.Mode != StaleStart {
			continue
		}
		if f, ok := s.late(m); ok {
			return f.Happens(Event{Kind: Goal, Minute: m.minute()})
		}
	}
	return 0
}

func (m Mode) minute() int {
	if m.Minute == 0 {
		return StaleMatch
	}
	return m.Minute
}

func (s *Script) late(m Mode) (Fixture, bool) {
	if m.Fixture != 0 {
		return s.Fixture(m.Fixture)
	}
	for _, f := range s.Fixtures {
		if f.KickoffHours == 0 && !f.Untracked && len(f.Turns) == 0 {
			return f, true
		}
	}
	return Fixture{}, false
}

func (s *Script) validateMode(m Mode) error {
	switch {
	case m.Mode == StaleStart:
		if f, ok := s.late(m); !ok || f.KickoffHours != 0 {
			return fmt.Errorf("no match of today to be late for (fixture %d)", m.Fixture)
		}
		if m.Minute < 0 || m.Minute > 120 {
			return fmt.Errorf("minute %d", m.Minute)
		}
		return nil
	case m.Fault() == "" && !slices.Contains(ownerManners, m.Mode) && !slices.Contains(feedManners, m.Mode):
		return fmt.Errorf("unknown; there are %s, and faults: %s", strings.Join(ModeNames(), ", "), strings.Join(Faults, ", "))
	case m.From < 0 || m.Minutes < 0 || m.Seconds < 0:
		return errors.New("negative time")
	}
	return nil
}

// With adds modes by name: as long as the script plays them, else all day.
func (s *Script) With(names ...string) error {
	for _, name := range names {
		m := Mode{Mode: name}
		if name == "slow_model" {
			m.Seconds = 60 // what a small model takes for a clip without a GPU: 20 to 100 s
		}
		for _, manner := range s.Manners {
			if manner.Mode.Mode != name {
				continue
			}
			m = manner.Mode
			for i := range s.Fixtures {
				s.Fixtures[i].Events = append(s.Fixtures[i].Events, manner.Events[s.Fixtures[i].ID]...)
			}
		}
		if err := s.validateMode(m); err != nil {
			return fmt.Errorf("mode %q: %w", name, err)
		}
		if s.Modes = append(s.Modes, m); m.Mode == Nothing {
			s.postOnReddit()
		}
	}
	return s.Validate()
}
