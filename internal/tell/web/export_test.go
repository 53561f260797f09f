package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/tell/web/limit"
)

// Gets lists the paths of everything that is read.
func Gets(s *Server) (paths []string) {
	for _, r := range s.table() {
		if path, ok := strings.CutPrefix(r.Pattern, "GET "); ok {
			paths = append(paths, path)
		}
	}
	return paths
}

// APIRoutes lists "METHOD /path" of everything under /api/.
func APIRoutes(s *Server) []string {
	var out []string
	for _, r := range s.table() {
		if strings.Contains(r.Pattern, " /api/") {
			out = append(out, r.Pattern)
		}
	}
	slices.Sort(out)
	return out
}

// CachedAnswers is how many answers and lists are kept, and how many may be.
func (s *Server) CachedAnswers() (kept, most int) { return s.reader.Cache.Len(), answersKept }

// CostOf is what a request is counted as.
func (s *Server) CostOf(r *http.Request) limit.Cost { return s.cost(r) }
