// Package apifootball reads fixtures from API-Football (v3). It decodes tolerantly and trusts strictly: an answer that is not
// plainly complete is a failed poll for the fixtures concerned.
package apifootball

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/feed"
	"github.com/found-footy/found-footy/internal/footy"
)

// Options say where the feed is and who asks.
type Options struct {
	BaseURL string
	Key     string
	Timeout time.Duration    // budget of one call with all its tries; 0 = 10 s
	Now     func() time.Time // nil = time.Now
}

// DefaultURL is the vendor's own address.
const DefaultURL = "https://v3.football.api-sports.io"

// Feed implements feed.Feed.
type Feed struct {
	o      Options
	client *http.Client
	mu     sync.Mutex
	quota  feed.Quota
}

var _ feed.Feed = (*Feed)(nil)

// New makes a feed over a client of httpx.
func New(o Options, client *http.Client) *Feed {
	if o.BaseURL == "" {
		o.BaseURL = DefaultURL
	}
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Feed{o: o, client: client, quota: unknownQuota()}
}

// Day implements feed.Feed.
func (f *Feed) Day(ctx context.Context, date time.Time) ([]footy.Snapshot, error) {
	return f.list(ctx, "list fixtures of "+date.UTC().Format(time.DateOnly), url.Values{"date": {date.UTC().Format(time.DateOnly)}})
}

// Live lists every match under way anywhere, without events: one call that tells which by-id calls are worth it.
func (f *Feed) Live(ctx context.Context) ([]footy.Snapshot, error) {
	return f.list(ctx, "list live fixtures", url.Values{"live": {"all"}})
}

func (f *Feed) list(ctx context.Context, op string, q url.Values) ([]footy.Snapshot, error) {
	env, at, err := f.ask(ctx, op, q)
	if err != nil {
		return nil, err
	}
	out := make([]footy.Snapshot, 0, len(env.Response))
	seen := map[int64]bool{}
	for _, raw := range env.Response {
		s, err := parse(raw, at)
		if err != nil || seen[s.Match.ID] {
			continue // one unreadable fixture must not hide a thousand others; it is asked by id if it is ours
		}
		seen[s.Match.ID] = true
		s.Events, s.HasEvents = nil, false // day lists have none, and the live list's empty ones mean nothing
		out = append(out, s)
	}
	if len(out) == 0 && len(env.Response) > 0 {
		return nil, footy.Errorf(footy.CodeUnavailable, op, "none of %d fixtures can be read", len(env.Response))
	}
	return out, nil
}

// ByIDs implements feed.Feed.
func (f *Feed) ByIDs(ctx context.Context, ids []int64) (feed.Answer, error) {
	if len(ids) == 0 {
		return feed.Answer{}, nil
	}
	if len(ids) > feed.MaxIDs {
		return feed.Answer{}, footy.Errorf(footy.CodeInvalid, "ask fixtures", "%d ids asked, %d allowed", len(ids), feed.MaxIDs)
	}
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = strconv.FormatInt(id, 10)
	}
	env, at, err := f.ask(ctx, fmt.Sprintf("ask %d fixtures", len(ids)), url.Values{"ids": {strings.Join(words, "-")}})
	if err != nil {
		return feed.Answer{}, err
	}
	all := Collect(env, at)
	answer := feed.Answer{Failed: map[int64]string{}}
	for _, id := range ids {
		switch s, ok := all.good[id]; {
		case ok:
			answer.Snapshots = append(answer.Snapshots, s)
		case all.bad[id] != "":
			answer.Failed[id] = all.bad[id]
		default:
			answer.Failed[id] = "the answer does not contain it"
		}
	}
	return answer, nil
}

// Collection is what a by-id response holds: fixtures to trust and fixtures not to.
type Collection struct {
	good  map[int64]footy.Snapshot
	bad   map[int64]string
	order []int64
}

// Collect reads every fixture of an envelope with its events.
func Collect(env Envelope, at time.Time) Collection {
	c := Collection{good: map[int64]footy.Snapshot{}, bad: map[int64]string{}}
	for _, raw := range env.Response {
		s, err := parse(raw, at)
		id := s.Match.ID
		if id <= 0 {
			continue
		}
		other, twice := c.good[id]
		if !twice && c.bad[id] == "" {
			c.order = append(c.order, id)
		}
		switch {
		case err != nil:
			c.fail(id, err.Error())
		case !s.HasEvents:
			c.fail(id, "no events list")
		case c.bad[id] != "":
		case twice && !reflect.DeepEqual(other, s):
			c.fail(id, "listed twice, differently")
		default:
			c.good[id] = s
		}
	}
	return c
}

func (c Collection) fail(id int64, why string) {
	delete(c.good, id)
	c.bad[id] = why
}

// All returns the fixtures to trust and, by id, why the others are not, both in the order of the response.
func (c Collection) All() (snapshots []footy.Snapshot, failed []Failure) {
	for _, id := range c.order {
		if s, ok := c.good[id]; ok {
			snapshots = append(snapshots, s)
		} else {
			failed = append(failed, Failure{id, c.bad[id]})
		}
	}
	return snapshots, failed
}

// Failure is a fixture whose poll failed.
type Failure struct {
	ID     int64
	Reason string
}

// Quota implements feed.Feed.
func (f *Feed) Quota() feed.Quota {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.quota
}
