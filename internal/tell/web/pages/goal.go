package pages

import (
	"cmp"
	"net/http"
	"net/url"
	"time"

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
	Board       view.Board // the score after it; of a goal that no longer stands, the true one
	Story       story.Story
	Chosen      *view.Clip    // the clip the address names, else the best one
	Stayed      string        // that the score did, after a goal that no longer stands
	ClipGone    *answer.Error // why the clip that the address names is hidden
	Gone        string        // why the goal no longer stands
	HiddenClips []view.Clip   // for operators
	Actions     bool
	Next        string // what happens next, and when
	Late        string // that the goal was first seen late
	Way         *way   // to the first clip
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
	p := goalPage{Base: s.Frame.Base(r, ""), Event: view.EventOf(f, e), Fixture: view.FixtureOf(f, zone), Story: story.Of(e, posts, rows),
		Next: s.Timing.Next(e, rows, posts, s.Now(), zone), Late: s.Timing.Late(e, zone), Actions: s.Actions.Enabled(), Effect: effectOf(r), event: e}
	withWaiting(&p.Event, e, posts)
	status := http.StatusOK
	if e.Removed { // its story can still be read, its clips cannot be seen
		status, p.Gone = http.StatusGone, p.Language.T(explain.UpperFirst(explain.RemovedFor(e.RemovedReason)))+"."
		w.Header().Set("Cache-Control", "no-store")
		if !s.Operators.Admits(r) {
			p.Event.Clips = nil
		}
	}
	p.Board = p.Event.Board
	if e.Removed {
		p.Board = p.Fixture.Board
		if before := e.ScoreBefore; before.Known() {
			p.Board.Rows[0].Goals, p.Board.Rows[1].Goals = before.Home, before.Away
			p.Stayed = p.Language.T("The score stayed %d–%d.", *before.Home, *before.Away)
		}
		p.Board.Rows[0].Bold, p.Board.Rows[1].Bold = false, false
	}
	asked := r.URL.Query().Get("v")
	chosen, replaced := p.Event.Choose(e, asked)
	if replaced {
		http.Redirect(w, r, chosen.PagePath, http.StatusFound)
		return nil
	}
	p.Chosen = chosen
	if !e.Removed && explain.CurrentClip(e, asked) == nil && lookup.HadClip(e, asked) {
		if p.ClipGone, err = s.Reader.ClipGone(r.Context(), f, e, asked); err != nil {
			return err
		}
	}
	if took := delay.In(rows); took != nil && !e.Removed {
		p.Way = wayOf(e, took)
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

// way is where the time went until the first clip could be seen.
type way struct {
	Whole       time.Duration // from the first report
	Stretches   []stretch
	Seen, Shown time.Time
}

// stretch is one stage; From and Share are percents of all of them.
type stretch struct {
	Words       string
	Took        time.Duration
	From, Share float64
}

// stretchWords say the stages of delay as steps of a way.
var stretchWords = map[string]string{
	delay.Told: "Scored, then reported", delay.Certain: "Reported, then confirmed", delay.Posted: "Confirmed, then posted", delay.Search: "Found by a search",
	delay.Fetch: "Downloaded", delay.Decode: "Clock read", delay.Model: "Checked by the model", delay.Waiting: "Waited", delay.Publish: "Put on this page",
}

func wayOf(e *footy.Event, took delay.Way) *way {
	span := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	out, from, whole := &way{Seen: e.FirstSeen}, 0.0, took.Whole().Seconds()
	for _, s := range took.Stages() {
		if share := 100 * s.Seconds / max(whole, 1e-9); s.Seconds >= 0.05 {
			out.Stretches = append(out.Stretches, stretch{stretchWords[s.Name], span(s.Seconds), from, share})
			from += share
		}
	}
	out.Whole = took.Whole() - span(took[delay.Told])
	out.Shown = out.Seen.Add(out.Whole)
	return out
}

// Instead is what stands in the place of a clip that is not there.
func (p goalPage) Instead() (out struct {
	Heading, Sentence string
	Looks             bool // one may still come
}) {
	e, a, t := p.Event, p.Story.Answer, p.Language.T
	switch {
	case p.Gone != "":
		out.Heading, out.Sentence = t("This goal no longer stands"), p.Gone
		if e.Kind != footy.KindGoal {
			out.Heading = t("It no longer stands")
		}
	case e.Status == footy.StatusComplete && e.Waiting == 0 && a.Withdrawn > 0:
		out.Heading, out.Sentence = t(e.StatusLabel), t("The operator removed its clip.")
	case e.Status == footy.StatusComplete && e.Waiting == 0:
		out.Heading, out.Sentence = t("No clip was found"), t("No post with a video was found.")
		if a.Posts > 0 {
			out.Sentence = t("%d posts were looked at. None shows it.", a.Posts)
		}
	default:
		out.Heading, out.Sentence, out.Looks = t("Looking for the clip"), t("The clip starts here by itself."), true
		if e.Waiting > 0 || p.event.Round.EndedAt.IsZero() && !p.event.Round.Blocked.Since.IsZero() {
			out.Heading = t(e.StatusLabel) // what the search is stopped by
		}
		if e.Status == footy.StatusValidating {
			out.Sentence = t("It is not confirmed yet. The clip starts here by itself.")
		}
	}
	return out
}

// Why is the question that the story answers, and Brief its answer in a line.
func (p goalPage) Why() string {
	if p.Gone != "" {
		return p.Language.T("How it came and went")
	}
	question := p.Story.Answer.Question
	if p.Chosen != nil { // the story may not tell of it yet
		question = ""
	}
	return p.Language.T(cmp.Or(question, "Why this clip"))
}

// Brief is the answer to Why in a line.
func (p goalPage) Brief() string {
	a, t := p.Story.Answer, p.Language.T
	switch {
	case p.Gone != "":
		return p.Gone
	case p.Chosen != nil && p.Chosen.Popularity > 1:
		return t("%s; the same in %d posts", p.proof(), p.Chosen.Popularity)
	case p.Chosen != nil:
		return p.proof()
	case a.Unfinished && a.Pending > 0:
		return t("Searched %d times", a.Searches) + "; " + t("%d posts are being checked", a.Pending)
	case a.Unfinished && a.Searches == 0:
		return t("The search is about to start")
	case a.Unfinished:
		return t("Searched %d times", a.Searches)
	}
	return t("%d posts refused", a.Rejected)
}

func (p goalPage) proof() string {
	switch t := p.Language.T; {
	case !p.Chosen.Verified:
		return t("The moment is not proven")
	case p.Chosen.Minute != nil:
		return t("The clock fits")
	default:
		return explain.UpperFirst(t("proven"))
	}
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
