package story

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// builder walks the rows once and puts each where a reader looks for it.
type builder struct {
	event    *footy.Event
	names    explain.Names
	acts     map[string]explain.Act // by clip
	chapters []Chapter
	byPost   map[string][]footy.Entry // rows that say what was decided about a post
	byClip   map[string][]footy.Entry // rows that say what became of a clip
	round    int
}

func (b *builder) add(r footy.Entry) {
	if r.PostID != "" {
		b.byPost[r.PostID] = append(b.byPost[r.PostID], r)
		return
	}
	switch r.Kind {
	case footy.EntryClip, footy.EntryMerged, footy.EntryReplaced:
		b.byClip[r.ClipID] = append(b.byClip[r.ClipID], r) // shown with the post it came from
	case footy.EntryDistrusted, footy.EntryPollFailed, footy.EntryWithheld, footy.EntryTrusted:
		b.write(b.only("feed", "The feed could not be believed", r), r)
	case footy.EntryAbsence, footy.EntryRemoved, footy.EntryRestored:
		c := b.only("gone", "It went missing", r)
		b.write(c, r)
		switch r.Kind {
		case footy.EntryRemoved:
			c.Tone, c.Title = ToneBad, "It was taken back"
		case footy.EntryRestored:
			c.Tone, c.Title = ToneGood, "It went missing and came back"
		}
	case footy.EntryQuery:
		b.query(r)
	case footy.EntryExtra: // its own section of the page says it
	case footy.EntryCompleted, footy.EntryOperator:
		if r.BringsBack() {
			c := b.only("gone", "It went missing", r)
			c.Tone, c.Title = ToneGood, "It was taken back, and an operator brought it back"
		}
		b.write(b.section("end", "How it stands", r), r)
	default:
		if r.Kind == footy.EntrySearching && r.Data.Round > 0 {
			b.round = r.Data.Round
		}
		b.write(b.section("seen", "How it was seen", r), r)
	}
}

// section returns the chapter of that kind at the end of the story, or opens one. A doubt about the feed in between
// does not interrupt it.
func (b *builder) section(kind, title string, r footy.Entry) *Chapter {
	for i := len(b.chapters) - 1; i >= 0; i-- {
		if b.chapters[i].Kind == kind {
			return &b.chapters[i]
		}
		if b.chapters[i].Kind != "feed" {
			break
		}
	}
	n := 1
	for _, c := range b.chapters {
		if c.Kind == kind {
			n++
		}
	}
	if n > 1 && kind == "seen" {
		title = "What changed"
	}
	b.chapters = append(b.chapters, Chapter{ID: fmt.Sprintf("%s-%d", kind, n), Kind: kind, Title: title, At: r.At, Tone: ToneNeutral})
	return &b.chapters[len(b.chapters)-1]
}

// only returns the one chapter of that kind, wherever it is.
func (b *builder) only(kind, title string, r footy.Entry) *Chapter {
	for i := range b.chapters {
		if b.chapters[i].Kind == kind {
			return &b.chapters[i]
		}
	}
	b.chapters = append(b.chapters, Chapter{ID: kind, Kind: kind, Title: title, At: r.At, Tone: ToneWarn})
	return &b.chapters[len(b.chapters)-1]
}

// write adds a row to a chapter; the same thing again and again is one line with a count.
func (b *builder) write(c *Chapter, r footy.Entry) {
	l := b.line(r)
	if c.Kind == "feed" {
		for i := range c.Lines {
			if p := &c.Lines[i]; p.Kind == l.Kind && p.Text == l.Text {
				p.Times, p.Until = p.Times+1, l.At
				return
			}
		}
	}
	l.Facts = nil // kept for the full log
	c.Lines = append(c.Lines, l)
}

func (b *builder) query(r footy.Entry) {
	round := cmp.Or(r.Data.Round, b.round)
	c := Chapter{ID: fmt.Sprintf("search-%d-%d", round, r.Try), Kind: "search", At: r.At, Tone: ToneNeutral, first: r.Try, round: round,
		Summary: explain.Searched(r)}
	c.Title = searches(c.first, c.first, round)
	if q := r.Data.Query; q != "" {
		c.Queries = []string{q}
	}
	if !r.Data.Looked() {
		c.Tone = ToneWarn
	}
	b.chapters = append(b.chapters, c)
}

func searches(from, to, round int) string {
	s := "Search"
	switch {
	case to == from+1:
		s = fmt.Sprintf("Searches %d and %d", from, to)
	case to > from:
		s = fmt.Sprintf("Searches %d to %d", from, to)
	case from > 0:
		s = fmt.Sprintf("Search %d", from)
	}
	if round > 1 {
		s += fmt.Sprintf(" of round %d", round)
	}
	return s
}

// searchOf is the chapter of the search that found a post, or the one that was open when a sibling goal offered it.
func (b *builder) searchOf(p footy.Post) *Chapter {
	if len(b.chapters) == 0 {
		return b.section("search", "Posts", footy.Entry{At: p.FirstSeen})
	}
	at := 0
	for i, c := range b.chapters {
		if p.Try > 0 && c.Kind == "search" && c.first == p.Try && c.round == p.Round {
			return &b.chapters[i]
		}
		if !c.At.After(p.FirstSeen) {
			at = i
		}
	}
	return &b.chapters[at]
}

// posts puts each post under its search, as first found.
func (b *builder) posts(posts []footy.Post) {
	posts = slices.Clone(posts)
	slices.SortStableFunc(posts, func(x, y footy.Post) int { return x.FirstSeen.Compare(y.FirstSeen) })
	for _, p := range posts {
		c := b.searchOf(p)
		c.Posts = append(c.Posts, b.post(p))
	}
	for i := range b.chapters {
		b.chapters[i].sum()
	}
}

// fold joins searches that follow each other and tell the same: nothing.
func fold(in []Chapter) []Chapter {
	var out []Chapter
	for _, c := range in {
		if n := len(out); n > 0 && c.Kind == "search" && out[n-1].Kind == "search" && out[n-1].round == c.round && c.first > 0 &&
			len(c.Posts)+len(c.Lines)+len(out[n-1].Posts)+len(out[n-1].Lines) == 0 && c.Summary == out[n-1].Summary && c.Tone == out[n-1].Tone {
			p := &out[n-1]
			p.Title = searches(p.first, c.first, c.round)
			for _, q := range c.Queries {
				if !slices.Contains(p.Queries, q) {
					p.Queries = append(p.Queries, q)
				}
			}
			continue
		}
		out = append(out, c)
	}
	return out
}
