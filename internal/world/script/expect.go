package script

// FixtureExpect is what must become of a fixture. Stage is staging, active, completed or absent (never followed).
type FixtureExpect struct {
	Stage string `json:"stage"`
	Home  *int   `json:"home,omitempty"`
	Away  *int   `json:"away,omitempty"`
	// Goals is how many goals must stand, removed ones not counted; nil = not checked.
	Goals *int `json:"goals,omitempty"`
}

// GoalExpect is what must become of a goal. Removed goals need only that, and their reason if given.
type GoalExpect struct {
	Clips      *Range `json:"clips,omitempty"`
	Verified   *Range `json:"verified,omitempty"`
	Popularity *Range `json:"popularity,omitempty"`
	Removed    bool   `json:"removed,omitempty"`
	Redirected bool   `json:"redirected,omitempty"`
}

// Manner is how this day is played in a mode that is asked for by name, and what a person must see then.
type Manner struct {
	Mode
	Events map[int][]Event `json:"events,omitempty"` // that happen only then, by their fixture
	While  *Sight          `json:"while,omitempty"`  // as long as the mode holds
	End    *Sight          `json:"end,omitempty"`    // when the day is over, beside what the day expects anyway
}

// Sight is what a person must see. Of a mode that ends, all but Health is looked at when its minutes are over, and it ends when all of it
// was seen; of one that holds all day, at the day's end.
type Sight struct {
	Clips *Range `json:"clips,omitempty"` // of all goals together
	// Health is what a part must have said at some time while the mode held; at the end, what it says then.
	Health  []PartExpect   `json:"health,omitempty"`
	Waiting map[string]int `json:"waiting,omitempty"` // at least so many posts wait for this cause; "" = for any
	// Pages must stand on the page of every goal of which a post waits; PagesOf on those of the goals named ("1300101/first").
	Pages   []string            `json:"pages,omitempty"`
	PagesOf map[string][]string `json:"pages_of,omitempty"`
	Never   []string            `json:"never,omitempty"`  // no post was refused for this reason
	Sooner  [][2]string         `json:"sooner,omitempty"` // the first clip of the one came before the last verdict on the other
}

// PartExpect is what the health page must say of a part: its state, and words of its reason and of its remedy.
type PartExpect struct {
	Part   string `json:"part"`
	State  string `json:"state"`
	Says   string `json:"says,omitempty"`
	Remedy string `json:"remedy,omitempty"`
}

// Range is an inclusive range; Max nil = no upper end.
type Range struct {
	Min int  `json:"min"`
	Max *int `json:"max,omitempty"`
}

// Holds reports whether n lies in the range.
func (r Range) Holds(n int) bool { return n >= r.Min && (r.Max == nil || n <= *r.Max) }

// Totals are expectations over the whole day. Rejected counts at least so many by reason.
type Totals struct {
	Fixtures int `json:"fixtures"`
	Goals    int `json:"goals"`
	Removed  int `json:"removed"`
	// RedCards is how many must stand; nil = not checked. Kinds that are not followed must not turn up at all.
	RedCards   *int           `json:"red_cards,omitempty"`
	Duplicates int            `json:"duplicates"`
	Redirects  int            `json:"redirects"`
	Rejected   map[string]int `json:"rejected,omitempty"`
}
