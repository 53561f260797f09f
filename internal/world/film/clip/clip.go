// Package clip names the footage a post carries: which goal is filmed, from which camera, and what was done to the film.
package clip

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"sort"

	"github.com/found-footy/found-footy/internal/world/script"
)

// Version changes when the drawing changes, so that cached files of an older drawing are not served.
const Version = 6

// Scene is what the camera films.
type Scene struct {
	Match   int       `json:"match"`   // decides pitch, crowd, light and wipe
	Goal    string    `json:"goal"`    // decides play, camera path and cuts
	Camera  int       `json:"camera"`  // another camera sees the same play from elsewhere
	Content string    `json:"content"` // football, phonefilm, meme or notfootball
	Shows   string    `json:"shows"`   // what is not a goal, as strip.Reading has it
	Second  int       `json:"second"`  // match clock at the first frame, in seconds
	Bug     string    `json:"bug"`     // running, frozen, restart or none
	Added   int       `json:"added"`   // the board's added minutes, shown in stoppage time
	Seconds float64   `json:"seconds"`
	Home    string    `json:"home"`
	Away    string    `json:"away"`
	Score   [2]int    `json:"score"`
	Shirts  [2]string `json:"shirts"`
}

// Clip is one file: scenes in order (more than one = a compilation), then what was done to them.
type Clip struct {
	Scenes []Scene `json:"scenes"`
	Edit   string  `json:"edit"` // "" = none, else a re-upload kind
	Take   int     `json:"take"`
	// Width, Height and Seconds describe the finished file.
	Width   int     `json:"width"`
	Height  int     `json:"height"`
	Seconds float64 `json:"seconds"`
}

// Name is the file's name: readable, and changed whenever any drawing parameter does.
func (c Clip) Name() string {
	data, err := json.Marshal(c)
	if err != nil {
		panic(err) // plain data: cannot fail
	}
	sum := sha256.Sum256(append(data, byte(Version)))
	edit := c.Edit
	if edit == "" {
		edit = c.Scenes[0].Content
	}
	return fmt.Sprintf("%d-%s-%s-%s.mp4", c.Scenes[0].Match, c.Scenes[0].Goal, edit, hex.EncodeToString(sum[:5]))
}

// Sources are the unedited films an edited clip is made from; none if the clip is drawn from nothing.
func (c Clip) Sources() []Clip {
	if c.Edit == "" {
		return nil
	}
	var out []Clip
	for _, s := range c.Scenes {
		out = append(out, Clip{Scenes: []Scene{s}, Width: Width, Height: Height, Seconds: s.Seconds})
	}
	return out
}

// Size of everything drawn.
const (
	Width  = 640
	Height = 360
)

// Of tells which file a post carries.
func Of(s *script.Script, f script.Fixture, e script.Event, p script.Post) Clip {
	if i, ok := e.Quoted(p); ok {
		p = e.Posts[i]
	}
	filmed := e
	if p.Of != "" {
		filmed, _ = f.Event(p.Of)
	}
	sc := scene(s, f, filmed)
	c := Clip{Take: p.Take, Width: Width, Height: Height}
	switch p.Kind {
	case script.Angle:
		sc.Camera = 1 + p.Take
	case script.PhoneFilm, script.Meme, script.NotFootball:
		sc.Content = p.Kind
	case script.OldGoal:
		sc.Goal, sc.Second, sc.Added, sc.Shows = sc.Goal+"-old", oldMinute(f, sc.Second), 0, ""
	case script.NoClock:
		sc.Goal, sc.Bug = sc.Goal+"-fan", "none"
		sc.Camera = 7
	case script.Reencode, script.Small, script.Trimmed, script.Watermarked, script.Cropped, script.Mirrored,
		script.IntroCard, script.Portrait, script.TwoSecond, script.CutFile, script.Compilation:
		c.Edit = p.Kind
	}
	c.Scenes = []Scene{sc}
	if p.With != "" {
		with, _ := f.Event(p.With)
		c.Scenes = append(c.Scenes, scene(s, f, with))
	}
	c.finish()
	return c
}

func (c *Clip) finish() {
	for _, sc := range c.Scenes {
		c.Seconds += sc.Seconds
	}
	switch c.Edit {
	case script.Small:
		c.Width, c.Height = 426, 240
	case script.Portrait:
		c.Width, c.Height = 360, 640
	case script.Trimmed:
		c.Seconds -= TrimHead + TrimTail
	case script.TwoSecond:
		c.Seconds = 1.96
	case script.IntroCard:
		c.Seconds += CardSeconds
	}
}

// What the edits cut off or put before, in seconds.
const (
	TrimHead    = 0.7
	TrimTail    = 0.5
	CardSeconds = 1.6
)

func scene(s *script.Script, f script.Fixture, e script.Event) Scene {
	home, away := s.Team(f.Home), s.Team(f.Away)
	sc := Scene{Match: f.ID, Goal: e.Key, Content: "football", Seconds: e.Seconds, Home: home.Code, Away: away.Code,
		Bug: f.Bug, Shirts: [2]string{home.Shirt, away.Shirt}, Score: scoreBefore(f, e)}
	sc.Bug = cmp.Or(sc.Bug, "running")
	if !script.Scores(e.Kind) {
		sc.Shows = e.Kind
	}
	h := fnv.New32a()
	fmt.Fprintf(h, "%d/%s", f.ID, e.Key)
	sc.Second = (e.Minute+e.Extra-1)*60 + 6 + int(h.Sum32()%40) // the minute's clock runs on while the film lasts
	if e.Extra > 0 {
		sc.Added = e.Extra + 2
	}
	return sc
}

func scoreBefore(f script.Fixture, e script.Event) [2]int {
	var score [2]int
	at := f.Happens(e)
	for _, o := range f.Events {
		if !script.Scores(o.Kind) || f.Happens(o) >= at {
			continue
		}
		if o.Side == "home" {
			score[0]++
		} else {
			score[1]++
		}
	}
	return score
}

// oldMinute finds a match second far from every goal of the match.
func oldMinute(f script.Fixture, second int) int {
	best, far := second, 0
	for m := 4; m < 88; m++ {
		d := 200
		for _, e := range f.Events {
			d = min(d, abs(m-(e.Minute+e.Extra-1)))
		}
		if d > far {
			best, far = m*60+11, d
		}
	}
	return best
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// Needed lists every distinct file of a day, sources before the edits made from them.
func Needed(s *script.Script) []Clip {
	seen := map[string]bool{}
	var drawn, edited []Clip
	for _, f := range s.Fixtures {
		for _, e := range f.Events {
			for _, p := range e.Posts {
				c := Of(s, f, e, p)
				if c.Edit == "" {
					drawn = appendNew(seen, drawn, c)
					continue
				}
				for _, src := range c.Sources() {
					drawn = appendNew(seen, drawn, src)
				}
				edited = appendNew(seen, edited, c)
			}
		}
	}
	sort.SliceStable(drawn, func(i, j int) bool { return drawn[i].Seconds > drawn[j].Seconds })
	return append(drawn, edited...)
}

func appendNew(seen map[string]bool, list []Clip, c Clip) []Clip {
	if seen[c.Name()] {
		return list
	}
	seen[c.Name()] = true
	return append(list, c)
}
