package lifecycle

import "time"

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
	ListAgain       time.Duration `json:"list_again"`       // between two tries for today's list while it is missing
	SecondLook      time.Duration `json:"second_look"`      // after a cycle began its matches are looked at again, while a goal is validated
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
		SecondLook:      15 * time.Second,
		Unlisted:        true,
	}
}

// Scaled divides every wait by n, for compressed match days.
func (w Windows) Scaled(n int) Windows {
	if n > 1 {
		for _, d := range []*time.Duration{&w.PreActivate, &w.StagingSlot, &w.StagingNear, &w.StagingFar, &w.Played, &w.CompletionGrace, &w.PostponedAfter,
			&w.PostponedPoll, &w.PostponedReturn, &w.RestEnds, &w.Reschedule, &w.ListAgain, &w.SecondLook} {
			*d /= time.Duration(n)
		}
	}
	return w
}
