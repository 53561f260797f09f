// Package script is the match day as data: who plays, what happens, what the feed gets wrong, what gets posted, what must come of it.
package script

// Script is one match day. All times are product time (minutes or seconds of the day being simulated), never wall time.
type Script struct {
	Name     string    `json:"name"`
	Leagues  []League  `json:"leagues"`
	Teams    []Team    `json:"teams"`
	Fixtures []Fixture `json:"fixtures"`
	Outages  []Outage  `json:"outages,omitempty"`
	Modes    []Mode    `json:"modes,omitempty"`
	Feed     Feed      `json:"feed"`
	Search   Search    `json:"search"`
	Model    Model     `json:"model"`
	Expect   Totals    `json:"expect"`
	Manners  []Manner  `json:"manners,omitempty"`
}

// League is a competition as the feed names it.
type League struct {
	ID      int    `json:"id"`
	Name    string `json:"name"`
	Country string `json:"country"`
	Season  int    `json:"season"`
	Round   string `json:"round"`
}

// Team is a club with what the world knows of it. Entity is its Wikidata id.
type Team struct {
	ID      int      `json:"id"`
	Name    string   `json:"name"`
	Code    string   `json:"code"`
	Country string   `json:"country"`
	City    string   `json:"city"`
	Entity  string   `json:"entity"`
	Label   string   `json:"label"`
	Aliases []string `json:"aliases,omitempty"`
	Shirt   string   `json:"shirt"`
}

// Fixture is one match: its shape in time, its events and what must become of it.
type Fixture struct {
	ID     int `json:"id"`
	League int `json:"league"`
	Home   int `json:"home"`
	Away   int `json:"away"`
	// Kickoff is in product minutes from the day's start; negative = already under way.
	Kickoff float64 `json:"kickoff"`
	// KickoffHours, when set, is real hours from the start instead: a match of another day.
	KickoffHours   float64       `json:"kickoff_hours,omitempty"`
	FirstStoppage  float64       `json:"first_stoppage"`
	HalfTime       float64       `json:"half_time"`
	SecondStoppage float64       `json:"second_stoppage"`
	ExtraTime      bool          `json:"extra_time,omitempty"`
	Shootout       bool          `json:"shootout,omitempty"`
	Turns          []Turn        `json:"turns,omitempty"`
	Bug            string        `json:"bug,omitempty"`
	Untracked      bool          `json:"untracked,omitempty"`
	Events         []Event       `json:"events,omitempty"`
	Expect         FixtureExpect `json:"expect"`
}

// Turn overrides the status from a product minute on. DateHours, if set, is the new kick-off in real hours from the start.
type Turn struct {
	At        float64 `json:"at"`
	Status    string  `json:"status"`
	DateHours float64 `json:"date_hours,omitempty"`
}

// Event kinds, as the script writes them.
const (
	Goal           = "goal"
	OwnGoal        = "own_goal"
	Penalty        = "penalty"
	MissedPenalty  = "missed_penalty"
	ShootoutScored = "shootout_scored"
	ShootoutMissed = "shootout_missed"
	YellowCard     = "yellow_card"
	RedCard        = "red_card"
	VARDecision    = "var"
)

var eventKinds = []string{Goal, OwnGoal, Penalty, MissedPenalty, ShootoutScored, ShootoutMissed, YellowCard, RedCard, VARDecision}

// Event is something on the pitch. Side is the side that benefits; an own goal's player belongs to the other one.
type Event struct {
	Key    string  `json:"key"`
	Kind   string  `json:"kind"`
	Minute int     `json:"minute"`
	Extra  int     `json:"extra,omitempty"`
	Side   string  `json:"side"`
	Player Player  `json:"player"`
	Assist *Player `json:"assist,omitempty"`
	Steps  []Step  `json:"steps,omitempty"`
	// Seconds is the footage's length; 0 = nobody filmed it.
	Seconds float64     `json:"seconds,omitempty"`
	Posts   []Post      `json:"posts,omitempty"`
	Expect  *GoalExpect `json:"expect,omitempty"`
}

// Quoted is the place of the post that another one quotes, its author's only one; false where there is none to quote.
func (e Event) Quoted(by Post) (place int, ok bool) {
	for i, p := range e.Posts {
		if p.By == by.Quotes && p.Kind != Quote {
			if ok {
				return 0, false
			}
			place, ok = i, true
		}
	}
	return place, ok
}

// Reddit is where posts stand that are not on X; a Comment stands below one there.
const (
	Reddit  = "reddit"
	Comment = "comment"
)

// Commented is the place of the post on Reddit whose comment another one is, its author's first; false where there is none.
func (e Event) Commented(by Post) (place int, ok bool) {
	for i, p := range e.Posts {
		if p.By == by.Under && p.On == Reddit {
			return i, true
		}
	}
	return 0, false
}

// Hosts are those that posts on Reddit link to. The product's table does not know the last one, whose pages name the file.
var Hosts = []string{"streamain", "streamin", "streamff", "dubz", "dubz-guest", "dropr", "streamable", "clipnest"}

// How a post on Reddit brings a video of Reddit's own, but for the plain way: as a crosspost, as a silent GIF, as a link that was shared, and as
// the page of its player.
const (
	LinkCrosspost = "crosspost"
	LinkGIF       = "gif"
	LinkShared    = "shared"
	LinkPlayer    = "player"
)

// Links are these.
var Links = []string{LinkCrosspost, LinkGIF, LinkShared, LinkPlayer}

// Player as the feed writes him; ID 0 = null, Name "" = null.
type Player struct {
	ID   int    `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
}

// Step changes how the feed reports an event from its Poll-th listing answer on (1 = the first answer that could list it).
// Absent fields keep their value.
type Step struct {
	Poll    int     `json:"poll"`
	Player  *Player `json:"player,omitempty"`
	Minute  *int    `json:"minute,omitempty"`
	Extra   *int    `json:"extra,omitempty"`
	Listed  *bool   `json:"listed,omitempty"`
	Counts  *bool   `json:"counts,omitempty"`
	VarNote string  `json:"var_note,omitempty"`
}

// Post is one message with a video. After is product seconds after the moment of the goal; negative = what stood on X before.
type Post struct {
	After int    `json:"after"`
	By    string `json:"by"`
	Text  string `json:"text"`
	Kind  string `json:"kind"`
	// Of names another event (of the same match) whose footage this is; With the second one of a compilation.
	Of   string `json:"of,omitempty"`
	With string `json:"with,omitempty"`
	// Take tells apart two files of one kind.
	Take int `json:"take,omitempty"`
	// On is where it stands: "" on X, or on reddit, where the text is the title, or a comment there, where {link} in the text is its clip.
	On string `json:"on,omitempty"`
	// Host is where the clip of a post or comment on Reddit lies, one of Hosts; "" with Reddit itself.
	Host string `json:"host,omitempty"`
	// Link is how a post on Reddit brings a video of Reddit's own, one of Links; "" = plainly.
	Link string `json:"link,omitempty"`
	// Under names who wrote the post of this event that a comment stands below.
	Under string `json:"under,omitempty"`
	// Quotes names who wrote the post of this event that a quote quotes: the video is that one's.
	Quotes string `json:"quotes,omitempty"`
	// Joins names the kind of another post of this event whose clip this one must end up as one with.
	Joins string `json:"joins,omitempty"`
	// Apart: this file must never stand for another post's, as a compilation would that swallowed a goal.
	Apart bool `json:"apart,omitempty"`
}

// Outage is a stretch of product time in which the vendor is wrong about some fixtures.
type Outage struct {
	From     float64        `json:"from"`
	Minutes  float64        `json:"minutes"`
	Fixtures []OutageEffect `json:"fixtures"`
}

// OutageEffect says how one fixture is misreported: cleared, not_started, score_falls or clock_back.
type OutageEffect struct {
	Fixture int    `json:"fixture"`
	How     string `json:"how"`
}

// Feed lists failures by the number of the by-id request.
type Feed struct {
	Failures []FeedFailure `json:"failures"`
}

// FeedFailure modes: http_500, errors_in_200, rate_limited (429).
type FeedFailure struct {
	Request int    `json:"request"`
	Mode    string `json:"mode"`
}

// Search describes the search service's moods: faults by the number of the search, and its budget.
type Search struct {
	Faults        []SearchFault `json:"faults"`
	CallsPerReset int           `json:"calls_per_reset"`
	ResetMinutes  float64       `json:"reset_minutes"`
}

// SearchFault answers one search with a state other than results or empty.
type SearchFault struct {
	Call  int    `json:"call"`
	State string `json:"state"`
	// RetryAfter is product seconds.
	RetryAfter float64 `json:"retry_after,omitempty"`
}

// Model sets how imperfect the simulated model is. Rates are "one in N"; 0 = never.
type Model struct {
	LoadingRequests int `json:"loading_requests"`
	MisreadOneIn    int `json:"misread_one_in"`
	FenceOneIn      int `json:"fence_one_in"`
}
