package quota

import (
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/connect/source/x/timeline"
	"github.com/found-footy/found-footy/internal/footy"
)

// Scan is one search as far as it has come; it decides how far to scroll.
type Scan struct {
	query      source.Query
	scrolls    int // still allowed
	known      map[string]bool
	knownInRow int // known posts in a row at the end
	found      []footy.Candidate
	end        string
	pages      int
}

// knownRun is how many known posts in a row mean that the rest is known too. One alone can be a post that another query
// of the same goal found.
const knownRun = 3

// NewScan begins a scan; each scroll may cost one more call.
func NewScan(q source.Query, scrolls int) *Scan {
	s := &Scan{query: q, scrolls: scrolls, known: map[string]bool{}}
	for _, k := range q.Exclude {
		if id := snowflake.FromURL(k); id != "" {
			s.known[id] = true
		}
	}
	return s
}

// Add takes the next page; results come newest first.
func (s *Scan) Add(p timeline.Page) {
	s.pages++
	s.found = append(s.found, p.Candidates...)
	for _, c := range p.Candidates {
		if c.Quoted {
			continue // it may be of any time: that it is known says nothing of what stands below it
		}
		if s.knownInRow++; !s.known[c.PostID] {
			s.knownInRow = 0
		}
		if s.knownInRow == knownRun {
			s.end = "three known posts in a row"
			return
		}
	}
	switch {
	case p.Cursor == "" || p.Seen.Entries+p.Seen.Promoted == 0:
		s.end = "the end"
	case !s.query.Since.IsZero() && !p.Oldest.IsZero() && p.Oldest.Before(s.query.Since):
		s.end = "older than the floor"
	case s.query.Max > 0 && len(s.Candidates()) >= s.query.Max:
		s.end = "enough"
	}
}

// Scroll asks for one more page; it says no once the search is at its end.
func (s *Scan) Scroll() bool {
	if s.end != "" {
		return false
	}
	if s.scrolls <= 0 {
		s.end = "the page limit"
		return false
	}
	s.scrolls--
	return true
}

// Stop ends the scan for a reason of the page's own.
func (s *Scan) Stop(why string) { s.end = why }

// End says why the search ended; "" while it has not.
func (s *Scan) End() string { return s.end }

// Pages is how many were read.
func (s *Scan) Pages() int { return s.pages }

// Candidates are what the query asked for among what was found.
func (s *Scan) Candidates() []footy.Candidate { return source.Select(s.query, s.found) }
