package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/explain/story"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

type goalPage struct {
	base
	Event       eventView
	Fixture     fixtureView
	Story       story.Story
	Chosen      *clipView  // the clip the address names, else the best one
	Retired     bool       // the address named a clip that another one replaced
	Withdrawn   string     // why the clip that the address names is out of sight
	Gone        string     // why the goal no longer stands
	HiddenClips []clipView // for operators
	Actions     bool
	Next        string // what happens next, and when
	Late        string // that the goal was first seen late
}

func (s *Server) handleGoal(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("event")
	f, e, err := s.event(r.Context(), id)
	if err != nil {
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
	posts, err := s.opt.Store.Posts(r.Context(), store.PostQuery{EventUID: e.UID, Open: true})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	p := goalPage{base: s.base(r, ""), Event: viewEvent(f, e), Fixture: viewFixture(f, zoneOf(r)), Story: story.Tell(rows, posts, clipNames(e)),
		Next: s.next(e, rows, posts, zoneOf(r)), Late: s.late(e, zoneOf(r)), Actions: s.opt.Commands != nil}
	withWaiting(&p.Event, e, posts)
	status := http.StatusOK
	if e.Removed { // its story stays readable, its clips do not
		status, p.Gone = http.StatusGone, upperFirst(strings.TrimPrefix(gone(f, e).message, "This goal no longer stands: "))
		w.Header().Set("Cache-Control", "no-store")
		if !s.admin.admits(r) {
			p.Event.Clips = nil
		}
	}
	asked := r.URL.Query().Get("v")
	p.choose(e, asked)
	if !e.Removed && present(e, asked) == nil && (e.Clip(asked) != nil || e.Redirects[asked] != "") {
		g, err := s.absent(r.Context(), f, e, asked)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		p.Withdrawn = g.message
	}
	if p.Retired {
		http.Redirect(w, r, p.Chosen.PagePath, http.StatusFound)
		return
	}
	p.steps()
	stills(p.Story, e)
	p.Title = p.Event.Scorer + " " + p.Event.MinuteLabel + " · " + p.Event.Home + " v " + p.Event.Away
	if !e.Removed {
		p.Card = s.goalCard(p.Origin, p.Event, p.Chosen)
		p.Description = p.Card.Description
	}
	if p.Admin {
		for _, c := range e.Clips {
			if c.Hidden && !c.Swept {
				p.HiddenClips = append(p.HiddenClips, viewClip(e, c))
			}
		}
	}
	s.render(w, r, status, "goal", p)
}

// clipNames calls each clip what the page calls the one that stands for it now.
func clipNames(e *footy.Event) explain.Names {
	return func(id string) string {
		switch c := present(e, id); {
		case c == nil || e.Removed:
			return ""
		case c.Rank == 0:
			return "a clip" // not ranked yet
		default:
			return fmt.Sprintf("clip %d", c.Rank)
		}
	}
}

// steps adds what only the page knows: when, in the reader's zone, and how many clips people can see.
func (p *goalPage) steps() {
	steps := p.Story.Steps
	if len(steps) == 0 {
		return
	}
	if !p.Event.FirstSeen.IsZero() {
		steps[0].Value = inZone(p.Zone, p.Event.FirstSeen).Format("15:04:05")
	}
	if p.Gone != "" {
		if steps[len(steps)-1].State != "bad" {
			p.Story.Steps = append(steps, story.Step{Name: "Stands", Value: "no", State: "bad"})
		}
		return
	}
	last := story.Step{Name: "Clips", Value: fmt.Sprint(len(p.Event.Clips)), State: "todo"}
	switch {
	case len(p.Event.Clips) > 0:
		last.State = "done"
	case p.Event.Status == footy.StatusComplete:
		last.State = "bad"
	}
	p.Story.Steps = append(steps, last)
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
		return
	}
	for i := range p.Event.Clips {
		if p.Event.Clips[i].ID == c.ID {
			p.Chosen, p.Retired = &p.Event.Clips[i], c.ID != asked
		}
	}
}

// stills gives posts their picture: the small one kept of each download, else the poster of the clip it became. Of a
// clip out of sight, and of a goal that no longer stands, no picture is shown either.
func stills(st story.Story, e *footy.Event) {
	for i := range st.Chapters {
		for j := range st.Chapters[i].Posts {
			p := &st.Chapters[i].Posts[j]
			switch c := present(e, p.ClipID); {
			case e.Removed || withdrawn(e, p.ClipID):
			case p.Poster:
				p.Still = "/p/" + e.UID + "/post/" + p.ID + ".jpg"
			case p.ClipID != "" && p.Tone == story.ToneGood && c != nil && c.PosterKey != "":
				p.Still = footy.PosterPath(e.UID, c.ID)
			}
		}
	}
}
