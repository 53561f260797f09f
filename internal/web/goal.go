package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/web/story"
)

type goalPage struct {
	base
	Event          eventView
	Fixture        fixtureView
	Story          story.Story
	Chosen         *clipView  // the clip the address names, else the best one
	Retired        bool       // the address named a clip that another one replaced
	Withdrawn      bool       // the address named a clip that is out of sight
	HiddenClips    []clipView // for operators
	Actions        bool
	Next           string     // what happens next, and when
	Earlier, Later *eventView // other goals of the match
}

func (s *Server) handleGoal(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("event")
	f, e, err := s.standing(r.Context(), id)
	var g *goneError
	if err != nil && (!errors.As(err, &g) || !s.admin.admits(r)) {
		s.fail(w, r, err)
		return
	}
	if id != e.ID {
		http.Redirect(w, r, keepQuery(footy.GoalPath(url.PathEscape(e.ID)), r), http.StatusPermanentRedirect)
		return
	}
	s.learn([]footy.Fixture{*f})
	rows, err := s.story(r.Context(), f, e)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	p := goalPage{base: s.base(r, ""), Event: viewEvent(f, e), Fixture: viewFixture(f, zoneOf(r)), Story: story.Tell(rows),
		Next: s.next(e, rows, zoneOf(r)), Actions: s.opt.Commands != nil}
	p.choose(e, r.URL.Query().Get("v"))
	if p.Retired {
		http.Redirect(w, r, p.Chosen.PagePath, http.StatusFound)
		return
	}
	p.neighbours()
	stills(p.Story, e)
	p.Title = p.Event.Scorer + " " + p.Event.MinuteLabel + " · " + p.Event.Home + " v " + p.Event.Away
	p.Card = s.goalCard(p.Origin, p.Event, p.Chosen)
	p.Description = p.Card.Description
	if p.Admin {
		for _, c := range e.Clips {
			if c.Hidden {
				p.HiddenClips = append(p.HiddenClips, viewClip(e, c))
			}
		}
	}
	status := http.StatusOK
	if g != nil {
		status = http.StatusGone // an operator sees the page; it is gone all the same
	}
	s.render(w, r, status, "goal", p)
}

// choose picks the clip to show first.
func (p *goalPage) choose(e *footy.Event, asked string) {
	if len(p.Event.Clips) > 0 {
		p.Chosen = &p.Event.Clips[0]
	}
	if asked == "" {
		return
	}
	c := present(e, asked)
	if c == nil {
		p.Withdrawn = e.Clip(asked) != nil || e.Redirects[asked] != ""
		return
	}
	for i := range p.Event.Clips {
		if p.Event.Clips[i].ID == c.ID {
			p.Chosen, p.Retired = &p.Event.Clips[i], c.ID != asked
		}
	}
}

// stills gives posts their picture: the small one kept of each download, else the poster of the clip it became.
func stills(st story.Story, e *footy.Event) {
	for i := range st.Chapters {
		for j := range st.Chapters[i].Posts {
			p := &st.Chapters[i].Posts[j]
			if p.Poster {
				p.Still = "/p/" + e.UID + "/post/" + p.ID + ".jpg"
			} else if c := present(e, p.ClipID); p.ClipID != "" && p.Tone == story.Good && c != nil && c.PosterKey != "" {
				p.Still = footy.PosterPath(e.UID, c.ID)
			}
		}
	}
}

// neighbours finds the goals before and after in this match; the fixture lists newest first.
func (p *goalPage) neighbours() {
	for i := range p.Fixture.Events {
		if p.Fixture.Events[i].UID != p.Event.UID {
			continue
		}
		if i > 0 {
			p.Later = &p.Fixture.Events[i-1]
		}
		if i+1 < len(p.Fixture.Events) {
			p.Earlier = &p.Fixture.Events[i+1]
		}
	}
}

// next says what will happen to an event, and when; the last search is the clock of the coming one.
func (s *Server) next(e *footy.Event, rows []footy.Entry, zone *time.Location) string {
	switch e.Status() {
	case footy.StatusValidating:
		return "The next poll votes on it; with three votes that agree on the scorer, the search starts."
	case footy.StatusExtracting, footy.StatusWatching:
		n := len(e.DownloadWorkflows)
		if n >= attempts {
			return "All searches were made; the last batches are being checked."
		}
		for i := len(rows) - 1; i >= 0; i-- {
			if rows[i].Kind == footy.EntryQuery {
				at := rows[i].At.Add(between / time.Duration(s.opt.Scale))
				return fmt.Sprintf("Search %d of %d is due about %s.", n+1, attempts, at.In(zone).Format("15:04:05"))
			}
		}
		return fmt.Sprintf("Search %d of %d is about to start.", n+1, attempts)
	case footy.StatusComplete:
		return "Nothing more: the search is over."
	}
	return ""
}

// The pipeline's rhythm, for telling people what to expect.
const (
	attempts = 10
	between  = time.Minute
)
