package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/world/serve/social"
)

// Post is a post of our own about a goal, as it stands at the service.
type Post struct {
	Text string `json:"text"`
	Size int64  `json:"size"` // of its video
}

// Place gives each goal its posts. Those of no goal that stands are strays.
func (o *Outcome) Place(posts []social.Message) {
	for _, p := range posts {
		stray := true
		for key, g := range o.Goals {
			if strings.HasPrefix(p.Key, "footy-"+g.UID+"-") {
				g.Posts, stray = append(g.Posts, Post{p.Text, int64(p.Size)}), false
				o.Goals[key] = g
			}
		}
		if stray {
			o.Strays = append(o.Strays, p.Text)
		}
	}
}

// WithoutPosts is the same outcome of a product that posts nowhere.
func (o Outcome) WithoutPosts() Outcome {
	o.Goals, o.Strays = maps.Clone(o.Goals), nil
	for key, g := range o.Goals {
		g.Posts = nil
		o.Goals[key] = g
	}
	return o
}

// Posted checks that each goal has one post, which shows its best clip, and nothing else is posted.
func (o Outcome) Posted() bool {
	for _, g := range o.Goals {
		if len(g.Posts) != 1 || g.Posts[0].Size != g.best() {
			return false
		}
	}
	return len(o.Strays) == 0
}

func (g Goal) best() int64 {
	if len(g.Clips) == 0 {
		return 0
	}
	return g.Clips[0].Size
}

func (g Goal) posted() (out string) {
	for _, p := range g.Posts {
		out += fmt.Sprintf("; posted %q", p.Text)
		if p.Size != g.best() {
			out += fmt.Sprintf(" with %d bytes that are not its best clip", p.Size)
		}
	}
	return out
}

// Pushed lists what is wrong with the messages a browser got, by uid and title: each goal that stands comes once, and nothing twice. The page
// records a message before it sends it, so each kill may lose one.
func Pushed(o Outcome, pushed map[string]int, ends int) []string {
	var lost, out []string
	counted := map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(o.Goals)) {
		n := 0
		for what, times := range pushed {
			if strings.HasPrefix(what, o.Goals[key].UID+" Goal: ") {
				n, counted[what] = n+times, true
			}
		}
		if n == 0 {
			lost = append(lost, key)
		} else if n > 1 {
			out = append(out, fmt.Sprintf("%s: a browser was told %d times that it is certain", key, n))
		}
	}
	if len(lost) > ends {
		out = append(out, fmt.Sprintf("a browser was never told of %s; the page ended %d times", strings.Join(lost, ", "), ends))
	}
	for _, what := range slices.Sorted(maps.Keys(pushed)) {
		if n := pushed[what]; n > 1 && !counted[what] || strings.HasPrefix(what, "unreadable ") {
			out = append(out, fmt.Sprintf("a browser was told %q %d times", what, n))
		}
	}
	return out
}
