package explain

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/footy"
)

// oldFootage says which match a post shows that shows none of this one.
func oldFootage(s footy.Seen) string {
	mirrored := ""
	if s.Match != nil && s.Match.Mirrored {
		mirrored = ", mirrored"
	}
	return fmt.Sprintf("Old footage: this is %s%s. We had it before this match began", Shown(s), mirrored)
}

// Shown names a match by its date, and the moment of it that a kept clip shows: "Arsenal - Chelsea of 3 May 2026 (Saka 67')".
func Shown(s footy.Seen) string {
	return fmt.Sprintf("%s - %s of %s (%s)", s.Home, s.Away, s.Kickoff.UTC().Format("2 January 2006"),
		footy.Label(footy.Event{Player: footy.Person{Name: s.Player}, Minute: s.Minute}))
}
