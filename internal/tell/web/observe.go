package web

import (
	"cmp"
	"io"
	"net/http"
	"time"
)

// Observed is one answered request, for metrics. Route is the pattern, never the path: there is no end of paths.
type Observed struct {
	Route  string
	Status int
	Took   time.Duration
}

// observe reports each answer. Streams are reported when they end.
func (s *Server) observe(next http.Handler) http.Handler {
	if s.opt.Observe == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		rec := &recorder{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			route := cmp.Or(r.Pattern, "none")
			s.opt.Observe(Observed{Route: route, Status: rec.status, Took: time.Since(began)})
		}()
		next.ServeHTTP(rec, r)
	})
}

type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// ReadFrom keeps sendfile, by which clips are sent.
func (r *recorder) ReadFrom(src io.Reader) (int64, error) { return io.Copy(r.ResponseWriter, src) }

// Unwrap lets http.ResponseController through.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
