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

// Range is an inclusive range; Max nil = no upper end.
type Range struct {
	Min int  `json:"min"`
	Max *int `json:"max,omitempty"`
}

// Holds tells whether n lies in the range.
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
