package explain

import "github.com/found-footy/found-footy/internal/footy"

// titleSays tells why a post was taken whose title names the goal.
func titleSays(t footy.TitleEvidence) string {
	s := "Taken for a closer look: on " + t.Source + " its title names this goal's " + join(t.Agrees)
	if len(t.Differs) > 0 {
		s += ", and another " + join(t.Differs)
	}
	return s
}
