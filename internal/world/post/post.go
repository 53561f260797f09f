// Package post turns the script's posts into posts with ids, authors, texts and times of their own.
package post

import (
	"fmt"
	"hash/fnv"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/world/day"
	"github.com/found-footy/found-footy/internal/world/film/clip"
	"github.com/found-footy/found-footy/internal/world/script"
)

// Post is one message on the simulated X.
type Post struct {
	ID       string
	Author   string
	Text     string
	URL      string
	PostedAt time.Time
	Quotes   string // id of the post it quotes, which the video belongs to; "" = the video is its own
	Kind     string
	On       string // "" = X
	Under    string // id of the post whose comment it is
	Host     string // of the clip of a post on Reddit; "" = Reddit itself
	Link     string // how it brings a video of Reddit's own
	Clip     clip.Clip
	// Hints is whether the search result tells the duration: about one in three does.
	Hints   bool
	Fixture int
	Event   string
}

// Is reports whether a name in a fault or a mode means this post: its id, its file, its host, or "fixture/event/kind".
func (p Post) Is(name string) bool {
	return p.ID != "" && (name == p.ID || name == p.Clip.Name() || p.Host != "" && name == p.Host || name == fmt.Sprintf("%d/%s/%s", p.Fixture, p.Event, p.Kind))
}

// Catalog is every post of the day, oldest first.
type Catalog struct {
	posts []Post
	byID  map[string]int
}

const epoch = 1288834974657 // milliseconds of snowflake zero

// NewCatalog gives every scripted post its id; the same script and start give the same ids after a restart.
func NewCatalog(s *script.Script, d *day.Day) *Catalog {
	c := &Catalog{byID: map[string]int{}}
	for _, f := range s.Fixtures {
		for _, e := range f.Events {
			for i, p := range e.Posts {
				made := build(s, d, f, e, i, p, len(c.posts))
				if q, ok := e.Quoted(p); ok {
					made.Quotes = build(s, d, f, e, q, e.Posts[q], len(c.posts)-i+q).ID
				}
				if u, ok := e.Commented(p); ok {
					made.Under = build(s, d, f, e, u, e.Posts[u], len(c.posts)-i+u).ID
				}
				c.posts = append(c.posts, made)
			}
		}
	}
	sort.SliceStable(c.posts, func(i, j int) bool { return c.posts[i].PostedAt.Before(c.posts[j].PostedAt) })
	for i, p := range c.posts {
		c.byID[p.ID] = i
	}
	return c
}

func build(s *script.Script, d *day.Day, f script.Fixture, e script.Event, i int, p script.Post, serial int) Post {
	at := d.Wall(f.Happens(e) + float64(p.After)/60).Truncate(time.Millisecond).UTC()
	id := strconv.FormatInt((at.UnixMilli()-epoch)<<serialBits|int64(serial+1), 10)
	return Post{ID: id, Author: p.By, Text: expandNames(s, f, e, p.Text), URL: "https://x.com/" + p.By + "/status/" + id,
		PostedAt: at, Kind: p.Kind, On: p.On, Host: p.Host, Link: p.Link, Clip: clip.Of(s, f, e, p), Hints: hash(f.ID, e.Key, i)%3 == 0,
		Fixture: f.ID, Event: e.Key}
}

// serialBits is what of an id tells its place in the script.
const serialBits = 22

// SerialOf is the place of a post in the script, counted over all events, by its id on X or on Reddit.
func SerialOf(id string) int {
	n, err := strconv.ParseInt(strings.TrimPrefix(strings.TrimPrefix(id, "t3_"), "t1_"), 10, 64)
	if err != nil {
		return -1
	}
	return int(n&(1<<serialBits-1)) - 1
}

// Serial is the place of an event's first post.
func Serial(s *script.Script, fixture int, event string) int {
	n := 0
	for _, f := range s.Fixtures {
		for _, e := range f.Events {
			if f.ID == fixture && e.Key == event {
				return n
			}
			n += len(e.Posts)
		}
	}
	return -1
}

func hash(fixture int, key string, i int) uint32 {
	h := fnv.New32a()
	fmt.Fprintf(h, "%d/%s/%d", fixture, key, i)
	return h.Sum32() >> 3
}

// ByID finds a post that has been posted by now.
func (c *Catalog) ByID(id string, now time.Time) (Post, bool) {
	i, ok := c.byID[id]
	if !ok || c.posts[i].PostedAt.After(now) {
		return Post{}, false
	}
	return c.posts[i], true
}

// All returns every post, oldest first.
func (c *Catalog) All() []Post { return c.posts }

// Due counts the posts visible at a time.
func (c *Catalog) Due(now time.Time) int {
	return sort.Search(len(c.posts), func(i int) bool { return c.posts[i].PostedAt.After(now) })
}

// expandNames puts names into a text: {player} {last} {team} {code} {other} {home} {away} {minute}.
func expandNames(s *script.Script, f script.Fixture, e script.Event, text string) string {
	team, other := s.Team(f.Home), s.Team(f.Away)
	if e.Side == "away" {
		team, other = other, team
	}
	name := FinalPlayer(e).Name
	words := strings.Fields(name)
	last := name
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	minute := strconv.Itoa(e.Minute)
	if e.Extra > 0 {
		minute += "+" + strconv.Itoa(e.Extra)
	}
	return strings.NewReplacer("{player}", name, "{last}", last, "{team}", team.Name, "{code}", team.Code,
		"{other}", other.Name, "{home}", s.Team(f.Home).Name, "{away}", s.Team(f.Away).Name, "{minute}", minute).Replace(text)
}

// FinalPlayer is the scorer once every step has passed: what people on X know at once.
func FinalPlayer(e script.Event) script.Player {
	p := e.Player
	for _, st := range e.Steps {
		if st.Player != nil {
			p = *st.Player
		}
	}
	return p
}
