package pages

import (
	"net/http"
	"net/url"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/explain/story"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

type goalPage struct {
	frame.Base
	Event       view.Event
	Fixture     view.Fixture
	Story       story.Story
	Chosen      *view.Clip  // the clip the address names, else the best one
	ClipGone    string      // why the clip that the address names is hidden
	Gone        string      // why the goal no longer stands
	HiddenClips []view.Clip // for operators
	Actions     bool
	Next        string // what happens next, and when
	Late        string // that the goal was first seen late
	FirstClip   string // how long the first clip took, and where the time went
	Effect      string // what an operator's action did

	event *footy.Event
}

// Of implements frame's page with places.
func (p goalPage) Of() frame.Of { return frame.Of{Zone: p.Zone, Match: &p.Fixture, Event: p.event} }

// Goal shows a goal, its clips and how they were found.
func (s *Server) Goal(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("event")
	f, e, err := s.Reader.Event(r.Context(), id)
	if err != nil {
		return err
	}
	if id != e.ID {
		answer.Redirect(w, r, footy.GoalPath(e.ID), http.StatusPermanentRedirect)
		return nil
	}
	posts, rows, err := s.Reader.Record(r.Context(), f, e)
	if err != nil {
		return err
	}
	zone := lookup.Zone(r)
	p := goalPage{Base: s.Frame.Base(r, ""), Event: view.EventOf(f, e), Fixture: view.FixtureOf(f, zone), Story: story.Of(e, posts, rows, zone),
		Next: s.Timing.Next(e, rows, posts, s.Now(), zone), Late: s.Timing.Late(e, zone), Actions: s.Actions.Enabled(), Effect: effectOf(r), event: e}
	withWaiting(&p.Event, e, posts)
	status := http.StatusOK
	if e.Removed { // its story can still be read, its clips cannot be seen
		status, p.Gone = http.StatusGone, "It was "+explain.RemovedFor(e.RemovedReason)+"."
		w.Header().Set("Cache-Control", "no-store")
		if !s.Operators.Admits(r) {
			p.Event.Clips = nil
		}
	}
	asked := r.URL.Query().Get("v")
	chosen, replaced := p.Event.Choose(e, asked)
	if replaced {
		http.Redirect(w, r, chosen.PagePath, http.StatusFound)
		return nil
	}
	p.Chosen = chosen
	if !e.Removed && explain.CurrentClip(e, asked) == nil && lookup.HadClip(e, asked) {
		gone, err := s.Reader.ClipGone(r.Context(), f, e, asked)
		if err != nil {
			return err
		}
		p.ClipGone = gone.Message
	}
	if way := delay.In(rows); way != nil && !e.Removed {
		p.FirstClip = explain.FirstClip(way)
	}
	stills(p.Story, e)
	p.Title = p.Event.Scorer + " " + p.Event.MinuteLabel + " · " + p.Event.Home + " v " + p.Event.Away
	if !e.Removed {
		p.Card = goalCard(p.Origin, p.Event, p.Chosen)
		p.Description = p.Card.Description
	}
	if p.Admin {
		for _, c := range e.Clips {
			if c.Hidden && !c.Swept {
				p.HiddenClips = append(p.HiddenClips, view.ClipOf(e, c))
			}
		}
	}
	return s.pages.Send(w, r, status, "goal", p)
}

// stills gives posts their picture: the small one kept of each download, else the poster of the clip it became. Of a
// hidden clip, and of a goal that no longer stands, no picture is shown either.
func stills(st story.Story, e *footy.Event) {
	for i := range st.Chapters {
		for j := range st.Chapters[i].Posts {
			p := &st.Chapters[i].Posts[j]
			switch c := explain.CurrentClip(e, p.OwnClip); {
			case e.Removed || explain.HiddenClip(e, p.OwnClip) != nil:
			case p.Poster:
				p.Still = footy.StillPath(e.UID, p.PostID)
				if p.Clock {
					p.ClockPicture = footy.ClockPath(e.UID, p.PostID)
				}
			case p.OwnClip != "" && p.Tone == story.ToneGood && c != nil && c.PosterKey != "":
				p.Still = footy.PosterPath(e.UID, c.ID)
			}
		}
	}
}

// goalCard is what other sites show of a goal; with a clip it has a real picture and a player.
func goalCard(origin string, e view.Event, c *view.Clip) *frame.Card {
	out := &frame.Card{Title: e.Headline(), URL: origin + e.Path, Description: e.League.Name + ", " + e.Kickoff.Format("2 January 2006"),
		OEmbed: origin + "/oembed?url=" + url.QueryEscape(origin+e.Path)}
	if c == nil {
		return out
	}
	if c.PosterURL != "" {
		out.Image = origin + c.PosterURL
	}
	out.Video, out.Width, out.Height = origin+c.URL, c.Width, c.Height
	return out
}

type embedPage struct {
	Title  string
	Origin string
	Event  view.Event
	Clip   *view.Clip
	Gone   string
}

// Embed is the player that other sites may show in a frame.
func (s *Server) Embed(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	f, e, err := s.Reader.StandingEvent(r.Context(), r.PathValue("event"))
	if err != nil {
		no, _ := answer.ErrorOf(err)
		return s.pages.Send(w, r, no.Status, "embed", embedPage{Title: "Found Footy", Origin: s.Site.Origin(r), Gone: no.Message})
	}
	p := embedPage{Origin: s.Site.Origin(r), Event: view.EventOf(f, e)}
	p.Title = p.Event.Headline()
	p.Clip, _ = p.Event.Choose(e, r.URL.Query().Get("v"))
	return s.pages.Send(w, r, http.StatusOK, "embed", p)
}
