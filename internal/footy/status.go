package footy

import "time"

// Phase is where a status code is in the course of a match.
type Phase int

// The phases. A match that is postponed is still asked for: short delays are common.
const (
	PhaseUnknown Phase = iota // of codes that are not in the table: the match rests
	PhasePre
	PhaseInPlay
	PhasePostponed
	PhaseTerminal
)

// StatusInfo is what there is to know about a status code of the feed.
type StatusInfo struct {
	Code     string
	Phase    Phase
	Order    int    // how far the match is; 0 = says nothing about it. A match may be called over before its extra time
	Running  bool   // the clock runs: its minute is shown
	Regular  []int  // of a running clock: the minutes after which it has stoppage time
	Rests    bool   // play stands still for who knows how long: it may go on, be played another day, or never
	Off      bool   // nothing is being played and nothing was decided on the pitch: suspended, postponed, cancelled, abandoned
	Label    string // what happened, for people
	Short    string // on a card; "" where the minute is shown
	Shootout bool   // kicks from the penalty mark are being taken, or were
}

// statuses in the course of a match.
var statuses = []StatusInfo{
	{Code: "TBD", Phase: PhasePre, Order: 1, Label: "time to be set", Short: "Time to be set"},
	{Code: "NS", Phase: PhasePre, Order: 1, Label: "soon", Short: "Not started"},
	{Code: "1H", Phase: PhaseInPlay, Order: 2, Running: true, Regular: []int{45}, Label: "kick-off"},
	{Code: "HT", Phase: PhaseInPlay, Order: 3, Label: "half-time", Short: "HT"},
	{Code: "2H", Phase: PhaseInPlay, Order: 4, Running: true, Regular: []int{90}, Label: "second half"},
	{Code: "BT", Phase: PhaseInPlay, Order: 5, Label: "break", Short: "Break"},
	{Code: "ET", Phase: PhaseInPlay, Order: 5, Running: true, Regular: []int{105, 120}, Label: "extra time"},
	{Code: "P", Phase: PhaseInPlay, Order: 6, Label: "penalties", Short: "Penalties", Shootout: true},
	{Code: "LIVE", Phase: PhaseInPlay, Running: true, Regular: []int{45, 90, 105, 120}, Label: "kick-off"},
	{Code: "INT", Phase: PhaseInPlay, Rests: true, Label: "interrupted", Short: "Interrupted"},
	{Code: "SUSP", Phase: PhaseInPlay, Rests: true, Off: true, Label: "suspended", Short: "Suspended"},
	{Code: "PST", Phase: PhasePostponed, Rests: true, Off: true, Label: "postponed", Short: "Postponed"},
	{Code: "FT", Phase: PhaseTerminal, Order: 5, Label: "full time", Short: "FT"},
	{Code: "AET", Phase: PhaseTerminal, Order: 7, Label: "full time", Short: "After extra time"},
	{Code: "PEN", Phase: PhaseTerminal, Order: 7, Label: "full time", Short: "After penalties", Shootout: true},
	{Code: "CANC", Phase: PhaseTerminal, Off: true, Label: "cancelled", Short: "Cancelled"},
	{Code: "ABD", Phase: PhaseTerminal, Off: true, Label: "abandoned", Short: "Abandoned"},
	{Code: "AWD", Phase: PhaseTerminal, Label: "awarded", Short: "Awarded"},
	{Code: "WO", Phase: PhaseTerminal, Label: "walkover", Short: "Walkover"},
}

// Statuses lists the known status codes.
func Statuses() []StatusInfo { return append([]StatusInfo(nil), statuses...) }

// Status is the phase of play; Code is API-Football's short code (NS, 1H, HT, FT, ...).
type Status struct {
	Code    string `json:"short"`
	Long    string `json:"long,omitempty"`
	Elapsed *int   `json:"elapsed"` // minutes, ordinal; stays 45/90/105/120 in stoppage time
	Extra   *int   `json:"extra"`   // minutes of stoppage time
	// Since is when the feed first gave this minute; zero where it is not known.
	Since time.Time `json:"since,omitzero"`
}

// Info is the row of the code; an unknown one rests, and is called by the code itself.
func (s Status) Info() StatusInfo {
	for i := range statuses {
		if statuses[i].Code == s.Code {
			return statuses[i]
		}
	}
	return StatusInfo{Code: s.Code, Rests: s.Code != "", Label: s.Code}
}

// Terminal reports whether the match is over.
func (s Status) Terminal() bool { return s.Info().Phase == PhaseTerminal }

// InPlay reports whether the ball may be rolling; in a match that rests it is not.
func (s Status) InPlay() bool { in := s.Info(); return in.Phase == PhaseInPlay && !in.Rests }

// Pre reports whether the match has not begun.
func (s Status) Pre() bool { return s.Info().Phase == PhasePre }

// Postponed reports whether the match waits for another time.
func (s Status) Postponed() bool { return s.Info().Phase == PhasePostponed }

// Rests reports whether play stands still without an end, or the status is one that is not known.
func (s Status) Rests() bool { return s.Info().Rests }

// Minute is the minute of play as the clock of the feed says it; unknown where it says none.
func (s Status) Minute() Minute {
	var m Minute
	if s.Elapsed != nil {
		m.Elapsed = *s.Elapsed
		if s.Extra != nil {
			m.Extra = *s.Extra
		}
	}
	return m
}

// longestStoppage is how many minutes of stoppage time are counted: a feed that fell silent does not let a half go on for hours.
const longestStoppage = 20

// Counts reports whether the minute can be counted on from when the feed first gave it.
func (s Status) Counts() bool { return s.Info().Running && s.Elapsed != nil && !s.Since.IsZero() }

// Began is when the clock stood at zero, counted back from its minute; minute is how long one lasts.
func (s Status) Began(minute time.Duration) time.Time {
	m := s.Minute()
	return s.Since.Add(-time.Duration(m.Elapsed+m.Extra) * minute)
}

// Regular is the minute after which the period has stoppage time.
func (s Status) Regular() int {
	for _, end := range s.Info().Regular {
		if s.Minute().Elapsed <= end {
			return end
		}
	}
	return s.Minute().Elapsed
}

// CountOn is the status at a time, with its minute counted on as a broadcast's clock is: 44, 45, 45+1.
func (s Status) CountOn(now time.Time, minute time.Duration) Status {
	if !s.Counts() || now.Sub(s.Since) < minute {
		return s
	}
	was, end := s.Minute(), s.Regular()
	m := was.Elapsed + was.Extra + int(now.Sub(s.Since)/minute)
	m = min(m, max(end+longestStoppage, was.Elapsed+was.Extra))
	s.Since = s.Since.Add(time.Duration(m-was.Elapsed-was.Extra) * minute)
	s.Elapsed, s.Extra = new(min(m, end)), nil
	if m > end {
		s.Extra = new(m - end)
	}
	return s
}
