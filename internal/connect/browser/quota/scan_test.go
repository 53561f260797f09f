package quota_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/connect/source/x/timeline"
	"github.com/found-footy/found-footy/internal/footy"
)

func id(minutesAgo int) string {
	return snowflake.At(now.Add(-time.Duration(minutesAgo)*time.Minute), 1)
}

func page(minutesAgo ...int) timeline.Page {
	p := timeline.Page{State: source.StateResults, Cursor: "next"}
	for _, m := range minutesAgo {
		p.Candidates = append(p.Candidates, footy.Candidate{PostID: id(m)})
		p.Oldest = now.Add(-time.Duration(m) * time.Minute)
		p.Seen.Entries++
	}
	return p
}

func TestWhereAScanEnds(t *testing.T) {
	t.Parallel()
	end := page(1, 2)
	end.Cursor = ""
	quotes := page(1, 2, 3, 4)
	for i := range 3 {
		quotes.Candidates[i].Quoted = true
	}
	for name, c := range map[string]struct {
		query source.Query
		pages []timeline.Page
		why   string
		reads int
	}{
		"at the floor":                      {source.Query{Since: now.Add(-5 * time.Minute)}, []timeline.Page{page(1, 2), page(4, 6), page(7)}, "older than the floor", 2},
		"at three known in a row":           {source.Query{Exclude: []string{id(2), id(3), id(4)}}, []timeline.Page{page(1, 2, 3), page(4, 5), page(6)}, "three known posts in a row", 2},
		"not at three known apart":          {source.Query{Exclude: []string{id(1), id(2), id(4)}}, []timeline.Page{page(1, 2, 3, 4), page(5), page(6), page(7), page(8)}, "the page limit", 4},
		"not at known ones that many quote": {source.Query{Exclude: []string{id(1), id(2), id(3)}}, []timeline.Page{quotes, end}, "the end", 2},
		"where X has no more":               {source.Query{}, []timeline.Page{end, page(3)}, "the end", 1},
		"at an empty page":                  {source.Query{}, []timeline.Page{page(1), page()}, "the end", 2},
		"with enough":                       {source.Query{Max: 3}, []timeline.Page{page(1, 2), page(3, 4), page(5)}, "enough", 2},
		"at the page limit":                 {source.Query{}, []timeline.Page{page(1), page(2), page(3), page(4), page(5)}, "the page limit", 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := quota.NewScan(c.query, 3)
			for _, p := range c.pages {
				s.Add(p)
				if !s.Scroll() {
					break
				}
			}
			require.Equal(t, c.why, s.End())
			require.Equal(t, c.reads, s.Pages())
			require.False(t, s.Scroll(), "what has ended stays ended")
		})
	}
}

func TestTheCandidatesAreWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	s := quota.NewScan(source.Query{Since: now.Add(-5 * time.Minute), Exclude: []string{source.PostURL("x", id(2))}}, 3)
	s.Add(page(1, 2, 1))
	s.Add(page(4, 6))
	var got []string
	for _, c := range s.Candidates() {
		got = append(got, c.PostID)
	}
	require.Equal(t, []string{id(1), id(4)}, got)
}
