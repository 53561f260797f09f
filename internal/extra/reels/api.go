package reels

import (
	"net/http"
	"time"

	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
)

type reelBody struct {
	Key      string         `json:"key"`
	Title    string         `json:"title"`
	When     string         `json:"when"`
	State    string         `json:"state"` // made, making, failed, none; empty: no goal has a verified clip
	Film     string         `json:"film_url,omitempty"`
	Poster   string         `json:"poster_url,omitempty"`
	Duration float64        `json:"duration"`
	Size     int64          `json:"size,omitempty"`
	MadeAt   time.Time      `json:"made_at,omitzero"`
	Making   *rule.Making   `json:"making,omitempty"`
	Chapters []chapterBody  `json:"chapters"`
	LeftOut  []rule.LeftOut `json:"left_out"`
}

type chapterBody struct {
	Start    float64 `json:"start"`
	End      float64 `json:"end"`
	Title    string  `json:"title"`
	EventUID string  `json:"event_uid,omitempty"`
	ClipID   string  `json:"clip_id,omitempty"`
}

// describe reports what a reel is made of now, and whether it was made.
func (s *page) describe(w http.ResponseWriter, r *http.Request) error {
	scope, asked, err := askedFor(r, r.URL.Query().Get("length"))
	if err != nil {
		return err
	}
	found, err := s.reel(r.Context(), scope, asked, "")
	if err != nil {
		return err
	}
	p := found.Plan
	b := reelBody{Title: p.Title[0], When: p.Title[1], Key: p.Key, State: "none", LeftOut: []rule.LeftOut{}, Chapters: []chapterBody{}}
	switch {
	case found.Made != nil:
		p = found.Made.Plan
		b.State, b.Size, b.MadeAt = "made", found.Made.Size, found.Made.MadeAt
		b.Film, b.Poster = filePath(p.Key, FilmFile), filePath(p.Key, PosterFile)
	case len(p.Pieces) == 0:
		b.State = "empty"
	case found.Making.State == rule.StateMaking || found.Making.State == rule.StateFailed:
		b.State, b.Making = string(found.Making.State), &found.Making
	}
	b.LeftOut = append(b.LeftOut, p.LeftOut...)
	if len(p.Pieces) > 0 {
		b.Duration = rule.Length(p.Frames()).Seconds()
		for _, c := range p.Chapters() {
			body := chapterBody{Start: c.Start.Seconds(), End: c.End.Seconds(), Title: c.Title}
			if c.Piece >= 0 {
				body.EventUID, body.ClipID = p.Pieces[c.Piece].EventUID, p.Pieces[c.Piece].ClipID
			}
			b.Chapters = append(b.Chapters, body)
		}
	}
	w.Header().Set("Cache-Control", "no-cache")
	return answer.JSON(w, r, http.StatusOK, b)
}
