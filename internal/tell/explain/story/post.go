package story

import (
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// post builds the story of one post: what became of it by the ledger, and what was decided on the way by the rows.
func (b *builder) post(r footy.Post) Post {
	p := Post{Post: r, OwnClip: explain.OwnClip(r), Trouble: ledger.InTrouble(r)}
	for _, row := range b.byPost[r.PostID] {
		p.Poster = p.Poster || row.Data.PosterKey != ""
		p.Clock = p.Clock || row.Data.Running != nil && row.Data.Running.PictureKey != ""
		p.Lines = append(p.Lines, b.line(row))
	}
	b.became(&p)
	p.Detail = "" // it may be of a program that failed, which names addresses
	if p.Outcome == Accepted || p.Outcome == Became || p.Outcome == Copy && !b.sameFile(r) {
		for _, row := range b.byClip[p.OwnClip] {
			p.Lines = append(p.Lines, b.line(row))
		}
	}
	return p
}

// fates are what becomes of posts, by their state; any other is being checked.
var fates = map[footy.PostState]struct {
	outcome Outcome
	label   string
	tone    Tone
}{
	footy.PostWaiting: {Waiting, "waits", ToneNeutral}, footy.PostRefused: {Refused, "refused", ToneBad}, footy.PostPassed: {Passed, "passed over", ToneNeutral},
	footy.PostJudged: {Accepted, "accepted", ToneGood}, footy.PostPublished: {Became, "taken away", ToneGood}, footy.PostMerged: {Copy, "merged", ToneGood},
	"": {Checking, "being checked", ToneNeutral},
}

// became says what became of a post, in the names clips have today.
func (b *builder) became(p *Post) {
	p.Sentence = explain.Post(p.Post, b.names)
	f, known := fates[p.State]
	if !known {
		f = fates[""]
	}
	if p.Trouble {
		f = fates[footy.PostWaiting]
		f.tone = ToneWarn
	}
	p.Outcome, p.Label, p.Tone = f.outcome, f.label, f.tone
	switch name := b.name(p.ClipID); {
	case p.Outcome == Copy:
		b.merged(p, name)
	case p.Outcome == Became && name != "":
		p.Label = name
	case p.Outcome == Became:
		p.Tone, p.Sentence = ToneWarn, p.Sentence+". The clip is hidden now"
		b.withdrawn(p)
	}
}

// merged says which clip stands for a post, and why.
func (b *builder) merged(p *Post, name string) {
	same := b.sameFile(p.Post)
	switch {
	case name == "" && same:
		p.Sentence = "The very same file as a clip that is hidden"
		b.withdrawn(p)
	case name == "":
		b.withdrawn(p)
	case same:
		p.Label, p.Sentence = "same as "+name, "The very same file as "+name+": it counts for its popularity"
	default:
		p.Label, p.Sentence = "same as "+name, "The same footage as "+name
		if rows := b.byClip[p.OwnClip]; len(rows) > 0 && rows[len(rows)-1].Data.Better != "" {
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
func (b *builder) withdrawn(p *Post) {
	act, ok := b.acts[explain.HiddenAs(b.event, p.ClipID)]
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
	rank := map[Outcome]int{}
	for _, o := range outcomes {
		rank[o.outcome] = o.rank
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

// outcomes are what a summary counts, in its order. Posts of the lowest rank stand first.
var outcomes = []struct {
	outcome   Outcome
	rank      int
	one, many string
}{
	{Became, 0, "became a clip", "became clips"},
	{Accepted, 0, "accepted", "accepted"},
	{Copy, 3, "same as a clip", "same as a clip"},
	{Checking, 1, "being checked", "being checked"},
	{Waiting, 1, "waits", "wait"},
	{Refused, 2, "refused", "refused"},
	{Passed, 4, "passed over", "passed over"},
}
