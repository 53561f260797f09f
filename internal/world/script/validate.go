package script

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Kinds of footage a post can carry.
const (
	Master      = "master"
	Angle       = "angle" // another camera's film of the same goal
	Reencode    = "reencode"
	Small       = "small"
	Trimmed     = "trimmed"
	Watermarked = "watermarked"
	Cropped     = "cropped"
	Mirrored    = "mirrored"
	IntroCard   = "introcard"
	Compilation = "compilation"
	Neighbour   = "neighbour" // the footage of another goal of the match
	OldGoal     = "oldgoal"   // the match's pitch, a minute far from every goal
	NoClock     = "noclock"
	PhoneFilm   = "phonefilm"
	Meme        = "meme"
	NotFootball = "notfootball"
	Portrait    = "portrait"
	TwoSecond   = "twosecond"
	Truncated   = "truncated" // the connection ends short
	CutFile     = "cutfile"   // the file itself is cut
	Deleted     = "deleted"
	GeoBlocked  = "geoblocked"
	NoVideo     = "novideo"
	Quote       = "quote" // no video of its own, but one in the post it quotes
)

var kinds = []string{Master, Angle, Reencode, Small, Trimmed, Watermarked, Cropped, Mirrored, IntroCard, Compilation,
	Neighbour, OldGoal, NoClock, PhoneFilm, Meme, NotFootball, Portrait, TwoSecond, Truncated, CutFile, Deleted, GeoBlocked, NoVideo, Quote}

// Validate finds the first contradiction of a script and names where it is.
func (s *Script) Validate() error {
	if len(s.Fixtures) == 0 {
		return errors.New("no fixtures")
	}
	seen := map[int]bool{}
	for _, f := range s.Fixtures {
		if seen[f.ID] {
			return fmt.Errorf("fixture %d: listed twice", f.ID)
		}
		seen[f.ID] = true
		if err := s.validateFixture(f); err != nil {
			return fmt.Errorf("fixture %d: %w", f.ID, err)
		}
	}
	for _, o := range s.Outages {
		for _, e := range o.Fixtures {
			if !seen[e.Fixture] {
				return fmt.Errorf("outage at %g: no fixture %d", o.From, e.Fixture)
			}
		}
	}
	for _, m := range s.Modes {
		if err := s.validateMode(m); err != nil {
			return fmt.Errorf("mode %q: %w", m.Mode, err)
		}
	}
	for i, m := range s.Manners {
		if err := s.validateManner(m); err != nil {
			return fmt.Errorf("manner %q: %w", m.Mode.Mode, err)
		}
		if slices.ContainsFunc(s.Manners[:i], func(o Manner) bool { return o.Mode.Mode == m.Mode.Mode }) {
			return fmt.Errorf("manner %q: listed twice", m.Mode.Mode)
		}
	}
	return nil
}

func (s *Script) validateManner(m Manner) error {
	if err := s.validateMode(m.Mode); err != nil {
		return err
	}
	for _, sight := range []*Sight{m.While, m.End} {
		if sight == nil {
			continue
		}
		goals := slices.Collect(maps.Keys(sight.PagesOf))
		for _, pair := range sight.Sooner {
			goals = append(goals, pair[:]...)
		}
		for _, name := range goals {
			if _, _, ok := s.Goal(name); !ok {
				return fmt.Errorf("no event %q", name)
			}
		}
	}
	return nil
}

func (s *Script) validateFixture(f Fixture) error {
	for _, id := range []int{f.Home, f.Away} {
		if s.Team(id).Name == "" {
			return fmt.Errorf("no team %d", id)
		}
	}
	if s.League(f.League).Name == "" {
		return fmt.Errorf("no league %d", f.League)
	}
	keys := map[string]bool{}
	for _, e := range f.Events {
		if keys[e.Key] {
			return fmt.Errorf("event %q: listed twice", e.Key)
		}
		keys[e.Key] = true
		if !slices.Contains(eventKinds, e.Kind) {
			return fmt.Errorf("event %q: unknown kind %q", e.Key, e.Kind)
		}
		if e.Side != "home" && e.Side != "away" {
			return fmt.Errorf("event %q: side %q", e.Key, e.Side)
		}
		for i, p := range e.Posts {
			if err := validatePost(f, e, p); err != nil {
				return fmt.Errorf("event %q post %d: %w", e.Key, i+1, err)
			}
		}
	}
	return nil
}

func validatePost(f Fixture, e Event, p Post) error {
	if !slices.Contains(kinds, p.Kind) {
		return fmt.Errorf("unknown kind %q", p.Kind)
	}
	if e.Seconds == 0 {
		return errors.New("posted, but the event has no footage (seconds)")
	}
	for _, ref := range []string{p.Of, p.With} {
		if ref == "" {
			continue
		}
		if o, ok := f.Event(ref); !ok || o.Seconds == 0 {
			return fmt.Errorf("no footage of %q", ref)
		}
	}
	if p.Joins != "" && !slices.ContainsFunc(e.Posts, func(o Post) bool { return o.Kind == p.Joins && o.Kind != p.Kind }) {
		return fmt.Errorf("joins %q, which nobody posts", p.Joins)
	}
	if p.Host != "" && (p.On == "" || !slices.Contains(Hosts, p.Host)) {
		return fmt.Errorf("host %q: of a post on reddit, one of %v", p.Host, Hosts)
	}
	if p.Link != "" && (p.On == "" || p.Host != "" || !slices.Contains(Links, p.Link)) {
		return fmt.Errorf("link %q: of a post on reddit without a host, one of %v", p.Link, Links)
	}
	if _, ok := e.Commented(p); (p.On == Comment) != ok {
		return fmt.Errorf("on %q and under %q: a comment names who wrote its post on reddit, and nothing else does", p.On, p.Under)
	}
	if (p.Kind == Quote) != (p.Quotes != "") {
		return fmt.Errorf("kind %q and quotes %q: a quote names whom it quotes, and nothing else does", p.Kind, p.Quotes)
	}
	if _, ok := e.Quoted(p); p.Kind == Quote && !ok {
		return fmt.Errorf("quotes %q, who posts no video or more than one", p.Quotes)
	}
	if p.Kind == Neighbour && p.Of == "" || p.Kind == Compilation && p.With == "" {
		return fmt.Errorf("kind %q needs to name the other event", p.Kind)
	}
	return nil
}
