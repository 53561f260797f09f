package reels

import (
	"cmp"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/media"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

// page shows reels to readers.
type page struct {
	finder
	frame *frame.Frame
	pages *frame.Pages
	media *media.Server
	log   *slog.Logger
}

// shownReel shows a reel, or how far its making is.
type shownReel struct {
	frame.Base
	Kind     string
	Heading  string
	When     string
	Back     string // where it is of
	BackName string
	Action   string // where a form asks for it
	Asked    int    // seconds
	TZ       string // asked for in the address
	Lengths  []length

	Film, Poster string // "" unless it was made as it would be made now, or is being watched
	Outdated     bool   // it is the one that is being watched
	Newer        string // address of the one that was made since
	Key          string
	Length       string
	Size         int64
	MadeAt       time.Time
	Chapters     []chapter
	LeftOut      []leftOut

	Making   rule.Making
	Possible bool // an engine is there to make it
}

type length struct {
	Seconds int
	Name    string
	Chosen  bool
}

type chapter struct {
	At    string // 0:03
	Start float64
	Title string
	Path  string // of the goal
}

type leftOut struct{ Goal, Why string }

func (s *page) show(w http.ResponseWriter, r *http.Request) error {
	scope, asked, err := askedFor(r, r.URL.Query().Get("length"))
	if err != nil {
		return err
	}
	found, err := s.reel(r.Context(), scope, asked, r.URL.Query().Get("watching"))
	if err != nil {
		return err
	}
	p := s.shown(r, scope, asked, found)
	w.Header().Set("Cache-Control", "no-cache")
	return s.pages.Send(w, r, http.StatusOK, "reel", p)
}

func (s *page) shown(r *http.Request, scope rule.Scope, asked time.Duration, found found) shownReel {
	plan, zone := found.Plan, ""
	if scope.Day != "" {
		zone = lookup.Zone(r).String()
	}
	p := shownReel{Base: s.frame.Base(r, "Reel: "+plan.Title[0]), Kind: string(scope.Kind), Heading: plan.Title[0], When: plan.Title[1], Asked: int(asked.Seconds()), Key: plan.Key,
		Making: found.Making, Possible: s.orders != nil, Action: r.URL.Path, TZ: r.URL.Query().Get("tz")}
	p.Making.Why = explain.UpperFirst(p.Making.Why)
	p.Back, p.BackName = backTo(scope, found.Match, lookup.Zone(r))
	here := r.URL.Path + "?length=" + strconv.Itoa(p.Asked)
	if zone != "" {
		here += "&tz=" + url.QueryEscape(zone)
	}
	if zone != "" && (zone != "UTC" || p.TZ != "") {
		p.Action += "?tz=" + url.QueryEscape(zone)
	}
	for _, l := range lengths() {
		name := "Each goal up to 20 s"
		if l > 0 {
			name = "At most " + explain.Spoken(l)
		}
		p.Lengths = append(p.Lengths, length{int(l.Seconds()), name, l == asked})
	}
	made := found.Made
	if found.Watched != nil {
		if made, p.Outdated = found.Watched, true; found.Made != nil {
			p.Newer = here
		}
	}
	if made != nil {
		plan = made.Plan
		p.Film, p.Poster, p.Key = filePath(plan.Key, FilmFile), filePath(plan.Key, PosterFile), plan.Key
		p.Size, p.MadeAt = made.Size, made.MadeAt
	}
	p.Length = view.Length(rule.Length(plan.Frames()).Seconds())
	for _, c := range plan.Chapters()[1:] {
		at := c.Start.Seconds()
		p.Chapters = append(p.Chapters, chapter{view.Length(at), at, c.Title, footy.GoalPath(plan.Pieces[c.Piece].EventUID)})
	}
	for _, l := range plan.LeftOut {
		p.LeftOut = append(p.LeftOut, leftOut{l.Goal, words(l.Why)})
	}
	p.Description = "The goals, one after the other: " + p.When + "." // how many, or how long it is, would tell the result
	if made == nil {
		return p
	}
	p.Card = &frame.Card{Title: p.Heading, Description: p.Description, URL: p.Origin + here, Image: p.Origin + p.Poster, Video: p.Origin + p.Film, Width: rule.Width, Height: rule.Height}
	return p
}

func filePath(key, file string) string { return "/r/" + key + "/" + file }

func backTo(s rule.Scope, match *footy.Fixture, zone *time.Location) (path, name string) {
	id := strconv.FormatInt(s.ID, 10)
	switch s.Kind {
	case rule.OfTeam:
		return "/team/" + id, "The team"
	case rule.OfLeague:
		return "/league/" + id, "The competition"
	case rule.OfMatch:
		return "/day/" + match.Match.Kickoff.In(zone).Format(lookup.DateForm) + "#f-" + id, "The match"
	}
	return "/day/" + s.Day, "The day"
}

// order has a reel made. Every reader may ask for one: few are made at once, each by one core, and only in lengths that others
// ask for, too.
func (s *page) order(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	scope, asked, err := askedFor(r, r.PostFormValue("length"))
	if err != nil {
		return err
	}
	found, err := s.reel(r.Context(), scope, asked, "")
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
		if s.orders == nil {
			return footy.Errorf(footy.CodeConflict, "make reel", "The workflow engine is not connected, so no reel can be made here; start footy up, or set TEMPORAL_ADDRESS.")
		}
		if err := s.orders.Start(r.Context(), scope, asked); err != nil {
			return err
		}
		s.Recent.Drop("making " + rule.Job(scope, asked))
		s.log.InfoContext(r.Context(), "a reel was asked for", "action", "make_reel", "reel", rule.Job(scope, asked))
	}
	http.Redirect(w, r, (&url.URL{Path: r.URL.Path, RawQuery: back.Encode()}).String(), http.StatusSeeOther)
	return nil
}

func words(why rule.Why) string {
	return cmp.Or(map[rule.Why]string{rule.WhyNoClip: "no verified clip", rule.WhyLength: "did not fit; ask for a longer reel",
		rule.WhyBroken: "its clip is broken or black"}[why], string(why))
}

func (s *page) file(w http.ResponseWriter, r *http.Request) error {
	types := map[string]string{FilmFile: "video/mp4", PosterFile: "image/jpeg"}
	file := r.PathValue("file")
	if types[file] == "" {
		return footy.Errorf(footy.CodeNotFound, "find reel", "A reel has a %s and a %s.", FilmFile, PosterFile)
	}
	made, err := s.seen(r.Context(), r.PathValue("reel"))
	if err != nil {
		return err
	}
	if file == FilmFile {
		s.watching(r.Context(), made.Plan.Key)
		if r.URL.Query().Has("download") {
			w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": "goals-" + made.Plan.Scope.Name() + ".mp4"}))
		}
	}
	// A goal that is taken back must be hidden within a minute.
	return s.media.ServeFor(w, r, Key(made.Plan.Key, file), types[file], made.Plan.Key+file, "public, max-age=20")
}

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
