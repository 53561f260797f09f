package explain

import (
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// titleSays tells why a post was taken whose title names the goal.
func titleSays(t footy.TitleEvidence) string {
	s := "Taken for a closer look: on " + t.Source + " its title names this goal's " + listed(t.Agrees)
	if len(t.Differs) > 0 {
		s += ", and another " + listed(t.Differs)
	}
	return s
}

func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
