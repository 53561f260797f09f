// Package lifecycle decides which stage a fixture is in, when it is polled and when it moves on. Pure: values in, values
// out; the time is an argument.
package lifecycle

import (
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/score"
	"github.com/found-footy/found-footy/internal/footy"
)

// Why a fixture moved, or that it stays.
const (
	ReasonPreActivation footy.Reason = "kickoff_near"
	ReasonLive          footy.Reason = "reported_live"
	ReasonNewDate       footy.Reason = "new_date"
	ReasonDelayed       footy.Reason = "delayed"
	ReasonNamed         footy.Reason = "named" // by a person: footy ingest ID
	ReasonPostponed     footy.Reason = "postponed"
	ReasonNeverBegan    footy.Reason = "never_began"
	ReasonAllComplete   footy.Reason = "all_events_complete"
	ReasonNeverResumed  footy.Reason = "never_resumed"
	ReasonGraceOver     footy.Reason = "grace_over"
)

// Move is the decision about a fixture's stage; To is empty where it stays.
type Move struct {
	To       footy.Stage
	Kind     footy.EntryKind
	Reason   footy.Reason
	Evidence footy.Evidence
}

// Entry is the log row of the move; id makes its key.
func (m Move) Entry(fixture int64, id string, at time.Time) footy.Entry {
	return footy.Entry{Key: fmt.Sprintf("%d/%s/%s", fixture, m.Kind, id), FixtureID: fixture, At: at, Kind: m.Kind, Reason: m.Reason, Data: m.Evidence}
}

// Admit tells where a fixture that is new to us belongs.
func Admit(s footy.Snapshot, now time.Time, w Windows) footy.Stage {
	f := footy.Fixture{Stage: footy.StageStaging}
	Merge(&f, s, now)
	if m := Plan(f, now, w); m.To != "" {
		return m.To
	}
	return footy.StageStaging
}

// Plan decides where a fixture belongs, right after Merge brought a fresh answer (a failed poll must not come here:
// it neither activates nor completes). now is the time of that answer. The time-driven pre-activation is also found
// without a new answer.
func Plan(f footy.Fixture, now time.Time, w Windows) Move {
	status := f.Match.Status
	switch f.Stage {
	case footy.StageActive:
		return planActive(f, now, w)
	case footy.StageCompleted:
		switch {
		case status.InPlay() && restEnds(f, now, w).To == "": // the answer it was given up for says nothing new
			return Move{footy.StageActive, footy.EntryActivated, ReasonLive, footy.Evidence{Again: true}}
		case (status.Pre() || status.Postponed()) && f.Match.Kickoff.After(now):
			return back(ReasonNewDate, f)
		}
		return Move{}
	}
	return planStaging(f, now, w)
}

func planStaging(f footy.Fixture, now time.Time, w Windows) Move {
	status := f.Match.Status
	switch {
	case status.InPlay():
		return Move{footy.StageActive, footy.EntryActivated, ReasonLive, footy.Evidence{}}
	case status.Terminal():
		return Move{footy.StageCompleted, footy.EntryCompleted, ReasonAllComplete, footy.Evidence{Status: status.Code}}
	case status.Postponed() && now.Sub(f.PostponedAt) >= w.PostponedReturn && !f.PostponedAt.IsZero():
		return Move{} // it was given up as postponed; a new date or a live status brings it back
	case kickoffNear(f.Match.Kickoff, now, w):
		return Move{footy.StageActive, footy.EntryActivated, ReasonPreActivation, footy.Evidence{}}
	case !status.Pre() && !status.Postponed():
		return restEnds(f, now, w)
	}
	return Move{}
}

// restEnds decides about a match of which nothing was played for days: it is over. If it is played on, the day's list brings it back.
func restEnds(f footy.Fixture, now time.Time, w Windows) Move {
	if lasted := now.Sub(playedLast(f)); rests(f, now, w) && lasted >= w.RestEnds && w.RestEnds > 0 {
		return Move{footy.StageCompleted, footy.EntryCompleted, ReasonNeverResumed, footy.Evidence{Status: f.Match.Status.Code, Lasted: lasted.Seconds()}}
	}
	return Move{}
}

func planActive(f footy.Fixture, now time.Time, w Windows) Move {
	status := f.Match.Status
	switch {
	case status.Terminal():
		return planTerminal(f, now, w)
	case !status.Pre() && !status.Postponed():
		return restEnds(f, now, w)
	case f.Match.Kickoff.After(now.Add(w.PreActivate)):
		return back(ReasonNewDate, f)
	case status.Postponed() && !f.PostponedAt.IsZero() && now.Sub(f.PostponedAt) >= w.PostponedReturn:
		return back(ReasonPostponed, f)
	case status.Pre() && now.Sub(f.Match.Kickoff) >= w.PostponedReturn:
		return back(ReasonNeverBegan, f)
	}
	return Move{}
}

func planTerminal(f footy.Fixture, now time.Time, w Windows) Move {
	code := f.Match.Status.Code
	open, unlisted := holds(f, w)
	switch {
	case open == 0 && unlisted == 0:
		return Move{footy.StageCompleted, footy.EntryCompleted, ReasonAllComplete, footy.Evidence{Status: code, Complete: true}}
	case !f.TerminalSince.IsZero() && now.Sub(f.TerminalSince) < w.PostponedReturn && seenTooRarely(f):
		return Move{} // asked so rarely that nobody could decide yet: the next answers will
	case !f.TerminalSince.IsZero() && now.Sub(f.TerminalSince) >= w.CompletionGrace:
		return Move{footy.StageCompleted, footy.EntryCompleted, ReasonGraceOver,
			footy.Evidence{Status: code, Open: open, Unlisted: unlisted}}
	}
	return Move{}
}

// holds counts what keeps a match active that is over.
func holds(f footy.Fixture, w Windows) (open, unlisted int) {
	for i := range f.Events {
		// While absences of a goal are counted the match stays: after the last poll nobody could remove it.
		if e := &f.Events[i]; e.Standing() && (!e.DownloadComplete || len(e.AbsentPolls) > 0) {
			open++
		}
	}
	if w.Unlisted { // a goal the score counts but the vendor did not list yet may still come: it too has the whole grace
		unlisted = score.WithoutEvent(f)
	}
	return open, unlisted
}

// seenTooRarely reports whether an event is not certain because too few polls were answered since it was first seen.
func seenTooRarely(f footy.Fixture) bool {
	return slices.ContainsFunc(f.Events, func(e footy.Event) bool {
		return e.Standing() && !e.Certain() && len(e.Votes) > 0 && len(e.Votes) < debounce.Defaults().Sightings
	})
}

// Apply moves the fixture to its new stage.
func Apply(f *footy.Fixture, m Move, now time.Time) {
	f.Stage = m.To
	switch m.To {
	case footy.StageActive:
		f.ActivatedAt, f.CompletedAt = now, time.Time{}
		f.TerminalSince = time.Time{}
	case footy.StageCompleted:
		f.CompletedAt = now
	case footy.StageStaging:
		f.ActivatedAt, f.CompletedAt = time.Time{}, time.Time{}
		f.TerminalSince = time.Time{}
	}
}

func back(why footy.Reason, f footy.Fixture) Move {
	return Move{footy.StageStaging, footy.EntryRescheduled, why, footy.Evidence{Kickoff: f.Match.Kickoff.UTC()}}
}

// Windows are the waits of a fixture's life.
type Windows struct {
	PreActivate     time.Duration `json:"pre_activate"`     // before kickoff; inclusive
	StagingSlot     time.Duration `json:"staging_slot"`     // a staging fixture near its kickoff is polled once per slot
	StagingNear     time.Duration `json:"staging_near"`     // so long before its kickoff that begins
	StagingFar      time.Duration `json:"staging_far"`      // before that it is polled this often
	Played          time.Duration `json:"played"`           // after kickoff a match and the searches of its last goal keep it active
	CompletionGrace time.Duration `json:"completion_grace"` // after the first terminal answer, even with open events
	PostponedAfter  time.Duration `json:"postponed_after"`  // after kickoff a postponed match is polled rarely
	PostponedPoll   time.Duration `json:"postponed_poll"`   // that rarely
	PostponedReturn time.Duration `json:"postponed_return"` // after its first PST answer it goes back to staging
	RestEnds        time.Duration `json:"rest_ends"`        // after a match came to rest in the midst of play it is taken to be over
	Reschedule      time.Duration `json:"reschedule"`       // a kickoff moved by less is a delay, not a new date
	ListAgain       time.Duration `json:"list_again"`       // between two tries for today's list while the feed refuses it
	ListReach       time.Duration `json:"list_reach"`       // the first such pause while the feed cannot be reached
	ListReachMost   time.Duration `json:"list_reach_most"`  // the longest
	SecondLook      time.Duration `json:"second_look"`      // after a cycle began its matches are looked at again, while a goal is validated
	IdlePoll        time.Duration `json:"idle_poll"`        // between two cycles while nothing is live or near
	IdleAhead       time.Duration `json:"idle_ahead"`       // a match that begins within this is near
	Minute          time.Duration `json:"minute"`           // of play
	Unlisted        bool          `json:"unlisted"`         // a goal that the score counts and nobody listed is waited for
}

// Defaults are the product's own waits.
func Defaults() Windows {
	return Windows{
		PreActivate:     30 * time.Minute,
		StagingSlot:     15 * time.Minute,
		StagingNear:     3 * time.Hour,
		StagingFar:      24 * time.Hour,
		Played:          135 * time.Minute,
		CompletionGrace: 60 * time.Minute,
		PostponedAfter:  2 * time.Hour,
		PostponedPoll:   15 * time.Minute,
		PostponedReturn: 24 * time.Hour,
		RestEnds:        72 * time.Hour,
		Reschedule:      6 * time.Hour,
		ListAgain:       time.Hour,
		ListReach:       15 * time.Second,
		ListReachMost:   5 * time.Minute,
		SecondLook:      15 * time.Second,
		IdlePoll:        5 * time.Minute,
		IdleAhead:       time.Hour,
		Minute:          time.Minute,
		Unlisted:        true,
	}
}

// Scaled divides every wait by n, for compressed match days.
func (w Windows) Scaled(n int) Windows {
	if n > 1 {
		for _, d := range []*time.Duration{&w.PreActivate, &w.StagingSlot, &w.StagingNear, &w.StagingFar, &w.Played, &w.CompletionGrace, &w.PostponedAfter,
			&w.PostponedPoll, &w.PostponedReturn, &w.RestEnds, &w.Reschedule, &w.ListAgain, &w.ListReach, &w.ListReachMost, &w.SecondLook, &w.IdlePoll, &w.IdleAhead, &w.Minute} {
			*d /= time.Duration(n)
		}
	}
	return w
}
