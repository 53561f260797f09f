package story

import (
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/coverage"
)

// builder walks the rows once and puts each where a reader looks for it.
type builder struct {
	chapters  []Chapter
	posts     map[string]*Post       // by post id
	order     []string               // post ids as first met
	chapterOf map[string]int         // chapter of a post
	clips     map[string]footy.Entry // last row that says what became of a clip
	round     int
}

func (b *builder) add(r footy.Entry) {
	switch r.Kind {
	case footy.EntryClip, footy.EntryMerged, footy.EntryReplaced:
		b.clips[r.ClipID] = r
	}
	if r.PostID != "" {
		b.post(r)
		return
	}
	switch r.Kind {
	case footy.EntrySearching:
		if n, ok := coverage.Number(r.Data, "round"); ok {
			b.round = int(n)
		}
		b.line(b.section("seen", "How it was seen", r), r)
	case footy.EntryNew, footy.EntrySighting, footy.EntryAbsence, footy.EntryWithheld, footy.EntryChanged, footy.EntryRenamed,
		footy.EntryCertain, footy.EntryAliases, footy.EntryActivated, footy.EntryRescheduled:
		b.line(b.section("seen", "How it was seen", r), r)
	case footy.EntryQuery:
		b.query(r)
	case footy.EntryClip, footy.EntryMerged, footy.EntryReplaced, footy.EntrySettled:
		b.line(b.last("search", "Clips", r), r)
	case footy.EntryDistrusted, footy.EntryPollFailed:
		b.line(b.last("seen", "How it was seen", r), r)
	default:
		b.line(b.section("end", "How it stands", r), r)
	}
}

// section returns the chapter of that kind at the end of the story, or opens one.
func (b *builder) section(kind, title string, r footy.Entry) *Chapter {
	if n := len(b.chapters); n > 0 && b.chapters[n-1].Kind == kind {
		return &b.chapters[n-1]
	}
	n := 0
	for _, c := range b.chapters {
		if c.Kind == kind {
			n++
		}
	}
	if n > 0 && kind == "seen" {
		title = "Seen again"
	}
	b.chapters = append(b.chapters, Chapter{ID: fmt.Sprintf("%s-%d", kind, n+1), Kind: kind, Title: title, At: r.At, Tone: Plain})
	return &b.chapters[len(b.chapters)-1]
}

// last returns the chapter that is being told, of whatever kind.
func (b *builder) last(kind, title string, r footy.Entry) *Chapter {
	if n := len(b.chapters); n > 0 {
		return &b.chapters[n-1]
	}
	return b.section(kind, title, r)
}

func (b *builder) query(r footy.Entry) {
	round := b.round
	if n, ok := coverage.Number(r.Data, "round"); ok && n > 0 {
		round = int(n)
	}
	title := "Search"
	if r.Attempt > 0 {
		title = fmt.Sprintf("Search %d", r.Attempt)
	}
	if round > 1 {
		title += fmt.Sprintf(" of round %d", round)
	}
	c := Chapter{ID: fmt.Sprintf("search-%d-%d", round, r.Attempt), Kind: "search", Title: title, At: r.At, Query: coverage.Text(r.Data, "query"), Summary: strings.TrimSpace(strings.TrimPrefix(r.Text, fmt.Sprintf("Search %d", r.Attempt))), Tone: Plain}
	if !coverage.Usable(coverage.Text(r.Data, "state")) {
		c.Tone = Warn
		if d := coverage.Text(r.Data, "detail"); d != "" {
			c.Summary += " (" + d + ")"
		}
	}
	b.chapters = append(b.chapters, c)
}

func (b *builder) post(r footy.Entry) {
	p, ok := b.posts[r.PostID]
	if !ok {
		if len(b.chapters) == 0 {
			b.section("search", "Posts", r)
		}
		p = &Post{ID: r.PostID}
		b.posts[r.PostID] = p
		b.order = append(b.order, r.PostID)
		b.chapterOf[r.PostID] = b.attempt(r)
	}
	if r.Kind == footy.EntryCandidate && r.Reason == "" {
		b.chapterOf[r.PostID] = b.attempt(r) // a post passed over before belongs to the search that took it
	}
	p.learn(r)
	p.Lines = append(p.Lines, line(r))
}

// attempt finds the chapter of the search a row names, the latest of that number; else the one being told.
func (b *builder) attempt(r footy.Entry) int {
	if r.Attempt > 0 {
		suffix := fmt.Sprintf("-%d", r.Attempt)
		for i := len(b.chapters) - 1; i >= 0; i-- {
			if b.chapters[i].Kind == "search" && strings.HasSuffix(b.chapters[i].ID, suffix) {
				return i
			}
		}
	}
	return len(b.chapters) - 1
}

func (p *Post) learn(r footy.Entry) {
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
	p.Poster = p.Poster || coverage.Text(r.Data, "poster_key", "poster") != ""
	if r.ClipID != "" {
		p.ClipID = r.ClipID
	}
	p.Sentence, p.Reason = r.Text, r.Reason
	switch {
	case r.Kind == footy.EntryCandidate && r.Reason == "":
		p.Fate, p.Tone = "checking", Plain
	case r.Kind == footy.EntryCandidate:
		p.Fate, p.Tone = "passed over", Plain
	case r.Kind == footy.EntryRejected && r.Reason == footy.ReasonDuplicate && r.ClipID != "":
		p.Fate, p.Tone = "copy", Good
	case r.Kind == footy.EntryVerdict && coverage.Text(r.Data, "outcome") == string(footy.OutcomeVerified):
		p.Fate, p.Tone = "verified", Good
	case r.Kind == footy.EntryVerdict && coverage.Text(r.Data, "outcome") == string(footy.OutcomeUnverified):
		p.Fate, p.Tone = "unverified", Good
	case r.Reason == footy.ReasonUnvalidated:
		p.Fate, p.Tone = "waiting", Warn
	default:
		p.Fate, p.Tone = "rejected", Bad
	}
	// A short detail belongs into the sentence; a technical one (an address that failed) stays with the evidence.
	if d := cause(r); d != "" && len(d) <= 90 && !strings.Contains(d, "://") && !strings.Contains(p.Sentence, d) {
		p.Sentence += ": " + d
	}
}

// cause is the end of a chain of errors, or the whole detail of a verdict: "HTTP 403 on every try".
func cause(r footy.Entry) string {
	d := coverage.Text(r.Data, "detail")
	if at := strings.LastIndex(d, ": "); at >= 0 && coverage.Text(r.Data, "outcome") == "" {
		return d[at+2:]
	}
	return d
}

// became says what an accepted post's clip is now.
func (p *Post) became(row footy.Entry) {
	switch {
	case row.Kind == footy.EntryClip && p.Fate != "copy":
		p.Fate = "clip"
	case row.Kind == footy.EntryMerged:
		p.Fate = "copy"
		p.Sentence += ". Merged: " + row.Text
	case row.Kind == footy.EntryReplaced:
		p.Fate = "replaced"
		p.Sentence += ". A better copy took over: " + row.Text
	}
}

func (b *builder) finish() {
	for _, id := range b.order {
		p := b.posts[id]
		if row, ok := b.clips[p.ClipID]; ok && p.Tone == Good {
			p.became(row)
		}
		c := &b.chapters[b.chapterOf[id]]
		c.Posts = append(c.Posts, *p)
	}
	for i := range b.chapters {
		b.chapters[i].sum()
	}
}
