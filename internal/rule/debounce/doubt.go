package debounce

import "github.com/found-footy/found-footy/internal/footy"

// Contradicts reports whether an answer of a distrusted poll takes something back: it contradicts what is known, lacks
// confirmed goals or counts fewer of them. Such an answer must not touch the fixture; what it says comes again, if it is
// true, in the next poll that can be trusted.
func Contradicts(f footy.Fixture, s footy.Snapshot) bool {
	fewer := func(known, said *int) bool { return known != nil && said != nil && *said < *known }
	return fewer(f.Score.Home, s.Score.Home) || fewer(f.Score.Away, s.Score.Away) ||
		len(NewlyMissing(f, s)) > 0 || len(Regressions(Baseline(f, nil), s)) > 0
}
