// Package source is where candidates come from and where their files are fetched.
package source

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/decide/post/fetchhealth"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/title"
)

// Query is one search.
type Query struct {
	Text    string
	Exclude []string  // post ids or URLs already known
	Since   time.Time // floor: older posts are of no use
	Max     int
	Group   string // the match: its open goals may share one search when calls are scarce; "" = share with nobody
	Ahead   int    // how many polls have seen the goal while it is not certain: nothing that other goals need is spent on it; 0 = it is certain

	// Goal is what is searched for, for sources whose posts say in their title which goal they show; nil = whatever fits the text.
	Goal *title.Wanted

	Comments *Comments // of the goal's posts, to be read for links as well; nil = they are not due
}

// Comments asks for links to other copies of a goal's clip, which people put below its posts.
type Comments struct {
	Of   []footy.Candidate // posts whose comments are due
	Done []string          // ids of posts whose comments are not
	Late bool              // also below other posts of the goal that have no clip; else only below those that were removed
	Max  int               // links at most
}

// State is how a search ended.
type State = footy.SearchState

// The states of an answer; a service that could not be reached gives an error instead.
const (
	StateResults       = footy.SearchResults
	StateEmpty         = footy.SearchEmpty
	StateRateLimited   = footy.SearchRateLimited
	StateUpstreamError = footy.SearchUpstreamError
	StateLoginRequired = footy.SearchLoginRequired
	StateTimeout       = footy.SearchTimeout
	StateNotNow        = footy.SearchNotNow
)

// Result is the answer of one search. It is returned with a nil error also when State is not usable:
// an error means that the service itself could not be reached.
type Result struct {
	State      State
	Candidates []footy.Candidate
	CallsUsed  int
	RetryAfter time.Duration // of a usable answer: before that nothing can be new
	Detail     string
	Status     int          // of HTTP, where the service refused with one
	Reason     footy.Reason // a refusal that a person can end, also that of a source beside the one that answered; "" = none

	Comments []footy.CommentsRead // that were asked for, whatever the state
}

// ErrNotHere says that this account cannot search now, and another may: whoever took the search from a queue gives it back.
var ErrNotHere = errors.New("the account of this browser cannot search now")

// Source searches posts.
type Source interface {
	Name() string
	Search(ctx context.Context, q Query) (Result, error)
	// Health tells whether searches can work now; the error says what a person should do.
	Health(ctx context.Context) (Health, error)
}

// Login is the state of the account a source searches with.
type Login string

// The login states. Unknown means that nobody has looked yet.
const (
	LoginOK         Login = "ok"
	LoginMissing    Login = "missing"     // no cookies at all
	LoginExpired    Login = "expired"     // cookies that X no longer accepts
	LoginChallenged Login = "challenged"  // X wants a person: captcha, code, locked account
	LoginNoneNeeded Login = "none_needed" // searches by key
	LoginUnknown    Login = "unknown"
)

// Health of a source for the health page and doctor.
type Health struct {
	Ready        bool
	Login        Login
	Account      string
	By           string // how it asks, where there are several ways
	BudgetLeft   int    // -1 = unknown
	BudgetLimit  int
	BudgetResets time.Time
	Waits        State // why the paid API answers nothing, where it wants money; "" = it does not
	Unasked      bool  // the paid API was not asked today
	Detail       string
	Status       int       // of HTTP, where the service refused with one
	ValidUntil   time.Time // when the session ends by itself; zero = unknown
	Canary       *Canary   // the last check of X's shape; nil = none yet
	Door         *Door     // another way to the same posts, in use while the usual one is refused; nil = it is not in use
}

// Door is such a way.
type Door struct {
	URL   string
	Since time.Time // since when the usual one is refused,
	Why   string    // in its words
	Asked time.Time // when this one was asked last; zero = not yet
	Age   string    // of its newest post, in words; "" = it has none
	Fault string    // why it cannot be relied on now; "" = it can
}

// Canary is one check that X still looks as the decoder expects.
type Canary struct {
	At     time.Time `json:"at"`
	OK     bool      `json:"ok"`
	Drift  bool      `json:"drift,omitempty"` // X has changed; otherwise not OK means that nobody could look
	Detail string    `json:"detail,omitempty"`
	Sample string    `json:"sample,omitempty"` // where the answer that surprised was kept
}

// Prober is a source that can check X's shape.
type Prober interface {
	Canary(ctx context.Context) (Canary, error)
}

// ErrNoCanary says that no source has a page whose shape could be checked.
var ErrNoCanary = errors.New("no source searches X's page")

// CanaryOf has a source check X's shape.
func CanaryOf(ctx context.Context, s Source) (Canary, error) {
	if p, ok := s.(Prober); ok {
		return p.Canary(ctx)
	}
	return Canary{}, ErrNoCanary
}

// Named is the health of one source among several.
type Named struct {
	Health
	Name string
	Err  error
}

// Each asks every source that s is made of, in order.
func Each(ctx context.Context, s Source) []Named {
	if m, ok := s.(interface{ Each(context.Context) []Named }); ok {
		return m.Each(ctx)
	}
	h, err := s.Health(ctx)
	return []Named{{h, s.Name(), err}}
}

// firstReady is the health of the first source that can work, else of the first.
func firstReady(all []Named) (Health, error) {
	i := slices.IndexFunc(all, func(n Named) bool { return n.Err == nil && n.Ready })
	return all[max(i, 0)].Health, all[max(i, 0)].Err
}

// Fetcher gets the file of a post. Failures are footy errors that say whose fault it is. The post's: rejected(no_video |
// too_large | truncated | forbidden_url) for good; rejected(deleted) and geo_blocked as suspicions, because a blocked
// address gets these answers for every post. Nobody's: unavailable and rate_limited with the reason fetch_failed, or
// machine where it could not be written here.
type Fetcher interface {
	// Fetch writes the best copy within limits to w and returns what was written. What breaks off may begin anew where w is a file.
	Fetch(ctx context.Context, c footy.Candidate, w io.Writer) (Fetched, error)
}

// ErrEnough is in the error by which a probe ends a fetch that works.
var ErrEnough = errors.New("the first bytes are enough")

// firstBytes takes none of a file: that some came is all that is asked.
type firstBytes struct{}

func (firstBytes) Write([]byte) (int, error) { return 0, ErrEnough }

// Probe looks whether a known post can still be fetched, down to the first bytes of its file; nil = it can.
func Probe(ctx context.Context, f Fetcher, c footy.Candidate) error {
	_, err := f.Fetch(ctx, c, firstBytes{})
	if errors.Is(err, ErrEnough) {
		return nil
	}
	return err
}

// Place is where a post lies. What cannot be fetched at one says nothing of another.
type Place string

// The places.
const (
	OnX      Place = "X"
	OnReddit Place = "Reddit"
)

// Places lists them all.
var Places = []Place{OnX, OnReddit}

// RedditPrefix begins the ids of posts on Reddit, CommentPrefix those of comments there: its names for them. No post of X has them.
const (
	RedditPrefix  = "t3_"
	CommentPrefix = "t1_"
)

// PlaceOf is where a post lies, by its id.
func PlaceOf(postID string) Place {
	if strings.HasPrefix(postID, RedditPrefix) || strings.HasPrefix(postID, CommentPrefix) {
		return OnReddit
	}
	return OnX
}

// FetchHealth is how the last fetches of a place's posts went; it lies under the place's FetchHealthKey in the store's service state.
type FetchHealth = fetchhealth.Health

// FetchHealthKey names it.
func (p Place) FetchHealthKey() string {
	if p == OnReddit {
		return "fetch_health_reddit"
	}
	return "fetch_health"
}

// ProbeKnown returns the first of the known posts that can still be fetched, else the failure of the last one that could be: the others may
// have been deleted long ago.
func ProbeKnown(ctx context.Context, f Fetcher, h FetchHealth) (footy.Candidate, error) {
	var first error
	for _, c := range fetchhealth.KnownPosts(h) {
		err := Probe(ctx, f, c)
		if err == nil {
			return c, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = footy.Errorf(footy.CodeNotFound, "look at a known post", "none is known")
	}
	return footy.Candidate{}, first
}

// Fetched describes a downloaded file.
type Fetched struct {
	URL    string
	Size   int64
	Digest string // hex SHA-256, computed while streaming
}

// Select keeps what a query asked for: whole ids, nothing known, nothing older than the floor, no post twice, at most
// Max, in the order given. Every adapter passes its answer through it, so that no backend has to be trusted with it.
// A post's time is the one in its id: the text dates of the payloads are cut to seconds, or missing.
func Select(q Query, found []footy.Candidate) []footy.Candidate {
	known := make(map[string]bool, len(q.Exclude)+len(found))
	for _, k := range q.Exclude {
		if id := snowflake.FromURL(k); id != "" {
			known[id] = true
		}
	}
	var out []footy.Candidate
	for _, c := range found {
		posted, err := snowflake.Time(c.PostID)
		if err != nil || known[c.PostID] || posted.Before(q.Since.Truncate(time.Millisecond)) {
			continue
		}
		if q.Max > 0 && len(out) == q.Max {
			break
		}
		known[c.PostID] = true
		c.PostedAt = posted
		if c.URL == "" {
			c.URL = PostURL(c.Author, c.PostID)
		}
		out = append(out, c)
	}
	return out
}

// PostURL is the public address of a post; X redirects to the right author.
func PostURL(author, id string) string {
	author = cmp.Or(author, "i")
	if post, n := snowflake.Split(id); n > 1 {
		id = post + "/video/" + strconv.Itoa(n)
	}
	return "https://x.com/" + author + "/status/" + id
}

// None is the source of a machine without any: every search waits for a login instead of passing for an empty one.
type None struct{}

// Name of the source.
func (None) Name() string { return "none" }

// Search always answers that a login is missing.
func (None) Search(context.Context, Query) (Result, error) {
	return Result{State: StateLoginRequired, RetryAfter: time.Minute, Detail: "nobody has logged in to X here, and there is no token for its API"}, nil
}

// Health says what a person should do.
func (None) Health(context.Context) (Health, error) {
	return Health{Login: LoginMissing, BudgetLeft: -1, BudgetLimit: -1, Detail: "bring an X account (footy x import-cookies FILE), or set X_BEARER_TOKEN"}, nil
}

// Searcher is a browser that takes searches from the queue, as it told last.
type Searcher struct {
	Name   string    `json:"name"` // its machine and address
	At     time.Time `json:"at"`
	Tabs   int       `json:"tabs"`
	Waits  State     `json:"waits,omitempty"` // why it takes none now; "" = it takes them
	Health Health    `json:"health"`
}

// SearchersKey is where they lie in the store's service state, by name.
const SearchersKey = "searchers"

// Searchers are the browsers that take searches.
type Searchers map[string]Searcher

const (
	// SearcherEvery is how often each tells of itself.
	SearcherEvery = 20 * time.Second
	// one that is silent for so long is gone; the clocks of machines differ by less.
	searcherGone = 90 * time.Second
	// and after this long it is forgotten.
	searcherForgotten = 24 * time.Hour
)

// Put notes what one tells, and forgets those that are long gone.
func (s Searchers) Put(one Searcher) Searchers {
	if s == nil { // the first that ever told
		s = Searchers{}
	}
	maps.DeleteFunc(s, func(_ string, old Searcher) bool { return one.At.Sub(old.At) > searcherForgotten })
	s[one.Name] = one
	return s
}

// Present are those that were heard of lately, by name.
func (s Searchers) Present(now time.Time) []Searcher {
	out := slices.DeleteFunc(slices.Collect(maps.Values(s)), func(one Searcher) bool { return now.Sub(one.At) > searcherGone })
	slices.SortFunc(out, func(a, b Searcher) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// WhyUntaken says why none of them took a search that lay in the queue.
func WhyUntaken(present []Searcher) State {
	for _, why := range []State{"", StateRateLimited, StateLoginRequired, StateUpstreamError} {
		if slices.ContainsFunc(present, func(s Searcher) bool { return s.Waits == why }) {
			return cmp.Or(why, footy.SearchBusy)
		}
	}
	return footy.SearchUnreachable
}
