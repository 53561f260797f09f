package story

import (
	"cmp"
	"fmt"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// steps is the way of a goal from its first sighting to its clips, as far as it went.
func steps(e *footy.Event, rows []footy.Entry, a explain.Answer) []Step {
	if len(rows) == 0 {
		return nil
	}
	of := 0
	for _, r := range rows {
		if r.Kind == footy.EntryNew || r.Kind == footy.EntrySighting {
			of = cmp.Or(r.Data.Of, of)
		}
	}
	certain, completed := e.Certain(), e.DownloadComplete
	out := []Step{{Name: "Reported", State: "done"}, {Name: "Certain", State: "done", Value: "yes"}}
	if !certain {
		out[1] = Step{Name: "Certain", State: "now", Value: "not yet"}
		if of > 0 {
			out[1].Value = fmt.Sprintf("%d of %d votes", min(e.StableCount(), of), of)
		}
	}
	if e.Removed {
		return append(out, Step{Name: "Stands", Value: "no", State: "bad"})
	}
	stage := func(name, value string, reached bool) Step {
		switch {
		case !certain:
			return Step{Name: name, State: "todo"}
		case completed && !reached:
			return Step{Name: name, Value: value, State: "bad"}
		case completed:
			return Step{Name: name, Value: value, State: "done"}
		case reached:
			return Step{Name: name, Value: value, State: "now"}
		}
		return Step{Name: name, Value: value, State: "todo"}
	}
	searched := fmt.Sprint(a.Searches)
	if a.Failed > 0 {
		searched += fmt.Sprintf(", %d failed", a.Failed)
	}
	return append(out, stage("Searches", searched, a.Searches+a.Failed > 0), stage("Posts", fmt.Sprint(a.Posts), a.Posts > 0),
		stage("Showing it", fmt.Sprint(a.Clips), a.Clips > 0))
}
