// Package searchapi is the JSON contract of the search service on port 8888: served by browser, spoken by xweb.
package searchapi

import (
	"cmp"
	"math"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

// SearchRequest is the body of POST /search. Query is another name of SearchQuery: the founding documents use both.
type SearchRequest struct {
	SearchQuery string    `json:"search_query"`
	Query       string    `json:"query,omitempty"`
	ExcludeURLs []string  `json:"exclude_urls,omitempty"`
	Since       time.Time `json:"since,omitzero"`
	MaxResults  int       `json:"max_results,omitempty"`
	Group       string    `json:"group,omitempty"` // the match; searches of one group may share a call
	Ahead       int       `json:"ahead,omitempty"` // how many polls have seen a goal that is not certain yet: the answer may be not_now
}

// NewSearchRequest makes the request of a query.
func NewSearchRequest(q source.Query) SearchRequest {
	return SearchRequest{SearchQuery: q.Text, ExcludeURLs: q.Exclude, Since: q.Since.UTC(), MaxResults: q.Max, Group: q.Group, Ahead: q.Ahead}
}

// AsQuery reads the request.
func (r SearchRequest) AsQuery() source.Query {
	return source.Query{Text: cmp.Or(r.SearchQuery, r.Query), Exclude: r.ExcludeURLs, Since: r.Since, Max: r.MaxResults, Group: r.Group, Ahead: r.Ahead}
}

// SearchResponse is the answer. RetryAfter is in seconds; the state, not the HTTP status, says what happened.
type SearchResponse struct {
	State      source.State `json:"state"`
	Videos     []Video      `json:"videos"`
	CallsUsed  int          `json:"calls_used"`
	RetryAfter float64      `json:"retry_after,omitempty"`
	Detail     string       `json:"detail,omitempty"`
}

// Video is one post with a video. DurationMS is null where X did not say.
type Video struct {
	ID         string    `json:"id"`
	URL        string    `json:"url"`
	Author     string    `json:"author"`
	Text       string    `json:"text"`
	PostedAt   time.Time `json:"posted_at"`
	DurationMS *int      `json:"duration_ms"`
	Width      int       `json:"width"`
	Height     int       `json:"height"`
	Quoted     bool      `json:"quoted"`
	Files      []string  `json:"files,omitempty"` // addresses of its file, best first
}

// NewVideo is a candidate as the contract writes it.
func NewVideo(c footy.Candidate) Video {
	v := Video{ID: c.PostID, URL: c.URL, Author: c.Author, Text: c.Text, PostedAt: c.PostedAt.UTC(), Width: c.Width,
		Height: c.Height, Quoted: c.Quoted, Files: c.Files}
	if c.DurationMS > 0 {
		v.DurationMS = &c.DurationMS
	}
	return v
}

// Candidate reads a video.
func (v Video) Candidate() footy.Candidate {
	c := footy.Candidate{PostID: v.ID, URL: v.URL, Author: v.Author, Text: v.Text, PostedAt: v.PostedAt,
		Width: v.Width, Height: v.Height, Quoted: v.Quoted, Files: v.Files}
	if v.DurationMS != nil {
		c.DurationMS = *v.DurationMS
	}
	return c
}

// NewSearchResponse is a result as the contract writes it.
func NewSearchResponse(r source.Result) SearchResponse {
	out := SearchResponse{State: r.State, Videos: []Video{}, CallsUsed: r.CallsUsed, Detail: r.Detail,
		RetryAfter: math.Ceil(r.RetryAfter.Seconds()*1000) / 1000}
	for _, c := range r.Candidates {
		out.Videos = append(out.Videos, NewVideo(c))
	}
	return out
}

// Result reads the answer.
func (r SearchResponse) Result() source.Result {
	out := source.Result{State: r.State, CallsUsed: r.CallsUsed, Detail: r.Detail, RetryAfter: Seconds(r.RetryAfter)}
	for _, v := range r.Videos {
		out.Candidates = append(out.Candidates, v.Candidate())
	}
	return out
}

// Seconds reads a number of seconds; nonsense is 0.
func Seconds(s float64) time.Duration {
	if !(s > 0) || s > 1e6 {
		return 0
	}
	return time.Duration(s * float64(time.Second))
}

// Status is the answer of GET /status.
type Status struct {
	Login      source.Login `json:"login"`
	Account    string       `json:"account,omitempty"`
	ValidUntil *time.Time   `json:"valid_until,omitempty"` // when the session cookie expires
	Budget     *Budget      `json:"budget,omitempty"`
	Busy       bool         `json:"busy"`               // every tab has a search under way
	Searches   int          `json:"searches,omitempty"` // under way
	Tabs       int          `json:"tabs,omitempty"`
	Detail     string       `json:"detail,omitempty"` // what a person should do
}

// Ready reports whether searches can work.
func (s Status) Ready() bool { return s.Login == source.LoginOK || s.Login == source.LoginNoneNeeded }

// Budget is what is left of the account's search calls in the present window.
type Budget struct {
	Limit     int        `json:"limit"`
	Used      int        `json:"used"`
	Remaining int        `json:"remaining"`
	ResetAt   *time.Time `json:"reset_at,omitempty"`
}

// Failure is the body of an answer that is no search answer: bad requests and broken services.
type Failure struct {
	Error string `json:"error"`
}
