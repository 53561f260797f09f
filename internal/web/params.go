package web

import (
	"net/http"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// badParam names the parameter, what was sent and what would do.
func badParam(name, value, want string) error {
	return footy.Errorf(footy.CodeInvalid, "read "+name, "%s must be %s, not %q", name, want, value)
}

// checked refuses what every address of the API reads alike; pages for people fall back instead.
func (s *Server) checked(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := checkParams(r); err != nil {
			s.fail(w, r, err)
			return
		}
		next(w, r)
	}
}

func checkParams(r *http.Request) error {
	q := r.URL.Query()
	if q.Has("tz") {
		name := q.Get("tz")
		// "Local" would be the server's zone, which is nobody's business here.
		if _, err := time.LoadLocation(name); err != nil || name == "" || name == "Local" || len(name) > 64 {
			return badParam("tz", name, "a time zone like Europe/Berlin or UTC")
		}
	}
	if q.Has("date") {
		if _, _, err := dayOf(q.Get("date"), time.UTC); err != nil {
			return badParam("date", q.Get("date"), "a day like 2026-11-14")
		}
	}
	if q.Has("verified") {
		if v := q.Get("verified"); v != "true" && v != "false" {
			return badParam("verified", v, "true or false")
		}
	}
	for name, most := range map[string]int{"limit": pageSizeMax, "days": 15} {
		if n, err := strconv.Atoi(q.Get(name)); q.Has(name) && (err != nil || n < 1 || n > most) {
			return badParam(name, q.Get(name), "a number from 1 to "+strconv.Itoa(most))
		}
	}
	return nil
}
