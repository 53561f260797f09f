package evening_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/connect/source/x/timeline"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world/serve/search"
)

// post is one post with a video.
type post struct {
	id    string
	at    time.Time
	words []string // of its text, folded once: every search looks at every post
	ms    int
}

// x is what is posted in an evening, newest first, and X's own count of an account's calls.
type x struct {
	posts []post
	shows map[string]*goal // of posts that show a goal and pass the checks
	used  int
	reset time.Time
	down  [2]time.Time // X answers errors from, until
}

// X's own rules: 50 calls in a quarter of an hour, 20 posts a page.
const (
	xCalls  = 50
	xWindow = 15 * time.Minute
	xPage   = 20
)

// write makes the evening's posts: of each goal some 18, of big ones over a hundred, most in the first minutes; and of
// each match now and then one of something else.
func (w *x) write(rng *rand.Rand, goals []*goal, from time.Time, length time.Duration) {
	n := 0
	add := func(at time.Time, text string) {
		n++
		w.posts = append(w.posts, post{snowflake.At(at, n), at, search.Words(text), 5000 + rng.IntN(50_000)})
	}
	w.shows = map[string]*goal{}
	seen := map[int]bool{}
	for _, g := range goals {
		count := 8 + rng.IntN(20)
		if rng.IntN(6) == 0 {
			count = 100 + rng.IntN(70)
		}
		shown := rng.IntN(3) > 0 // every third goal has no good clip
		for range count {
			late := 40*time.Second + time.Duration(-math.Log(1-rng.Float64())*float64(4*time.Minute))
			text := []string{"GOAL " + g.player + " for " + g.team.Name, "what a goal " + g.player, g.team.Name + " score!!"}[rng.IntN(3)]
			add(g.scored().Add(late), text)
			if shown && rng.IntN(4) == 0 {
				w.shows[w.posts[len(w.posts)-1].id] = g
				g.Posted++
			}
		}
		if !seen[g.Match] {
			seen[g.Match] = true
			for at := from.Add(-30 * time.Minute); at.Before(from.Add(length)); at = at.Add(time.Duration(rng.Int64N(int64(4 * time.Minute)))) {
				add(at, "watching "+g.team.Name+" tonight")
			}
		}
	}
	slices.SortFunc(w.posts, func(a, b post) int { return b.at.Compare(a.at) })
}

// answer is one SearchTimeline call.
func (w *x) answer(now time.Time, text string, from int) (timeline.Page, quota.Headers) {
	if !now.Before(w.reset) {
		w.used, w.reset = 0, now.Add(xWindow)
	}
	w.used++
	h := quota.Headers{Limit: xCalls, Remaining: max(xCalls-w.used, 0), Reset: w.reset}
	switch {
	case w.used > xCalls:
		return timeline.Page{State: source.StateRateLimited}, h
	case !now.Before(w.down[0]) && now.Before(w.down[1]):
		return timeline.Page{State: source.StateUpstreamError}, h
	}
	p, matches := timeline.Page{State: source.StateEmpty}, search.Parse(text)
	for _, found := range w.posts {
		if found.at.After(now) || !matches.Holds(found.words) {
			continue
		}
		if from--; from >= 0 {
			continue
		}
		p.State, p.Cursor = source.StateResults, "more"
		p.Seen.Entries++
		p.Oldest = found.at
		p.Candidates = append(p.Candidates, footy.Candidate{PostID: found.id, DurationMS: found.ms})
		if p.Seen.Entries == xPage {
			break
		}
	}
	return p, h
}

// name makes a word that nothing else in the evening is called.
func name(n int) string {
	a := []string{"Bar", "Cor", "Dun", "Fel", "Gor", "Hol", "Kar", "Lin", "Mar", "Nor", "Pel", "Ros", "Sol", "Tor", "Ver", "Wil"}
	b := []string{"anov", "berg", "dale", "enko", "ford", "gren", "holm", "ides", "kamp", "land", "mann", "nelli", "oulis", "sson", "trup", "wick"}
	return fmt.Sprint(a[n%len(a)], b[(n/len(a)+3*n)%len(b)])
}
