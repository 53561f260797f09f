package stage

import "strings"

// Settings are those that a world prints for the product, read line by line.
type Settings struct {
	Lines []string // NAME=value
	whole bool
}

// Hear takes a line of a world and reports whether nothing more will come. A world that is started again says all of it again.
func (s *Settings) Hear(line string) bool {
	if s.whole = s.whole || strings.HasPrefix(line, "WORLD_CONTROL_URL="); !s.whole { // its last, and no setting
		if k, _, ok := strings.Cut(line, "="); ok && k == strings.ToUpper(k) {
			s.Lines = append(s.Lines, line)
		}
	}
	return s.whole
}
