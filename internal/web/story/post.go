package story

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/coverage"
)

// learn takes over what a row says about a post.
func (b *builder) learn(p *Post, r footy.Entry) {
	set := func(to *string, keys ...string) {
		if v := coverage.Text(r.Data, keys...); v != "" && *to == "" {
			*to = v
		}
	}
	set(&p.URL, "url")
	set(&p.Author, "author")
	set(&p.Text, "text")
	if at, err := time.Parse(time.RFC3339, coverage.Text(r.Data, "posted_at")); err == nil && p.PostedAt.IsZero() {
		p.PostedAt = at
	}
	if ms, ok := coverage.Number(r.Data, "duration_ms"); ok && ms > 0 {
		p.Duration = ms / 1000
	}
	p.Offered = p.Offered || coverage.Text(r.Data, "offered_by") != ""
	p.Poster = p.Poster || coverage.Text(r.Data, "poster_key") != ""
	if r.ClipID != "" {
		p.ClipID = r.ClipID
	}
	outcome := footy.Outcome(coverage.Text(r.Data, "outcome"))
	p.Sentence, p.Reason = b.plain(r.Text), r.Reason
	switch {
	case r.Kind == footy.EntryWaiting:
		p.waits(r.Reason)
		return
	case r.Kind == footy.EntryCandidate && r.Reason == "":
		p.Fate, p.Label, p.Tone = Checking, "being checked", Plain
	case r.Kind == footy.EntryCandidate:
		p.Fate, p.Label, p.Tone = Passed, "passed over", Plain
	case r.Kind == footy.EntryRejected && r.Reason == footy.ReasonDuplicate && r.ClipID != "":
		p.Fate, p.Label, p.Tone = Copy, "same file", Good
	case r.Kind == footy.EntryVerdict && (outcome == footy.OutcomeVerified || outcome == footy.OutcomeUnverified):
		p.Fate, p.Label, p.Tone = Accepted, "accepted", Good
	case r.Reason == footy.ReasonUnvalidated:
		p.Fate, p.Label, p.Tone = Waiting, "waits for the model", Warn
	default:
		p.Fate, p.Label, p.Tone = Refused, "refused", Bad
	}
	// A short detail belongs into the sentence; a technical one (an address that failed) stays with the evidence.
	if d := cause(r); d != "" && !coded.MatchString(d) && r.Reason != footy.ReasonUnvalidated && len(d) <= 90 && !strings.Contains(d, "://") && !strings.Contains(p.Sentence, d) {
		p.Sentence += ": " + d
	}
}

// cause is the end of a chain of errors, or the whole detail of a verdict: "HTTP 403 on every try".
func cause(r footy.Entry) string {
	d := coverage.Text(r.Data, "detail")
	if at := strings.LastIndex(d, ": "); at >= 0 && coverage.Text(r.Data, "outcome") == "" {
		d = d[at+2:]
	}
	if d == "EOF" || d == "unexpected EOF" {
		return "the connection broke off"
	}
	return d
}

// became says what an accepted post is now, in the names clips have today.
func (b *builder) became(p *Post) {
	name := b.name(p.ClipID)
	switch p.Fate {
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
			p.Fate, p.Label = Became, name
			if name == "" {
				p.Label, p.Tone, p.Sentence = "taken away", Warn, p.Sentence+". The clip is out of sight now"
				b.withdrawn(p)
			}
			return
		}
		p.Fate, p.Label = Copy, "merged"
		if into := b.name(coverage.Text(last.Data, "into")); into != "" {
			name = into
		}
		if name == "" {
			return
		}
		p.Label, p.Sentence = "same as "+name, "Shows this goal with the same footage as "+name
		if better := comparison.FindStringSubmatch(last.Text); better != nil {
			p.Sentence += ", which is " + better[1]
		}
	}
}

// withdrawn says what an operator did to the clip of a post.
func (b *builder) withdrawn(p *Post) {
	act, ok := b.acts[p.ClipID]
	if !ok {
		return
	}
	p.Tone, p.Label = Warn, "hidden"
	if act.Down {
		p.Label = "taken down"
	}
	p.Sentence = "An operator " + act.Words("its clip")
}

var (
	comparison = regexp.MustCompile(`; clip [0-9a-f]{16} is (\w+)$`)
	lost       = regexp.MustCompile(`, lost\((\w+)\)`)
	clipHash   = regexp.MustCompile(`\b[Cc]lip ([0-9a-f]{16})\b`)
)

func (b *builder) name(clipID string) string {
	if clipID == "" || b.names == nil {
		return ""
	}
	return b.names(clipID)
}

// plain is a row's text for people: clips by the name they have on the page, no round where there was but one.
func (b *builder) plain(text string) string {
	text = strings.TrimSuffix(text, " (round 1)")
	text = lost.ReplaceAllStringFunc(text, func(s string) string {
		why := footy.Explain(footy.Reason(lost.FindStringSubmatch(s)[1]))
		return ": " + strings.ToLower(why[:1]) + why[1:]
	})
	text = clipHash.ReplaceAllStringFunc(text, func(s string) string {
		if name := b.name(s[len(s)-16:]); name != "" {
			return name
		}
		return "a clip"
	})
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return text
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
	count := map[Fate]int{}
	for _, p := range c.Posts {
		count[p.Fate]++
		if p.Tone == Good {
			c.Tone = Good
		}
	}
	var parts []string
	for _, f := range []struct {
		fate      Fate
		one, many string
	}{{Became, "1 became a clip", "%d became clips"}, {Accepted, "1 accepted", "%d accepted"}, {Copy, "1 same as a clip", "%d same as a clip"},
		{Checking, "1 being checked", "%d being checked"}, {Waiting, "1 waits", "%d wait"},
		{Refused, "1 refused", "%d refused"}, {Passed, "1 passed over", "%d passed over"}} {
		switch n := count[f.fate]; {
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
	sort.SliceStable(c.Posts, func(i, j int) bool { return rank(c.Posts[i].Fate) < rank(c.Posts[j].Fate) })
}

// rank puts what matters first.
func rank(f Fate) int {
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
