// Package reddit finds goal posts on Reddit: one to three lists a minute of the newest posts serve the goals of all matches. They come through
// the official API, with an app of the person's own, or by RSS (Way). Which goal a post names is decided by its title (recognize/title).
package reddit

import (
	"cmp"
	"context"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/title"
)

// Name of the source in settings and logs.
const Name = "reddit"

const opList = "list posts of Reddit"

// Options of the client.
type Options struct {
	ClientID   string // of the app; it names no person
	Secret     string
	FeedUser   string // whose RSS it is
	FeedToken  string // of that person's RSS addresses
	Subreddits []string
	URL        string        // where tokens are given, and RSS
	APIURL     string        // where everything else is asked
	VideoURL   string        // where Reddit's own videos lie
	ArchiveURL string        // where the public list is asked for while Reddit refuses it; "" = nowhere
	Version    string        // of the program, for the user agent
	Every      time.Duration // a minute, in which there is a list of the newest posts, or several (Way)
	Timeout    time.Duration // of one call
	Table      hosts.Table   // of the hosts of clips
	Ledger     hosts.Ledger  // how fetches from them went; nil = nobody keeps that
	HostsURL   string        // that is asked in place of them all; "" = they are
	Private    bool          // also where they lie at private addresses
	AddSound   AddSound      // nil = videos of Reddit's own stay silent
	TempDir    func() string // where files lie on their way, asked for each; nil or "" = the system's
	Now        func() time.Time
}

// temp makes a directory for files on their way.
func (o Options) temp(pattern string) (string, error) {
	in := ""
	if o.TempDir != nil {
		in = o.TempDir()
	}
	return os.MkdirTemp(in, pattern)
}

// Source is the client. It keeps the posts of the last hours, so that all goals share one list.
type Source struct {
	opts   Options
	client *http.Client

	token   token
	budget  budget
	archive *archive // nil = there is no second door

	mu       sync.Mutex // held over a list, so that nobody asks for it twice
	posts    map[string]post
	listedAt time.Time
	listed   source.Result // how the last list ended
	failed   error         // the same, where there was no answer; by RSS alone
	refusals int           // lists in a row that failed
	oldest   time.Time     // posts since then are known
	canary   *source.Canary
}

var (
	_ source.Source = (*Source)(nil)
	_ source.Prober = (*Source)(nil)
)

// New makes a client; zero options take their defaults.
func New(opts Options, client *http.Client) *Source {
	opts.URL = strings.TrimRight(cmp.Or(opts.URL, "https://www.reddit.com"), "/")
	opts.APIURL = strings.TrimRight(cmp.Or(opts.APIURL, "https://oauth.reddit.com"), "/")
	opts.VideoURL = strings.TrimRight(cmp.Or(opts.VideoURL, "https://v.redd.it"), "/")
	opts.Every, opts.Timeout = cmp.Or(opts.Every, time.Minute), cmp.Or(opts.Timeout, 15*time.Second)
	if len(opts.Subreddits) == 0 {
		opts.Subreddits = []string{"soccer"}
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	s := &Source{opts: opts, client: client, posts: map[string]post{}, budget: budget{limit: opts.pace().calls, lists: opts.pace().lists}}
	if opts.Way() != ByApp {
		s.budget.in, s.client = opts.Every, staying(client)
	}
	s.archive = newArchive(opts)
	return s
}

// Name is the source's name.
func (s *Source) Name() string { return Name }

// Search gives the posts whose title names the goal of the query, and the links below its posts where those are asked for; without a goal,
// every post with a video.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Result, error) {
	res, err := s.search(ctx, q)
	if q.Comments == nil || q.Goal == nil || ctx.Err() != nil {
		return res, err
	}
	found, read := s.mirrors(ctx, q)
	if len(found) > 0 {
		res.State, res.Candidates, err = source.StateResults, append(res.Candidates, found...), nil
	}
	res.Comments = read
	return res, err
}

// search is Search of posts alone.
func (s *Source) search(ctx context.Context, q source.Query) (source.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return source.Result{}, footy.Wrap(footy.CodeUnavailable, opList, err)
	}
	err := s.relist(ctx, q.Since)
	if ctx.Err() != nil {
		return source.Result{}, err
	}
	now := s.opts.Now()
	out := s.state(now)
	if s.archive.open() {
		second := s.archive.state(now)
		if second.State.Usable() {
			out, err = second, nil
		} else { // the reason stays that of Reddit, which a person can end
			out.Detail += "; " + second.Detail
			out.RetryAfter = min(cmp.Or(out.RetryAfter, second.RetryAfter), second.RetryAfter)
		}
	}
	if found := s.choose(q); len(found) > 0 { // also in a pause: what was listed before it is known
		next := out.RetryAfter
		if !out.State.Usable() {
			next = 0
		}
		return source.Result{State: source.StateResults, Candidates: found, RetryAfter: next}, nil
	}
	if err != nil {
		return source.Result{}, err
	}
	return out, nil
}

// state is what Reddit's own list is worth now, and when there may be another.
func (s *Source) state(now time.Time) source.Result {
	out, passed := s.listed, now.Sub(s.listedAt)
	switch {
	case out.State.Usable():
		out.State, out.RetryAfter = source.StateEmpty, max(s.every()-passed, 0)
	case out.RetryAfter > 0:
		out.RetryAfter = max(out.RetryAfter-passed, time.Second)
	}
	return out
}

// relist asks for the newest posts where that is due, and notes how it went; while Reddit refuses, the archive is asked as well.
func (s *Source) relist(ctx context.Context, since time.Time) error {
	err := s.relistReddit(ctx, since)
	if ctx.Err() == nil {
		s.archive.relist(ctx, s, since)
	}
	if ctx.Err() != nil { // a caller that gave up says nothing of either
		return footy.Wrap(footy.CodeUnavailable, opList, ctx.Err())
	}
	return err
}

func (s *Source) relistReddit(ctx context.Context, since time.Time) error {
	now := s.opts.Now()
	if !s.due(now) {
		return s.failed
	}
	res, err := s.refresh(ctx, since)
	if ctx.Err() != nil {
		return err
	}
	if s.opts.Way() == ByApp {
		if err == nil {
			s.listed, s.listedAt = res, now
		}
		return err
	}
	s.listed, s.failed, s.listedAt = s.paused(res, err), err, now
	s.archive.note(s.listed, now)
	return err
}

func (s *Source) due(now time.Time) bool {
	return s.listedAt.IsZero() || !s.listed.State.Usable() && s.listed.RetryAfter == 0 || now.Sub(s.listedAt) >= max(s.every(), s.listed.RetryAfter)
}

// refresh asks for the newest posts, page by page until what is known or the time since is reached.
func (s *Source) refresh(ctx context.Context, since time.Time) (source.Result, error) {
	now := s.opts.Now()
	after := ""
	pace := s.opts.pace()
	for range pace.pages {
		if s.budget.left(now) <= pace.reserve {
			return source.Result{State: source.StateRateLimited, RetryAfter: s.budget.wait(now), Detail: "Reddit's calls of these minutes are nearly spent"}, nil
		}
		page, res, err := s.list(ctx, after)
		if err != nil || !res.State.Usable() {
			return res, err
		}
		known := false
		for _, p := range page.posts {
			before, was := s.posts[p.id]
			known = known || was && !p.at.Before(s.oldest)
			if p.seen = now; was {
				p.seen = before.seen
			}
			s.posts[p.id] = p
		}
		if last := len(page.posts) - 1; last >= 0 && !known && (s.oldest.IsZero() || page.posts[last].at.After(s.oldest)) {
			s.oldest = page.posts[last].at
		}
		if after = page.after; after == "" || known || since.IsZero() || len(page.posts) > 0 && page.posts[len(page.posts)-1].at.Before(since) {
			break
		}
	}
	for id, p := range s.posts {
		if now.Sub(p.seen) > keep {
			delete(s.posts, id)
		}
	}
	return source.Result{State: source.StateEmpty}, nil
}

// keep is how long posts are remembered: a round of searches is over before, waiting included.
const keep = 8 * time.Hour

// choose are the posts of a query, newest first; of those that show one clip the oldest.
func (s *Source) choose(q source.Query) []footy.Candidate {
	var fit []post
	for _, p := range s.posts {
		if p.at.Before(q.Since.Truncate(time.Second)) || !p.hasVideo() {
			continue
		}
		if q.Goal != nil {
			a := q.Goal.Names(title.Parse(p.title), p.at)
			if !a.OK() {
				continue
			}
			p.evidence = a.Evidence("Reddit")
		}
		fit = append(fit, p)
	}
	slices.SortFunc(fit, func(a, b post) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(b.id, a.id)) })
	var out []footy.Candidate
	shown := map[string]bool{}
	for _, p := range fit {
		clip := s.shows(p)
		if !shown[clip] && !slices.Contains(q.Exclude, p.id) && !slices.Contains(q.Exclude, p.url) {
			out = append(out, p.candidate())
		}
		shown[clip] = true
	}
	slices.Reverse(out)
	if q.Max > 0 && len(out) > q.Max {
		out = out[:q.Max]
	}
	return out
}

// Health tells whether Reddit lets us list its posts; it asks only where nobody has asked yet, or where a pause is over.
func (s *Source) Health(ctx context.Context) (source.Health, error) {
	h := source.Health{Login: source.LoginNoneNeeded, BudgetLimit: s.budget.limit, By: string(s.opts.Way()), Account: s.opts.FeedUser}
	now := s.opts.Now()
	var res source.Result
	var err error
	if s.opts.Way() == ByApp {
		_, res, err = s.token.get(ctx, s)
	} else {
		res, err = s.tried(ctx, now)
		s.mu.Lock()
		h.Door = s.archive.health()
		s.mu.Unlock()
		if h.Door != nil && h.Door.Fault == "" {
			h.Ready = true
			return h, nil
		}
	}
	h.BudgetLeft, h.BudgetResets = s.budget.left(now), now.Add(s.budget.wait(now))
	switch {
	case err != nil:
		return h, err
	case res.State != "":
		h.Detail, h.Status = res.Detail, res.Status
		return h, nil
	}
	h.Ready = true
	if s.mu.TryLock() { // a list under way says more in a moment
		defer s.mu.Unlock()
		h.Canary = s.canary
		if !s.listedAt.IsZero() && !s.listed.State.Usable() {
			h.Ready, h.Detail, h.Status = false, s.listed.Detail, s.listed.Status
		}
	}
	return h, nil
}

// Canary looks whether Reddit's lists still have the shape that is known.
func (s *Source) Canary(ctx context.Context) (source.Canary, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var res source.Result
	var err error
	if s.opts.Way() == ByApp {
		_, res, err = s.list(ctx, "")
	} else {
		err = s.relist(ctx, time.Time{}) // no more often than for searches
		res = s.listed
	}
	if err != nil {
		return source.Canary{}, err
	}
	if s.canary == nil || !res.State.Usable() && !s.canary.Drift {
		return source.Canary{At: s.opts.Now().UTC(), Detail: res.Detail}, nil
	}
	return *s.canary, nil
}
