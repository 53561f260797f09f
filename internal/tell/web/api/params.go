package api

import (
	"net/http"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
)

// Checked refuses bad values of parameters that all paths of the API share. Pages for people use the default instead.
func Checked(next answer.Handler) answer.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := checkParams(r); err != nil {
			return err
		}
		return next(w, r)
	}
}

func checkParams(r *http.Request) error {
	q := r.URL.Query()
	if q.Has("tz") {
		if _, ok := lookup.ParseZone(q.Get("tz")); !ok {
			return answer.BadParam("tz", q.Get("tz"), "a time zone like Europe/Berlin or UTC")
		}
	}
	if q.Has("date") {
		if _, _, err := lookup.ParseDay(q.Get("date"), time.UTC); err != nil {
			return answer.BadParam("date", q.Get("date"), "a day like 2026-11-14")
		}
	}
	if q.Has("verified") {
		if v := q.Get("verified"); v != "true" && v != "false" {
			return answer.BadParam("verified", v, "true or false")
		}
	}
	for name, most := range map[string]int{"limit": lookup.PageSizeMax, "days": lookup.CoverageDays} {
		if n, err := strconv.Atoi(q.Get(name)); q.Has(name) && (err != nil || n < 1 || n > most) {
			return answer.BadParam(name, q.Get(name), "a number from 1 to "+strconv.Itoa(most))
		}
	}
	return nil
}

// limitOf is the length of a list; checkParams has refused bad values.
func limitOf(r *http.Request) int {
	if n, err := strconv.Atoi(r.URL.Query().Get("limit")); err == nil {
		return n
	}
	return lookup.PageSize
}
