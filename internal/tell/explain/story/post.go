package story

import (
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// post tells of one post: what became of it by the ledger, and what was decided on the way by the rows.
func (b *builder) post(r footy.Post) Post {
	c := r.Candidate
	p := Post{ID: r.PostID, URL: c.URL, Author: c.Author, Text: c.Text, PostedAt: c.PostedAt, Duration: float64(c.DurationMS) / 1000, Offered: c.OfferedBy != "",
		Reason: r.Reason, ClipID: explain.OwnClip(r)}
	for _, row := range b.byPost[r.PostID] {
		p.Poster = p.Poster || row.Data.PosterKey != ""
		p.Clock = p.Clock || row.Data.Running != nil && row.Data.Running.PictureKey != ""
		p.Lines = append(p.Lines, b.line(row))
	}
	b.became(&p, r)
	if p.Outcome == Accepted || p.Outcome == Became || p.Outcome == Copy && !b.sameFile(r) {
		for _, row := range b.byClip[p.ClipID] {
			p.Lines = append(p.Lines, b.line(row))
		}
	}
	return p
}

// became says what became of a post, in the names clips have today.
func (b *builder) became(p *Post, r footy.Post) {
	p.Sentence = explain.Post(r, b.names)
	name := b.name(r.ClipID)
	switch {
	case ledger.InTrouble(r):
		p.Outcome, p.Label, p.Tone = Waiting, "waits", ToneWarn
		p.Wait = &Wait{Since: r.WaitingSince, NextTry: r.NextTry, Tries: r.Tries, Trying: r.State != footy.PostWaiting}
	case r.State == footy.PostWaiting:
		p.Outcome, p.Label, p.Tone = Waiting, "waits", ToneNeutral
	case r.State == footy.PostRefused:
		p.Outcome, p.Label, p.Tone = Refused, "refused", ToneBad
	case r.State == footy.PostPassed:
		p.Outcome, p.Label, p.Tone = Passed, "passed over", ToneNeutral
	case r.State == footy.PostJudged:
		p.Outcome, p.Label, p.Tone = Accepted, "accepted", ToneGood
	case r.State == footy.PostPublished:
		p.Outcome, p.Label, p.Tone = Became, name, ToneGood
		if name == "" {
			p.Label, p.Tone, p.Sentence = "taken away", ToneWarn, p.Sentence+". The clip is hidden now"
			b.withdrawn(p, r)
		}
	case r.State == footy.PostMerged:
		b.merged(p, r, name)
	default:
		p.Outcome, p.Label, p.Tone = Checking, "being checked", ToneNeutral
	}
}

// merged says which clip stands for a post, and why.
func (b *builder) merged(p *Post, r footy.Post, name string) {
	p.Outcome, p.Label, p.Tone = Copy, "merged", ToneGood
	same := b.sameFile(r)
	switch {
	case name == "" && same:
		p.Sentence = "The very same file as a clip that is hidden"
		b.withdrawn(p, r)
	case name == "":
		b.withdrawn(p, r)
	case same:
		p.Label, p.Sentence = "same as "+name, "The very same file as "+name+": it counts for its popularity"
	default:
		p.Label, p.Sentence = "same as "+name, "The same footage as "+name
		if rows := b.byClip[p.ClipID]; len(rows) > 0 && rows[len(rows)-1].Data.Better != "" {
			p.Sentence += ", which is " + explain.Merit(rows[len(rows)-1].Data.Better)
		}
	}
}

// sameFile reports whether a merged post has the bytes of a clip that another post brought.
func (b *builder) sameFile(r footy.Post) bool {
	for _, c := range b.event.Clips {
		if i := slices.Index(c.Posts, r.PostID); i >= 0 {
			return i > 0
		}
	}
	return r.Verdict == nil
}

// withdrawn says what an operator did to the clip of a post.
func (b *builder) withdrawn(p *Post, r footy.Post) {
	act, ok := b.acts[explain.HiddenAs(b.event, r.ClipID)]
	if !ok {
		return
	}
	p.Tone, p.Label = ToneWarn, "hidden"
	if act.Down {
		p.Label = "taken down"
	}
	p.Sentence = "An operator " + act.Words("its clip")
}

func (b *builder) name(clipID string) string {
	if clipID == "" {
		return ""
	}
	return b.names(clipID)
}

// Wait is the trouble whose end a post waits for at present, as the ledger has it.
type Wait struct {
	Since, NextTry time.Time
	Tries          int
	Trying         bool // the next try is under way
}

// sum says a search's result in one line and picks the chapter's tone.
func (c *Chapter) sum() {
	if c.Kind == "end" {
		for _, l := range c.Lines {
			c.Tone = l.Tone
		}
	}
	if len(c.Posts) == 0 {
		return
	}
	count := map[Outcome]int{}
	for _, p := range c.Posts {
		count[p.Outcome]++
		if p.Tone == ToneGood {
			c.Tone = ToneGood
		}
	}
	var parts []string
	for _, o := range outcomes {
		if n := count[o.outcome]; n > 0 {
			parts = append(parts, explain.Plural(n, o.one, o.many))
		}
	}
	if c.Summary != "" {
		c.Summary += ": "
	}
	c.Summary += strings.Join(parts, ", ")
	slices.SortStableFunc(c.Posts, func(x, y Post) int { return rank[x.Outcome] - rank[y.Outcome] })
}

// outcomes are what a summary counts, in its order.
var outcomes = []struct {
	outcome   Outcome
	one, many string
}{
	{Became, "became a clip", "became clips"},
	{Accepted, "accepted", "accepted"},
	{Copy, "same as a clip", "same as a clip"},
	{Checking, "being checked", "being checked"},
	{Waiting, "waits", "wait"},
	{Refused, "refused", "refused"},
	{Passed, "passed over", "passed over"},
}

// rank puts what matters first.
var rank = map[Outcome]int{Became: 0, Accepted: 0, Checking: 1, Waiting: 1, Refused: 2, Copy: 3, Passed: 4}
