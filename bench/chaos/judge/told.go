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

// Place gives each goal its posts, which end with the address of its page. Those of no goal that stands are strays.
func (o *Outcome) Place(posts []social.Message) {
	for _, p := range posts {
		stray := true
		for key, g := range o.Goals {
			if strings.HasSuffix(p.Text, "/g/"+g.UID) {
				g.Posts, stray = append(g.Posts, Post{p.Text, int64(p.Size)}), false
				o.Goals[key] = g
			}
		}
		if stray {
			o.Strays = append(o.Strays, p.Text)
		}
	}
}

// Posted lists what is wrong with the posts of ours: each goal that stands has one, which shows its best clip, and nothing else is posted.
// A post is made at most once, so what ends the page or cuts it off from the service may cost one, or leave it as it was; it never brings two.
func (o Outcome) Posted(cutOff int) []string {
	var twice, lost []string
	for _, key := range slices.Sorted(maps.Keys(o.Goals)) {
		g := o.Goals[key]
		switch {
		case len(g.Posts) > 1:
			twice = append(twice, fmt.Sprintf("%s: posted %d times", key, len(g.Posts)))
		case len(g.Posts) == 0:
			lost = append(lost, key+": not posted")
		case g.Posts[0].Size != g.best():
			lost = append(lost, fmt.Sprintf("%s: posted with %d bytes that are not its best clip", key, g.Posts[0].Size))
		}
	}
	for _, text := range o.Strays {
		lost = append(lost, fmt.Sprintf("posted, and no goal that stands: %q", text))
	}
	if len(lost) <= cutOff {
		return twice
	}
	return append(twice, lost...)
}

func (g Goal) best() int64 {
	if len(g.Clips) == 0 {
		return 0
	}
	return g.Clips[0].Size
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
