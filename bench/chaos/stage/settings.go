package stage

import "strings"

// Settings are what a world tells the product to be set to, heard a line at a time.
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
