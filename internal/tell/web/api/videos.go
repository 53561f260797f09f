package api

import (
	"context"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

type videosBody struct {
	Videos []videoBody `json:"videos"`
	Next   string      `json:"next_cursor,omitempty"`
}

type videoBody struct {
	view.Clip
	EventID string     `json:"event_id"`
	Scorer  string     `json:"scorer"`
	Minute  string     `json:"minute_label"`
	Home    string     `json:"home"`
	Away    string     `json:"away"`
	Side    footy.Side `json:"side"`
}

// Videos lists clips, newest first, of a day or of the last ones.
func (s *Server) Videos(w http.ResponseWriter, r *http.Request) error {
	f, err := parseFilter(r)
	if err != nil {
		return err
	}
	f.text = "" // it is not searched for here
	verified := r.URL.Query().Get("verified") == "true"
	return s.Reader.SendCached(w, r, fmt.Sprint("videos ", verified, " ", f.key()), func(ctx context.Context) (*answer.Answer, error) {
		list, err := s.Reader.KeptFixtures(ctx)
		if err != nil {
			return nil, err
		}
		page, next := f.videos(list, verified)
		return answer.NewJSON(http.StatusOK, videosBody{page, next})
	})
}

func (f fixtureFilter) videos(list []footy.Fixture, verified bool) (page []videoBody, next string) {
	videos := []videoBody{}
	for i := range list {
		k := list[i].Match.Kickoff
		if !f.fits(&list[i]) || (!f.from.IsZero() && (k.Before(f.from) || !k.Before(f.to))) {
			continue
		}
		for _, e := range view.FixtureOf(&list[i], time.UTC).Events {
			for _, c := range e.Clips {
				if c.Verified || !verified {
					videos = append(videos, videoBody{c, e.ID, e.Scorer, e.MinuteLabel, e.Home, e.Away, e.Side})
				}
			}
		}
	}
	slices.SortFunc(videos, func(a, b videoBody) int { return lookup.NewestFirst(a.place(), b.place()) })
	return lookup.Page(videos, (*videoBody).place, lookup.NewestFirst, f.after, f.limit)
}

// place is where a clip stands in the list of all.
func (v *videoBody) place() lookup.Cursor {
	h := fnv.New64a()
	_, _ = h.Write([]byte(v.EventID + v.ID))
	return lookup.Cursor{At: v.AddedAt, ID: int64(h.Sum64()>>2) + 1}
}
