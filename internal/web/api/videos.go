package api

import (
	"hash/fnv"
	"net/http"
	"sort"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/web/answer"
	"github.com/found-footy/found-footy/internal/web/lookup"
	"github.com/found-footy/found-footy/internal/web/view"
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
	list, err := s.Reader.Window(r.Context())
	if err != nil {
		return err
	}
	verified := r.URL.Query().Get("verified") == "true"
	body := videosBody{Videos: []videoBody{}}
	for i := range list {
		k := list[i].Match.Kickoff
		if !f.fits(&list[i]) || (!f.from.IsZero() && (k.Before(f.from) || !k.Before(f.to))) {
			continue
		}
		for _, e := range view.FixtureOf(&list[i], time.UTC).Events {
			for _, c := range e.Clips {
				if c.Verified || !verified {
					body.Videos = append(body.Videos, videoBody{c, e.ID, e.Scorer, e.MinuteLabel, e.Home, e.Away, e.Side})
				}
			}
		}
	}
	body.page(f.after, f.limit)
	return answer.JSON(w, r, http.StatusOK, body)
}

// place is where a clip stands in the list of all.
func (v videoBody) place() lookup.Cursor {
	h := fnv.New64a()
	_, _ = h.Write([]byte(v.EventID + v.ID))
	return lookup.Cursor{At: v.AddedAt, ID: int64(h.Sum64()>>2) + 1}
}

// page keeps what comes after a place, newest first.
func (b *videosBody) page(after lookup.Cursor, limit int) {
	sort.Slice(b.Videos, func(i, j int) bool { return b.Videos[j].place().Before(b.Videos[i].place()) })
	if after.ID != 0 {
		b.Videos = b.Videos[sort.Search(len(b.Videos), func(i int) bool { return b.Videos[i].place().Before(after) }):]
	}
	if len(b.Videos) > limit {
		b.Videos = b.Videos[:limit]
		b.Next = b.Videos[limit-1].place().String()
	}
}
