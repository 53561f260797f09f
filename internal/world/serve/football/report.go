package football

import "github.com/found-footy/found-footy/internal/world/script"

// reportedEvent is an event as the feed reports it at one answer.
type reportedEvent struct {
	script.Event
	player  script.Player
	listed  bool
	counts  bool
	varNote string
}

// fixtureReport is everything the feed says of a fixture at one moment, before it becomes JSON.
type fixtureReport struct {
	f       script.Fixture
	status  script.Status
	entries []reportedEvent
	date    float64 // product minutes of the published kick-off
	hours   float64 // or real hours from the start
	blank   bool    // goals are null
	lost    int     // goals the score fails to count (an outage)
}

// report applies the script's steps; nth gives the listing answer's number of an event (0 = not an answer that counts).
func report(f script.Fixture, p float64, nth func(key string) int) fixtureReport {
	s := fixtureReport{f: f, status: f.StatusAt(p), date: f.Kickoff, hours: f.KickoffHours}
	for _, t := range f.Turns {
		if p >= t.At && t.DateHours != 0 {
			s.hours = t.DateHours
		}
	}
	switch s.status.Short {
	case "NS", "TBD", "PST", "CANC", "WO":
		s.blank = true
		return s
	}
	for _, e := range f.Events {
		if p < f.Happens(e)+delay || stopped(f, f.Happens(e)) {
			continue
		}
		n := nth(e.Key)
		s.entries = append(s.entries, stepped(e, n))
		if s.status.Short == "FT" && len(f.Turns) > 0 && unfinished(e, n) {
			s.status = f.StatusAt(f.Turns[0].At - delay)
		}
	}
	return s
}

// unfinished reports whether a full time of the script must wait: what happens to an event by the number of answers has not all
// been told yet, because whoever asks was away or asks slowly. Three answers more are what it takes to believe it.
func unfinished(e script.Event, n int) bool {
	return len(e.Steps) > 0 && n < e.Steps[len(e.Steps)-1].Poll+3
}

// delay is how long the vendor takes to list something, in product minutes.
const delay = 0.3

func stopped(f script.Fixture, at float64) bool { return len(f.Turns) > 0 && at >= f.Turns[0].At }

func stepped(e script.Event, n int) reportedEvent {
	en := reportedEvent{Event: e, player: e.Player, listed: true, counts: script.Scores(e.Kind)}
	for _, st := range e.Steps {
		if n < st.Poll {
			continue
		}
		if st.Player != nil {
			en.player = *st.Player
		}
		if st.Minute != nil {
			en.Minute = *st.Minute
		}
		if st.Extra != nil {
			en.Extra = *st.Extra
		}
		if st.Listed != nil {
			en.listed = *st.Listed
		}
		if st.Counts != nil {
			en.counts = *st.Counts
		}
		en.varNote = st.VarNote
	}
	return en
}

// goals counts the score over the entries that pass keep.
func (s fixtureReport) goals(keep func(reportedEvent) bool) (home, away int) {
	for _, e := range s.entries {
		if !e.counts || !keep(e) {
			continue
		}
		if e.Side == "home" {
			home++
		} else {
			away++
		}
	}
	return home, away
}

// score is what the feed says it is.
func (s fixtureReport) score() (home, away int) {
	home, away = s.goals(func(reportedEvent) bool { return true })
	for range s.lost {
		if home > 0 {
			home--
		} else if away > 0 {
			away--
		}
	}
	return home, away
}

// kicks counts the scored kicks of the shoot-out so far.
func (s fixtureReport) kicks() (home, away int) {
	for _, e := range s.entries {
		if e.Kind != script.ShootoutScored {
			continue
		}
		if e.Side == "home" {
			home++
		} else {
			away++
		}
	}
	return home, away
}

// regress makes the report wrong in the way a scripted outage says.
func (s fixtureReport) regress(how string, minutesIn float64) fixtureReport {
	switch how {
	case "not_started":
		s.status, s.entries, s.blank = script.Status{Short: "NS", Elapsed: -1}, nil, true
	case "score_falls":
		s.lost = 1
	case "clock_back":
		s.status, s.entries = script.Status{Short: "1H", Elapsed: min(45, 1+int(minutesIn))}, nil
	default: // cleared: the goals vanish and the score agrees
		s.entries = nil
	}
	return s
}
