package api

import (
	"context"
	"net/http"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

type summaryBody struct {
	view.Day
	Waiting int          `json:"waiting"`
	State   health.State `json:"state"`
	Latest  *latestGoal  `json:"latest"` // with a clip
}

type latestGoal struct {
	Headline string      `json:"headline"`
	Scorer   string      `json:"scorer"`
	Minute   string      `json:"minute_label"`
	Home     string      `json:"home"`
	Away     string      `json:"away"`
	Score    footy.Score `json:"score"`
	League   string      `json:"league"`
	Path     string      `json:"path"`
	Clip     string      `json:"url"`
	Poster   string      `json:"poster_url,omitempty"`
}

// Summary is today in a few figures, for dashboards.
func (s *Server) Summary(w http.ResponseWriter, r *http.Request) error {
	now := s.Reader.Now().In(s.Reader.ZoneOfKept(lookup.Zone(r)))
	date := now.Format(lookup.DateForm)
	return s.Reader.SendCached(w, r, "summary "+date+now.Format("-0700"), func(ctx context.Context) (*answer.Answer, error) {
		list, err := s.Reader.KeptFixtures(ctx)
		if err != nil {
			return nil, err
		}
		waiting, err := s.Reader.Waiting(ctx)
		if err != nil {
			return nil, err
		}
		h, err := s.Reader.RecentHealth(ctx)
		if err != nil {
			return nil, err
		}
		out := summaryBody{Day: view.Day{Date: date}, Waiting: waiting.View(false).Waiting, State: h.State}
		all := feedOf(nil, list)
		for _, m := range all.matches {
			if m.Kickoff.In(now.Location()).Format(lookup.DateForm) == date {
				out.Add(m)
			}
		}
		if len(all.goals) > 0 {
			e, c := all.goals[0], all.goals[0].Clips[0]
			out.Latest = &latestGoal{e.Headline(), e.Scorer, e.MinuteLabel, e.Home, e.Away, e.ScoreAfter, e.League.Name, e.Path, c.URL, c.PosterURL}
		}
		return answer.NewJSON(http.StatusOK, out)
	})
}
