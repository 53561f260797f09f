package reddit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/network/loose"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

// archive is the second door to the public list: a copy of it that volunteers keep. It is asked only while Reddit refuses (open). A post is
// written there once, soon after it was made: what was deleted or edited since shows only on Reddit.
type archive struct {
	url     string
	client  *http.Client
	minute  time.Duration // of the clock that the posts have
	timeout time.Duration
	now     func() time.Time

	mu       sync.Mutex // held over what follows, not over a call
	next     time.Time  // there is no call before
	refusals int        // in a row
	why      string     // the last refusal; "" = it answered since

	door // under the lock of the source
}

// door is what the archive's lists came to since Reddit refuses.
type door struct {
	since  time.Time // zero = Reddit answers
	cause  string
	lists  []*archived
	asked  time.Time // the last list
	failed source.Result
}

// archived is how far the list of one subreddit is known.
type archived struct {
	subreddit string
	from      time.Time // posts since then are wanted,
	next      time.Time // and those since then are still to be listed; zero = all are
	newest    time.Time // post that was listed
	asked     time.Time
}

// The archive's pace, in parts of a minute, and how old its newest post may be, in minutes: a busy subreddit has a post every minute or two.
const (
	archiveCalls = 3
	archiveLists = 2
	archiveStale = 10
	archivePage  = 100
)

// newArchive is the archive at an address; nil without one. A person may write an address of their own network.
func newArchive(o Options) *archive {
	u, err := url.Parse(o.ArchiveURL)
	if o.ArchiveURL == "" || err != nil || o.Way() != Public {
		return nil
	}
	at, err := netip.ParseAddr(u.Hostname())
	private := o.Private || err == nil && !httpx.Public(at)
	client := httpx.New(httpx.Options{Timeout: o.Timeout, DenyPrivate: !private, OnlyHTTPS: u.Scheme == "https", UserAgent: httpx.Agent(o.Version)})
	return &archive{url: strings.TrimRight(o.ArchiveURL, "/"), client: staying(client), minute: o.Every, timeout: o.Timeout, now: o.Now}
}

// get asks the archive for the rows below a path. It makes one call in twenty seconds altogether, and fewer after a refusal; a state that is
// not empty says why there are no rows, and when to ask again.
func (a *archive) get(ctx context.Context, op, path string, params url.Values) (rows []loose.Value, res source.Result) {
	if wait, why := a.take(); wait > 0 {
		return nil, source.Result{State: source.StateRateLimited, RetryAfter: wait, Detail: why}
	}
	resp, raw, err := httpx.Call{Address: a.url + path + "?" + params.Encode(), Within: a.timeout, Most: answerLimit}.Do(ctx, a.client) //nolint:bodyclose // it closes it
	var header http.Header
	switch {
	case errors.Is(ctx.Err(), context.Canceled): // a caller that gave up says nothing of the archive
		return nil, source.Result{State: source.StateTimeout, Detail: "nobody waited for the archive"}
	case httpx.Timeout(err):
		res = source.Result{State: source.StateTimeout, Detail: "the archive does not answer within " + a.timeout.String()}
	case err != nil:
		res = source.Result{State: source.StateUpstreamError, Detail: "the archive does not answer: " + footy.UserMessage(httpx.Fault(op, err))}
	default:
		header = resp.Header
		rows, res = readRows(resp.StatusCode, raw)
	}
	a.heed(header, &res)
	return rows, res
}

// readRows reads an answer. Also one that comes with 200 may be a refusal.
func readRows(code int, raw []byte) (rows []loose.Value, res source.Result) {
	answer, err := loose.Parse(raw)
	says := ""
	if e := answer.Get("error"); e.Present() && e.Type != gjson.False && e.String() != "" {
		says = fmt.Sprintf(": %.120q", e.String())
	}
	res = source.Result{State: source.StateUpstreamError, Status: code, Detail: fmt.Sprintf("the archive answers HTTP %d%s", code, says)}
	switch {
	case code == http.StatusTooManyRequests || strings.Contains(strings.ToLower(says), "slow down"):
		res.State = source.StateRateLimited
	case code >= 300 && code < 400:
		res.Detail = fmt.Sprintf("the archive leads elsewhere (HTTP %d)", code)
	case code != http.StatusOK || says != "":
	case err != nil || !answer.Get("data").IsArray():
		res.Detail = "what the archive answers is no list"
	default:
		return answer.Get("data").List(), source.Result{}
	}
	return nil, res
}

// take takes the next call, or says how long there is none.
func (a *archive) take() (time.Duration, string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	if wait := a.next.Sub(now); wait > 0 {
		return wait, cmp.Or(a.why, "the archive is asked once in twenty seconds")
	}
	a.next = now.Add(a.minute / archiveCalls)
	return 0, ""
}

// longestHeed bounds a pause that the archive asks for: a header may be wrong.
const longestHeed = time.Hour

// heed makes the next call wait as an answer asks: after a refusal twice as long each time in a row, and after an outage a minute.
func (a *archive) heed(h http.Header, res *source.Result) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	var pause time.Duration
	switch {
	case res.State == "":
		a.refusals = 0
		if h.Get("X-Ratelimit-Remaining") == "0" {
			pause = resets(h, now)
		}
	case res.State == source.StateRateLimited || res.Status >= 400 && res.Status < 500:
		pause = max(a.minute<<min(a.refusals, 3), resets(h, now), httpx.RetryAfter(h, now))
		a.refusals++
	default:
		pause = max(a.minute, httpx.RetryAfter(h, now))
	}
	a.why = res.Detail
	if until := now.Add(min(pause, longestHeed)); until.After(a.next) {
		a.next = until
	}
	if res.State != "" {
		res.RetryAfter = a.next.Sub(now)
	}
}

// open reports whether Reddit refuses, so that the archive is asked.
func (a *archive) open() bool { return a != nil && !a.since.IsZero() }

// note takes down how Reddit's own list ended: a refusal opens the second door, a list closes it. Silence and outages leave it as it is.
func (a *archive) note(res source.Result, now time.Time) {
	switch {
	case a == nil:
	case res.State.Usable():
		a.door = door{}
	case res.Reason == footy.ReasonRedditPublic, res.Status == http.StatusUnavailableForLegalReasons:
		a.since, a.cause = cmp.Or(a.since, now), res.Detail
	}
}

// relist asks for what is new since, where that is due: one page of one subreddit.
func (a *archive) relist(ctx context.Context, s *Source, since time.Time) {
	if !a.open() {
		return
	}
	now := a.now()
	l := a.due(s.opts.Subreddits, since, now)
	if l == nil {
		return
	}
	after := cmp.Or(l.next, later(l.newest.Add(-archiveStale*a.minute), l.from))
	params := url.Values{"subreddit": {l.subreddit}, "after": {strconv.FormatInt(after.Unix(), 10)}, "sort": {"asc"}, "limit": {strconv.Itoa(archivePage)}}
	rows, res := a.get(ctx, opList, "/api/posts/search", params)
	switch {
	case ctx.Err() != nil, res.State == source.StateRateLimited && res.Status == 0 && !a.asked.IsZero(): // nothing new was said
		return
	case res.State == "" && len(rows) > 0:
		posts := s.archivedPosts(rows, now)
		if len(posts) == 0 {
			res = source.Result{State: source.StateUpstreamError, Detail: "no post in the archive's list has its name, its title and a time"}
			break
		}
		a.keep(s, l, posts, after, len(rows) >= archivePage)
	case res.State == "":
		l.next = time.Time{}
	}
	a.failed, a.asked, l.asked = res, now, now
}

// due is the subreddit whose list is asked for now; nil if none is.
func (a *archive) due(subreddits []string, since, now time.Time) *archived {
	if a.lists == nil {
		for _, name := range subreddits {
			a.lists = append(a.lists, &archived{subreddit: name})
		}
	}
	stale := now.Add(-archiveStale * a.minute) // a shorter list could be empty where nothing is wrong
	if since.IsZero() || since.After(stale) {
		since = stale
	}
	since = later(since, now.Add(-keep))
	for _, l := range a.lists {
		if l.from.IsZero() || since.Before(l.from) {
			l.from, l.next = since, since
		}
	}
	l := slices.MinFunc(a.lists, func(x, y *archived) int { // pages that are missing go first
		if x.next.IsZero() != y.next.IsZero() {
			return map[bool]int{true: 1, false: -1}[x.next.IsZero()]
		}
		return x.asked.Compare(y.asked)
	})
	if (l.next.IsZero() || a.failed.State != "") && now.Sub(a.asked) < a.minute/archiveLists {
		return nil
	}
	return l
}

// keep keeps the posts of a page. Posts of one second may lie on both sides of its end, so that the next page begins with that second again;
// a page of one second alone is left behind.
func (a *archive) keep(s *Source, l *archived, posts []post, after time.Time, full bool) {
	now := a.now()
	var last time.Time
	for _, p := range posts {
		last = later(last, p.at)
		if _, was := s.posts[p.id]; !was { // Reddit's own word is newer
			p.seen = now
			s.posts[p.id] = p
		}
	}
	l.newest, l.next = later(l.newest, last), time.Time{}
	if full {
		l.next = later(last.Truncate(time.Second).Add(-time.Second), after.Truncate(time.Second).Add(time.Second))
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// state is what the archive's list is worth now: empty if it can be relied on. An old list is no list.
func (a *archive) state(now time.Time) source.Result {
	wait := max(a.minute/archiveLists-now.Sub(a.asked), 0)
	if a.asked.IsZero() {
		return source.Result{State: source.StateNotNow, Detail: "the archive was not asked yet"}
	}
	a.mu.Lock()
	pause := max(a.next.Sub(now), 0)
	a.mu.Unlock()
	if a.failed.State != "" {
		out := a.failed
		out.RetryAfter = max(wait, pause)
		return out
	}
	if a.pending() {
		return source.Result{State: source.StateRateLimited, RetryAfter: pause, Detail: "the archive's list is still being read, a page in twenty seconds"}
	}
	newest := a.newest()
	if age := now.Sub(newest); age > archiveStale*a.minute {
		what := "the archive has no post of the last ten minutes"
		if !newest.IsZero() {
			what = "the archive's newest post is " + a.age(age) + " old"
		}
		return source.Result{State: source.StateUpstreamError, RetryAfter: max(wait, pause), Detail: what}
	}
	return source.Result{State: source.StateEmpty, RetryAfter: max(wait, pause)}
}

// pending reports whether pages are still to be read.
func (a *archive) pending() bool {
	return slices.ContainsFunc(a.lists, func(l *archived) bool { return !l.next.IsZero() })
}

func (a *archive) newest() time.Time {
	var out time.Time
	for _, l := range a.lists {
		out = later(out, l.newest)
	}
	return out
}

// age is a time in words, as the posts' clock has it.
func (a *archive) age(d time.Duration) string {
	d = time.Duration(float64(max(d, 0)) * float64(time.Minute) / float64(a.minute))
	return d.Round(time.Second).String()
}

// health is the door for Health, as the last list left it: between searches nothing is asked. nil if it is not in use.
func (a *archive) health() *source.Door {
	if !a.open() {
		return nil
	}
	d := &source.Door{URL: a.url, Since: a.since, Why: a.cause, Asked: a.asked}
	if newest := a.newest(); !newest.IsZero() {
		d.Age = a.age(a.asked.Sub(newest))
	}
	if st := a.state(a.asked); !st.State.Usable() && (a.failed.State != "" || !a.pending()) { // pages that are still to be read are no fault
		d.Fault = st.Detail
	}
	return d
}

var (
	postID = regexp.MustCompile(`^[a-z0-9]{1,20}$`)
	// escaped are the signs that Reddit escapes in what archives take.
	escaped = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">")
)

// archivedPosts are the rows that are posts. One that cannot be read is left out: the archive does not vouch for each.
func (s *Source) archivedPosts(rows []loose.Value, now time.Time) []post {
	var out []post
	for _, row := range rows {
		w := wireOf(row)
		id := strings.TrimPrefix(row.Get("id").Or(row.Get("name")).Text(), source.RedditPrefix)
		if !postID.MatchString(id) || w.title == "" || w.created == 0 {
			continue
		}
		w.name, w.title = source.RedditPrefix+id, escaped.Replace(w.title)
		for i, link := range w.links {
			w.links[i] = escaped.Replace(link)
		}
		if !strings.HasPrefix(w.permalink, "/r/") && !strings.HasPrefix(w.permalink, "/user/") {
			w.permalink = "/comments/" + id + "/"
		}
		p := s.post(w)
		if p.at.After(now.Add(archiveStale * s.opts.Every)) {
			continue
		}
		if p.at.After(now) { // clocks differ
			p.at = now
		}
		out = append(out, p)
	}
	return out
}

// inArchive is the post of that name. That the archive has none says nothing of the post.
func (s *Source) inArchive(ctx context.Context, op, id string) (post, source.Result) {
	rows, res := s.archive.get(ctx, op, "/api/posts/ids", url.Values{"ids": {id}})
	posts := s.archivedPosts(rows, s.opts.Now())
	if i := slices.IndexFunc(posts, func(p post) bool { return p.id == id }); i >= 0 {
		return posts[i], res
	}
	if res.State == "" {
		res = source.Result{State: source.StateUpstreamError, Detail: "Reddit refuses, and the archive has no such post"}
	}
	return post{}, res
}
