// Package apifootball reads fixtures from API-Football (v3). It decodes tolerantly and trusts strictly: an answer that is not
// plainly complete is a failed poll for the fixtures concerned.
package apifootball

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mozillazg/go-unidecode"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/network/loose"
	"github.com/found-footy/found-footy/internal/footy"
)

// Options say where the feed is and who asks.
type Options struct {
	BaseURL string
	Key     string
	Timeout time.Duration    // budget of one call with all its tries; 0 = 10 s
	Scale   int              // divides the vendor's minute; 0 = 1
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
	counts bool                // the vendor's headers tell the day's calls
	single time.Time           // when the plan refused to answer about several matches by id
	asked  map[int64]time.Time // when a match was asked for by its id, on such a plan
}

var _ feed.Feed = (*Feed)(nil)

// New makes a feed over a client of httpx.
func New(o Options, client *http.Client) *Feed {
	o.BaseURL = cmp.Or(o.BaseURL, DefaultURL)
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	o.Timeout = cmp.Or(max(o.Timeout, 0), 10*time.Second)
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Scale = max(o.Scale, 1)
	return &Feed{o: o, client: client, quota: feed.UnknownQuota(), asked: map[int64]time.Time{}}
}

// Day implements feed.Feed.
func (f *Feed) Day(ctx context.Context, date time.Time) ([]footy.Snapshot, error) {
	day := date.UTC().Format(time.DateOnly)
	list, err := f.list(ctx, "list fixtures of "+day, url.Values{"date": {day}})
	if err == nil && len(list) == 0 && day == f.o.Now().UTC().Format(time.DateOnly) {
		return nil, footy.Errorf(footy.CodeUnavailable, "list fixtures of "+day, "the list of today is empty: matches are played somewhere every day, so it is not believed")
	}
	return list, err
}

func (f *Feed) list(ctx context.Context, op string, q url.Values) ([]footy.Snapshot, error) {
	env, at, err := f.fetchFixtures(ctx, op, q)
	if err != nil {
		return nil, err
	}
	// One unreadable fixture must not hide a thousand others; it is asked by id if it is ours.
	out, _ := Read(env, at, false).All()
	if len(out) == 0 && len(env.Response) > 0 {
		return nil, footy.Errorf(footy.CodeUnavailable, op, "none of %d fixtures can be read", len(env.Response))
	}
	for i := range out {
		out[i].Events, out[i].HasEvents = nil, false // day lists have none
	}
	return out, nil
}

// ByIDs implements feed.Feed.
func (f *Feed) ByIDs(ctx context.Context, ids []int64) (feed.Answer, error) {
	if len(ids) == 0 {
		return feed.Answer{}, nil
	}
	if len(ids) > feed.MaxIDs {
		return feed.Answer{}, footy.Errorf(footy.CodeInvalid, "ask about fixtures", "%d ids asked, %d allowed", len(ids), feed.MaxIDs)
	}
	if !f.refusesIDs() {
		words := make([]string, len(ids))
		for i, id := range ids {
			words[i] = strconv.FormatInt(id, 10)
		}
		a, err := f.ask(ctx, askAbout(len(ids)), url.Values{"ids": {strings.Join(words, "-")}}, ids)
		if footy.CodeOf(err) != footy.CodeNotInPlan {
			return a, err
		}
		f.noteSingle()
	}
	return f.oneByOne(ctx, ids)
}

func askAbout(n int) string {
	if n == 1 {
		return "ask about 1 fixture"
	}
	return fmt.Sprintf("ask about %d fixtures", n)
}

// ask makes one call about fixtures by their ids.
func (f *Feed) ask(ctx context.Context, op string, q url.Values, ids []int64) (feed.Answer, error) {
	env, at, err := f.fetchFixtures(ctx, op, q)
	if err != nil {
		return feed.Answer{}, err
	}
	all := Read(env, at, true)
	answer := feed.Answer{Failed: map[int64]string{}}
	for _, id := range ids {
		if s, why := all.polled(id); why == "" {
			answer.Snapshots = append(answer.Snapshots, s)
		} else {
			answer.Failed[id] = why
		}
	}
	return answer, nil
}

// Quota implements feed.Feed.
func (f *Feed) Quota() feed.Quota {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.quota
}

// Account implements feed.Feed. A bad key is told here, before the first match is missed.
func (f *Feed) Account(ctx context.Context) (feed.Account, error) {
	const op = "ask about the plan"
	body, at, err := f.get(ctx, op, "/status")
	if err != nil {
		return feed.Account{}, err
	}
	a, err := ReadAccount(body, at)
	f.noteSpent(err, at)
	if err != nil {
		return a, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	f.noteAccount(a, at)
	return a, nil
}

// ReadAccount reads an answer to /status.
func ReadAccount(body []byte, at time.Time) (feed.Account, error) {
	const op = "read the account"
	root, err := loose.Parse(body)
	if err == nil {
		err = complaint(root, at)
	}
	if err != nil {
		return feed.Account{}, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	said := root.Get("response")
	limit := said.Get("requests", "limit_day").Int()
	if limit <= 0 {
		return feed.Account{}, footy.Errorf(footy.CodeUnavailable, op, "the answer does not name the day's calls")
	}
	return feed.Account{Plan: said.Get("subscription", "plan").Text(), DayLimit: limit, Used: said.Get("requests", "current").Int()}, nil
}

// refusesIDs reports whether the plan refused to answer about several matches by id. That holds for the day (UTC): plans change.
func (f *Feed) refusesIDs() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.quota.Single = f.single.Format(time.DateOnly) == f.o.Now().UTC().Format(time.DateOnly)
	return f.quota.Single
}

func (f *Feed) noteSingle() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.single = f.o.Now().UTC()
	f.quota.Single, f.quota.At = true, f.single
}

// oneByOne asks as every plan allows: for all that is under way and, of the matches missing there, for the one that was asked
// longest ago by its id, which tells whether it is over. Nothing is said of the others.
func (f *Feed) oneByOne(ctx context.Context, ids []int64) (feed.Answer, error) {
	answer := feed.Answer{Failed: map[int64]string{}}
	if len(ids) > 1 {
		env, at, err := f.fetchFixtures(ctx, "list what is under way", url.Values{"live": {"all"}})
		if err != nil {
			return feed.Answer{}, err
		}
		listed := Read(env, at, true)
		for _, id := range ids {
			if s, why := listed.polled(id); why == "" {
				answer.Snapshots = append(answer.Snapshots, s)
			}
		}
	}
	missing := slices.DeleteFunc(slices.Clone(ids), answer.Has)
	if len(missing) == 0 {
		return answer, nil
	}
	id := f.nextAsked(missing)
	one, err := f.ask(ctx, "ask about a fixture", url.Values{"id": {strconv.FormatInt(id, 10)}}, []int64{id})
	switch {
	case err != nil && len(ids) == 1:
		return feed.Answer{}, err
	case footy.CodeOf(err) == footy.CodeRateLimited: // it is asked another time
	case err != nil:
		answer.Failed[id] = footy.UserMessage(err)
	case len(one.Snapshots) > 0:
		answer.Snapshots = append(answer.Snapshots, one.Snapshots[0])
	default:
		answer.Failed[id] = one.Failed[id]
	}
	return answer, nil
}

// nextAsked is the match that was asked for longest ago.
func (f *Feed) nextAsked(ids []int64) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := slices.MinFunc(ids, func(a, b int64) int { return f.asked[a].Compare(f.asked[b]) })
	f.asked[id] = f.o.Now()
	return id
}

var _ feed.Finder = (*Feed)(nil)

// minSearch is the fewest characters the vendor searches for.
const minSearch = 3

// Find implements feed.Finder.
func (f *Feed) Find(ctx context.Context, what feed.What, name string) ([]feed.Found, error) {
	op := fmt.Sprintf("find %ss named %s", what, name)
	search := searchable(name)
	if len(search) < minSearch {
		return nil, footy.Wrap(footy.CodeInvalid, op, feed.ErrShortName)
	}
	return f.lookUp(ctx, op, what, url.Values{"search": {search}})
}

// ByID implements feed.Finder.
func (f *Feed) ByID(ctx context.Context, what feed.What, id int64) (feed.Found, error) {
	found, err := f.lookUp(ctx, fmt.Sprintf("look up %s %d", what, id), what, url.Values{"id": {strconv.FormatInt(id, 10)}})
	if err != nil {
		return feed.Found{}, err
	}
	for _, one := range found {
		if one.ID == id {
			return one, nil
		}
	}
	return feed.Found{}, footy.Errorf(footy.CodeNotFound, "", "no %s %d is known to the feed", what, id)
}

func (f *Feed) lookUp(ctx context.Context, op string, what feed.What, q url.Values) (found []feed.Found, err error) {
	body, at, err := f.get(ctx, op, "/"+string(what)+"s?"+q.Encode())
	if err != nil {
		return nil, err
	}
	root, err := loose.Parse(body)
	if err == nil {
		err = complaint(root, at)
	}
	if err != nil {
		f.noteSpent(err, at)
		return nil, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	response := root.Get("response")
	entries, known := list(response)
	if !known && !(response.IsArray() || response.IsObject() && response.Empty()) {
		return nil, footy.Errorf(footy.CodeUnavailable, op, "the envelope holds no response list")
	}
	for _, r := range entries {
		if is := r.Get(string(what)); is.Get("id").ID() > 0 {
			found = append(found, feed.Found{ID: is.Get("id").ID(), Name: is.Get("name").Text(), Logo: is.Get("logo").Text(),
				Country: is.Get("country").Or(r.Get("country", "name")).Text()}) // a team's own; a league's stands beside it
		}
	}
	return found, nil
}

// searchable is the longest stretch of a name that the vendor takes: ASCII letters, digits and spaces. Its search minds no accents.
func searchable(name string) string {
	best := ""
	for _, part := range strings.FieldsFunc(unidecode.Unidecode(name), func(c rune) bool {
		return c != ' ' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}) {
		if part = strings.TrimSpace(part); len(part) > len(best) {
			best = part
		}
	}
	return best
}
