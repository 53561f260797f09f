package story

import (
	"cmp"
	"fmt"
	"sort"
	"strings"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
)

// learn takes over what a row says about a post.
func (b *builder) learn(p *Post, r footy.Entry) {
	d := r.Data
	p.URL, p.Author, p.Text = cmp.Or(p.URL, d.URL), cmp.Or(p.Author, d.Author), cmp.Or(p.Text, d.PostText)
	if p.PostedAt.IsZero() {
		p.PostedAt = d.PostedAt
	}
	if d.DurationMS > 0 {
		p.Duration = float64(d.DurationMS) / 1000
	}
	p.Offered = p.Offered || d.OfferedBy != ""
	p.Poster = p.Poster || d.PosterKey != ""
	p.Clock = p.Clock || d.Running != nil && d.Running.PictureKey != ""
	if r.ClipID != "" {
		p.ClipID = r.ClipID
	}
	outcome := footy.Outcome(d.Outcome)
	p.Sentence, p.Reason = explain.Row(r, b.names), r.Reason
	switch {
	case r.Kind == footy.EntryWaiting:
		p.waits(r.Reason)
		return
	case r.Kind == footy.EntryCandidate && r.Reason == "":
		p.Outcome, p.Label, p.Tone = Checking, "being checked", ToneNeutral
	case r.Kind == footy.EntryCandidate:
		p.Outcome, p.Label, p.Tone = Passed, "passed over", ToneNeutral
	case r.Kind == footy.EntryRejected && r.Reason == footy.ReasonDuplicate && r.ClipID != "":
		p.Outcome, p.Label, p.Tone = Copy, "same file", ToneGood
	case r.Kind == footy.EntryVerdict && (outcome == footy.OutcomeVerified || outcome == footy.OutcomeUnverified):
		p.Outcome, p.Label, p.Tone = Accepted, "accepted", ToneGood
	case r.Reason == footy.ReasonUnvalidated:
		p.Outcome, p.Label, p.Tone = Waiting, "waits for the model", ToneWarn
	default:
		p.Outcome, p.Label, p.Tone = Refused, "refused", ToneBad
	}
}

// became says what an accepted post is now, in the names clips have today.
func (b *builder) became(p *Post) {
	name := b.name(p.ClipID)
	switch p.Outcome {
	case Copy:
		if name == "" {
			p.Sentence = "The very same file as a clip that is out of sight"
			b.withdrawn(p)
			return
		}
		p.Label, p.Sentence = "same as "+name, "The very same file as "+name+": it counts for its popularity"
	case Accepted:
		rows := b.byClip[p.ClipID]
		if len(rows) == 0 {
			return // not published yet
		}
		last := rows[len(rows)-1]
		if last.Kind == footy.EntryClip {
			p.Outcome, p.Label = Became, name
			if name == "" {
				p.Label, p.Tone, p.Sentence = "taken away", ToneWarn, p.Sentence+". The clip is out of sight now"
				b.withdrawn(p)
			}
			return
		}
		p.Outcome, p.Label = Copy, "merged"
		if into := b.name(last.Data.Into); into != "" {
			name = into
		}
		if name == "" {
			return
		}
		p.Label, p.Sentence = "same as "+name, "The same footage as "+name
		if better := last.Data.Better; better != "" {
			p.Sentence += ", which is " + explain.Merit(better)
		}
	}
}

// withdrawn says what an operator did to the clip of a post.
func (b *builder) withdrawn(p *Post) {
	act, ok := b.acts[p.ClipID]
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
	if clipID == "" || b.names == nil {
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
	for _, f := range []struct {
		outcome   Outcome
		one, many string
	}{{Became, "1 became a clip", "%d became clips"}, {Accepted, "1 accepted", "%d accepted"}, {Copy, "1 same as a clip", "%d same as a clip"},
		{Checking, "1 being checked", "%d being checked"}, {Waiting, "1 waits", "%d wait"},
		{Refused, "1 refused", "%d refused"}, {Passed, "1 passed over", "%d passed over"}} {
		switch n := count[f.outcome]; {
		case n == 1:
			parts = append(parts, f.one)
		case n > 1:
			parts = append(parts, fmt.Sprintf(f.many, n))
		}
	}
	if c.Summary != "" {
		c.Summary += ": "
	}
	c.Summary += strings.Join(parts, ", ")
	sort.SliceStable(c.Posts, func(i, j int) bool { return rank(c.Posts[i].Outcome) < rank(c.Posts[j].Outcome) })
}

// rank puts what matters first.
func rank(f Outcome) int {
	switch f {
	case Became, Accepted:
		return 0
	case Checking, Waiting:
		return 1
	case Refused:
		return 2
	case Copy:
		return 3
	}
	return 4
}
