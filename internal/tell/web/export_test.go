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
