package explain

import (
	"fmt"
	"time"
)

// Pace says how often live matches are polled where the plan lacks the calls for as often as wanted, as the rest of a sentence.
func Pace(wanted, every time.Duration) string {
	if every > time.Minute {
		every = every.Round(10 * time.Second)
	}
	return fmt.Sprintf("the plan cannot be polled every %s: with the calls left, live matches are polled every %s, and goals come later", Spoken(wanted), Spoken(every))
}
