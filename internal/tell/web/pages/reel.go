package pages

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

// reelPage shows a reel, or how far its making is.
type reelPage struct {
	frame.Base
	Kind     string
	Heading  string
	When     string
	Back     string // where it is of
	BackName string
	Action   string // where a form asks for it
	Asked    int    // seconds
	TZ       string // asked for in the address
	Lengths  []reelLength

	Film, Poster string // "" unless it was made as it would be made now, or is being watched
	Outdated     bool   // it is the one that is being watched
	Newer        string // address of the one that was made since
	Key          string
	Length       string
	Size         int64
	MadeAt       time.Time
	Chapters     []reelChapter
	LeftOut      []reelLeftOut

	Making   reel.Making
	Possible bool   // an engine is there to make it
	Command  string // by which a person makes it without one
}

type reelLength struct {
	Seconds int
	Name    string
	Chosen  bool
}

type reelChapter struct {
	At    string // 0:03
	Start float64
	Title string
	Path  string // of the goal
}

type reelLeftOut struct{ Goal, Why string }

// Reel is the page of a reel.
func (s *Server) Reel(w http.ResponseWriter, r *http.Request) error {
	scope, asked, err := lookup.ReelAsked(r, r.URL.Query().Get("length"))
	if err != nil {
		return err
	}
	found, err := s.Reader.Reel(r.Context(), scope, asked, r.URL.Query().Get("watching"))
	if err != nil {
		return err
	}
	p := s.newReelPage(r, scope, asked, found)
	w.Header().Set("Cache-Control", "no-cache")
	return s.pages.Send(w, r, http.StatusOK, "reel", p)
}

func (s *Server) newReelPage(r *http.Request, scope reel.Scope, asked time.Duration, found lookup.Reel) reelPage {
	plan, zone := found.Plan, ""
	if scope.Day != "" {
		zone = lookup.Zone(r).String()
	}
	p := reelPage{Base: s.Frame.Base(r, "Reel: "+plan.Title[0]), Kind: string(scope.Kind), Heading: plan.Title[0], When: plan.Title[1], Asked: int(asked.Seconds()), Key: plan.Key,
		Making: found.Making, Possible: s.Reader.Reels != nil, Action: r.URL.Path, TZ: r.URL.Query().Get("tz"), Command: command(scope, asked, zone)}
	p.Making.Why = explain.UpperFirst(p.Making.Why)
	p.Back, p.BackName = backTo(scope, found.Match, lookup.Zone(r))
	here := r.URL.Path + "?length=" + strconv.Itoa(p.Asked)
	if zone != "" {
		here += "&tz=" + url.QueryEscape(zone)
	}
	if zone != "" && (zone != "UTC" || p.TZ != "") {
		p.Action += "?tz=" + url.QueryEscape(zone)
	}
	for _, l := range lookup.ReelLengths() {
		name := "Each goal up to 20 s"
		if l > 0 {
			name = "At most " + explain.Spoken(l)
		}
		p.Lengths = append(p.Lengths, reelLength{int(l.Seconds()), name, l == asked})
	}
	made := found.Made
	if found.Watched != nil {
		if made, p.Outdated = found.Watched, true; found.Made != nil {
			p.Newer = here
		}
	}
	if made != nil {
		plan = made.Plan
		p.Film, p.Poster, p.Key = reelPath(plan.Key, blob.ReelFilm), reelPath(plan.Key, blob.ReelPoster), plan.Key
		p.Size, p.MadeAt = made.Size, made.MadeAt
	}
	p.Length = view.Length(reel.Length(plan.Frames()).Seconds())
	for _, c := range plan.Chapters()[1:] {
		at := c.Start.Seconds()
		p.Chapters = append(p.Chapters, reelChapter{view.Length(at), at, c.Title, footy.GoalPath(plan.Pieces[c.Piece].EventUID)})
	}
	for _, l := range plan.LeftOut {
		p.LeftOut = append(p.LeftOut, reelLeftOut{l.Goal, explain.LeftOut(l.Why)})
	}
	p.Description = "The goals, one after the other: " + p.When + "." // how many, or how long it is, would tell the result
	if made == nil {
		return p
	}
	p.Card = &frame.Card{Title: p.Heading, Description: p.Description, URL: p.Origin + here, Image: p.Origin + p.Poster, Video: p.Origin + p.Film, Width: reel.Width, Height: reel.Height}
	return p
}

func reelPath(key, file string) string { return "/r/" + key + "/" + file }

// backTo leads to the page that the reel is of.
func backTo(s reel.Scope, match *footy.Fixture, zone *time.Location) (path, name string) {
	id := strconv.FormatInt(s.ID, 10)
	switch s.Kind {
	case reel.OfTeam:
		return "/team/" + id, "The team"
	case reel.OfLeague:
		return "/league/" + id, "The competition"
	case reel.OfMatch:
		return "/day/" + match.Match.Kickoff.In(zone).Format(lookup.DateForm) + "#f-" + id, "The match"
	}
	return "/day/" + s.Day, "The day"
}

// command makes the same reel on a terminal.
func command(s reel.Scope, asked time.Duration, zone string) string {
	out := "footy reel"
	if s.Kind != reel.OfDay {
		out += " --" + string(s.Kind) + " " + strconv.FormatInt(s.ID, 10)
	}
	if s.Day != "" {
		out += " --day " + s.Day
	}
	if zone != "" && zone != "UTC" {
		out += " --tz " + zone
	}
	if asked > 0 {
		out += " --length " + strconv.Itoa(int(asked.Seconds())) + "s"
	}
	return out + " -o reel.mp4"
}

// MakeReel has a reel made. Whoever may look may ask for one: few are made at once, each by one core, and only in lengths that others
// ask for, too.
func (s *Server) MakeReel(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	scope, asked, err := lookup.ReelAsked(r, r.PostFormValue("length"))
	if err != nil {
		return err
	}
	found, err := s.Reader.Reel(r.Context(), scope, asked, "")
	if err != nil {
		return err
	}
	back := url.Values{"length": {strconv.Itoa(int(asked.Seconds()))}}
	if tz := r.URL.Query().Get("tz"); tz != "" {
		back.Set("tz", tz)
	}
	if len(found.Plan.Pieces) == 0 {
		return footy.Errorf(footy.CodeConflict, "make reel",
			"No goal of it has a verified clip: there is nothing to make a reel of. It will be possible as soon as one is found.")
	}
	if found.Made == nil {
		if s.Reader.Reels == nil {
			return footy.Errorf(footy.CodeConflict, "make reel", "The workflow engine is not connected, so no reel can be made here; start footy up, or set TEMPORAL_ADDRESS.")
		}
		if err := s.Reader.Reels.Start(r.Context(), scope, asked); err != nil {
			return err
		}
		s.Reader.ForgetMaking(scope, asked)
		s.Log.InfoContext(r.Context(), "a reel was asked for", "action", "make_reel", "reel", reel.Job(scope, asked))
	}
	http.Redirect(w, r, (&url.URL{Path: r.URL.Path, RawQuery: back.Encode()}).String(), http.StatusSeeOther)
	return nil
}
