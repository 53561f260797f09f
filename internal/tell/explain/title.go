package explain

import "github.com/found-footy/found-footy/internal/footy"

// TitleNames is what of a goal a title names: "Inter, who are Internazionale: the other team, score, scorer and minute agree".
func TitleNames(t footy.TitleEvidence) string {
	s := "this goal's " + join(t.Agrees)
	if t.Strange != "" {
		s = t.Strange + ", who are " + t.Team + ": the " + join(t.Agrees) + " agree"
	}
	if len(t.Differs) > 0 {
		s += ", and another " + join(t.Differs)
	}
	return s
}
