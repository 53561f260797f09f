package web

import (
	"slices"
	"strings"
)

// APIRoutes lists "METHOD /path" of everything under /api/.
func APIRoutes(s *Server) []string {
	var out []string
	for _, r := range s.table() {
		if strings.Contains(r.pattern, " /api/") {
			out = append(out, r.pattern)
		}
	}
	slices.Sort(out)
	return out
}

// CachedAnswers is how many answers and lists are kept, and how many may be.
func (s *Server) CachedAnswers() (kept, most int) { return s.reader.Cache.Len(), answersKept }
