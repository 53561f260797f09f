package espn

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
)

// DefaultURL is ESPN's own address.
const DefaultURL = "https://site.api.espn.com"

// Options say where the scoreboard is and what of it is looked at.
type Options struct {
	BaseURL string                                  // "" = DefaultURL
	Agent   string                                  // what requests say of who asks; "" = what the client says
	Leagues func(context.Context) ([]string, error) // ESPN's words for the leagues that are followed
	Timeout time.Duration                           // of one call; 0 = 8 s
	Scale   int                                     // divides how long a board is not asked for again; 0 = 1
	Now     func() time.Time                        // nil = time.Now
}

// Feed implements feed.Feed. It asks for a league's matches of a day at once and keeps the answers: many matches share one. A board is asked
// for again after 15 s while a match of it is under way, and after an hour else.
type Feed struct {
	o      Options
	client *http.Client

	mu     sync.Mutex
	boards map[address]*board
	where  map[int64]address // of matches that were seen
}

var _ feed.Feed = (*Feed)(nil)

// New makes a feed over a client of httpx.
func New(o Options, client *http.Client) *Feed {
	o.BaseURL = cmp.Or(o.BaseURL, DefaultURL)
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	o.Timeout = cmp.Or(max(o.Timeout, 0), 8*time.Second)
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Scale = max(o.Scale, 1)
	return &Feed{o: o, client: client, boards: map[address]*board{}, where: map[int64]address{}}
}

// Day implements feed.Feed. A board's day may be that of New York, so the board before may hold matches of this date, too.
func (f *Feed) Day(ctx context.Context, date time.Time) ([]footy.Snapshot, error) {
	day := date.UTC().Truncate(24 * time.Hour)
	boards, err := f.followed(ctx, true, "list fixtures of "+day.Format(time.DateOnly), day.AddDate(0, 0, -1), day)
	if err != nil {
		return nil, err
	}
	var out []footy.Snapshot
	for _, s := range boards.Snapshots {
		if s.Match.Kickoff.Truncate(24 * time.Hour).Equal(day) {
			s.Events, s.HasEvents = nil, false // day lists have none
			out = append(out, s)
		}
	}
	return out, nil
}

// silent is why a match without a list of events is not believed.
const silent = "the answer has no list of goals and cards for it"

// followed are the boards of all leagues that are followed. Where the whole is asked for, one that fails is an error, since its matches would be
// missing; one that ESPN does not have now, as a tournament between its seasons, has no matches.
func (f *Feed) followed(ctx context.Context, whole bool, op string, days ...time.Time) (Scoreboard, error) {
	words, err := f.o.Leagues(ctx)
	if err != nil {
		return Scoreboard{}, footy.Wrap(footy.CodeOf(err), op, err)
	}
	var at []address
	for _, w := range words {
		for _, d := range days {
			at = append(at, address{w, dayOf(d)})
		}
	}
	boards, failed := f.lookAt(ctx, at)
	all := Scoreboard{Failed: map[int64]string{}}
	for _, a := range at {
		all.Snapshots = append(all.Snapshots, boards[a].Snapshots...)
		maps.Copy(all.Failed, boards[a].Failed)
	}
	for _, err := range values(failed) {
		if whole && !footy.IsNotFound(err) || len(boards) == 0 {
			return Scoreboard{}, footy.Wrap(footy.CodeOf(err), op, err)
		}
	}
	return all, nil
}

// ByIDs implements feed.Feed: each board that holds one of them is asked for once. A league that does not answer fails its own matches.
func (f *Feed) ByIDs(ctx context.Context, ids []int64) (feed.Answer, error) {
	const op = "ask about fixtures"
	if len(ids) == 0 {
		return feed.Answer{}, nil
	}
	if len(ids) > feed.MaxIDs {
		return feed.Answer{}, footy.Errorf(footy.CodeInvalid, op, "%d ids asked, %d allowed", len(ids), feed.MaxIDs)
	}
	if err := f.find(ctx, op, ids); err != nil {
		return feed.Answer{}, err
	}
	at := map[int64]address{}
	f.mu.Lock()
	for _, id := range ids {
		if a, ok := f.where[id]; ok {
			at[id] = a
		}
	}
	f.mu.Unlock()
	boards, failed := f.lookAt(ctx, slices.Collect(maps.Values(at)))
	if len(failed) > 0 && len(boards) == 0 {
		err := values(failed)[0]
		return feed.Answer{}, footy.Wrap(footy.CodeOf(err), op, err)
	}
	f.moved(ctx, ids, at, boards, failed)
	answer := feed.Answer{Failed: map[int64]string{}}
	for _, id := range ids {
		b := boards[at[id]]
		i := slices.IndexFunc(b.Snapshots, func(s footy.Snapshot) bool { return s.Match.ID == id })
		switch {
		case failed[at[id]] != nil:
			answer.Failed[id] = footy.UserMessage(failed[at[id]])
		case i >= 0 && (b.Snapshots[i].HasEvents || b.Snapshots[i].Match.Status.Terminal()): // awarded matches have no list, and are over
			answer.Snapshots = append(answer.Snapshots, b.Snapshots[i])
		case i >= 0:
			answer.Failed[id] = silent
		case b.Failed[id] != "":
			answer.Failed[id] = b.Failed[id]
		default:
			answer.Failed[id] = feed.Absent
		}
	}
	return answer, nil
}

// moved looks for matches that have left their day's board: a match that was put off gets another date, and its board with it.
func (f *Feed) moved(ctx context.Context, ids []int64, at map[int64]address, boards map[address]Scoreboard, failed map[address]error) {
	now := f.o.Now().UTC()
	first := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	for _, id := range ids {
		a, known := at[id]
		if !known || failed[a] != nil || boards[a].has(id) {
			continue
		}
		for _, month := range []time.Time{first, first.AddDate(0, 1, 0)} {
			to := address{a.league, month.Format("200601")}
			if said, err := f.look(ctx, to.league, to.day); err != nil {
				failed[to] = err
				at[id] = to
			} else if said.has(id) {
				boards[to], at[id] = said, to
				break
			}
		}
	}
}

// find looks for matches that were not seen since the start: on the boards of today and tomorrow, and then on one day's after the other for as
// long as a match may rest. A board's day is that of New York.
func (f *Feed) find(ctx context.Context, op string, ids []int64) error {
	now := f.o.Now().UTC()
	days := []time.Time{now, now.AddDate(0, 0, 1)}
	for back := now; f.unseen(ids) && back.After(now.Add(-kept)); days = []time.Time{back} {
		if _, err := f.followed(ctx, false, op, days...); err != nil {
			return err
		}
		back = back.AddDate(0, 0, -1)
	}
	return nil
}

func (f *Feed) unseen(ids []int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(ids, func(id int64) bool { _, ok := f.where[id]; return !ok })
}

// Account implements feed.Feed: there is no plan. Whether ESPN answers at all is asked.
func (f *Feed) Account(ctx context.Context) (feed.Account, error) {
	words, err := f.o.Leagues(ctx)
	if err == nil && len(words) > 0 {
		_, err = f.look(ctx, words[0], dayOf(f.o.Now()))
	}
	if err != nil {
		return feed.Account{}, err
	}
	return feed.Account{Plan: "ESPN's public scoreboard"}, nil
}

// Quota implements feed.Feed: nobody counts.
func (f *Feed) Quota() feed.Quota { return feed.UnknownQuota() }

const (
	together = 4 // boards that are asked for at once
	patient  = 4 // boards that may fail while none answers; then the rest is not asked for
)

// lookAt looks at boards; each address is in one of the two answers.
func (f *Feed) lookAt(ctx context.Context, at []address) (map[address]Scoreboard, map[address]error) {
	boards, failed := map[address]Scoreboard{}, map[address]error{}
	var mu sync.Mutex
	var down error // ESPN as a whole
	var g errgroup.Group
	g.SetLimit(together)
	for _, a := range slices.Compact(slices.SortedFunc(slices.Values(at), address.compare)) {
		g.Go(func() error {
			mu.Lock()
			err := down
			mu.Unlock()
			var s Scoreboard
			if err == nil {
				s, err = f.look(ctx, a.league, a.day)
			}
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				boards[a] = s
				return nil
			}
			failed[a] = err
			if len(boards) == 0 && len(failed) >= patient && !footy.IsNotFound(err) {
				down = err
			}
			return nil
		})
	}
	_ = g.Wait() // each error is in failed
	return boards, failed
}

func values(failed map[address]error) []error {
	var out []error
	for _, a := range slices.SortedFunc(maps.Keys(failed), address.compare) {
		out = append(out, failed[a])
	}
	return out
}

// address is a league's board of one day (20261123) or month (202611).
type address struct{ league, day string }

// String is for people: "Premier League of 26 November 2026".
func (a address) String() string {
	day, err := time.Parse(dayForm, a.day)
	if err != nil {
		return a.league + " of " + a.day
	}
	return byWord(a.league).Name + " of " + day.Format("2 January 2006")
}

func (a address) compare(b address) int {
	return cmp.Or(strings.Compare(a.league, b.league), strings.Compare(a.day, b.day))
}

const dayForm = "20060102"

func dayOf(t time.Time) string { return t.UTC().Format(dayForm) }

// board is what a league's address last answered.
type board struct {
	mu    sync.Mutex // one call at a time
	said  Scoreboard
	etag  string
	asked time.Time // zero: never
	until time.Time // it is not asked for before
	live  time.Time // when something of it was last under way
	none  error     // there is no such board; as long as until
}

const (
	livePace = 10 * time.Second // less than between two looks of one match: an answer that was there before is no vote
	idlePace = time.Hour
	early    = 5 * time.Minute  // before kickoff; clubs begin early, too
	longest  = 4 * time.Hour    // after kickoff, one that has not begun or is not played was put off
	after    = 30 * time.Minute // in which goals are corrected and their last clips found
	restPace = 10 * time.Minute // of a match that rests or is late: the monitor asks no more often
	kept     = 8 * 24 * time.Hour
	maxBody  = 32 << 20 // a month of a league is 2 MB
)

// look returns a board, asked for now or a short while ago.
func (f *Feed) look(ctx context.Context, league, day string) (Scoreboard, error) {
	at := address{league, day}
	f.mu.Lock()
	b := f.boards[at]
	if b == nil {
		b = &board{}
		f.boards[at] = b
	}
	f.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	now := f.o.Now().UTC()
	if !b.asked.IsZero() && now.Before(b.until) {
		return b.said, b.none
	}
	said, err := f.ask(ctx, at, b)
	if footy.IsNotFound(err) {
		b.said, b.none, b.asked, b.until = Scoreboard{}, err, now, now.Add(idlePace/time.Duration(f.o.Scale))
	}
	if err != nil {
		return Scoreboard{}, err
	}
	b.said, b.none, b.asked = said, nil, now
	b.until = now.Add(b.pace(now, time.Duration(f.o.Scale)))
	if len(day) == len("20060102") {
		f.remember(at, said, now)
	}
	return said, nil
}

// remember notes which matches the board has, and forgets boards of long ago.
func (f *Feed) remember(at address, said Scoreboard, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range said.Snapshots {
		f.where[s.Match.ID] = at
	}
	for id := range said.Failed {
		f.where[id] = at
	}
	old := dayOf(now.Add(-kept))
	maps.DeleteFunc(f.boards, func(a address, _ *board) bool { return len(a.day) == len(old) && a.day < old })
	maps.DeleteFunc(f.where, func(_ int64, a address) bool { return a.day < old })
}

// pace is how long what the board said holds: until something of it begins; shortly while something is under way, was a short while ago, or
// cannot be read.
func (b *board) pace(now time.Time, scale time.Duration) time.Duration {
	out := idlePace / scale
	for _, s := range b.said.Snapshots {
		begins := s.Match.Kickoff.Add(-early / scale)
		switch {
		case s.Match.Status.Terminal():
		case (s.Match.Status.Rests() || s.Match.Status.Pre()) && now.After(s.Match.Kickoff.Add(longest/scale)):
			out = min(out, restPace/scale)
		case now.Before(begins):
			out = min(out, begins.Sub(now))
		default:
			b.live = now
		}
	}
	if now.Sub(b.live) < after/scale || len(b.said.Failed) > 0 {
		return livePace / scale
	}
	return out
}

// ask makes one call. A board that did not change is the same answer given anew.
func (f *Feed) ask(ctx context.Context, at address, b *board) (Scoreboard, error) {
	op := "ask ESPN for " + at.String()
	base := f.o.BaseURL
	if !strings.Contains(base, "/apis/") {
		base += "/apis/site/v2/sports/soccer"
	}
	q := url.Values{"dates": {at.day}, "limit": {"200"}}
	call := httpx.Call{Address: base + "/" + url.PathEscape(at.league) + "/scoreboard?" + q.Encode(), Within: f.o.Timeout, Most: maxBody,
		Header: map[string]string{"Accept": "application/json", "User-Agent": f.o.Agent, "If-None-Match": b.etag}}
	resp, body, err := call.Do(ctx, f.client) //nolint:bodyclose // it closes it
	if resp == nil {
		return Scoreboard{}, httpx.Fault(op, err)
	}
	now := f.o.Now().UTC()
	switch {
	case resp.StatusCode == http.StatusNotModified && b.etag != "":
		return b.said.answered(now), nil
	case resp.StatusCode == http.StatusBadRequest, resp.StatusCode == http.StatusNotFound:
		return Scoreboard{}, footy.Errorf(footy.CodeNotFound, op, "ESPN answers with HTTP %d", resp.StatusCode)
	case resp.StatusCode == http.StatusForbidden: // its edge has refused user agents since August 2026
		return Scoreboard{}, footy.Errorf(footy.CodeAuthRequired, op, "ESPN refuses the user agent %q, or this machine (HTTP 403)", f.o.Agent)
	case resp.StatusCode != http.StatusOK:
		return Scoreboard{}, httpx.Refused(op, "ESPN", resp, now)
	case err != nil:
		return Scoreboard{}, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	said, err := Read(body, now)
	if err != nil {
		return Scoreboard{}, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	b.etag = resp.Header.Get("ETag")
	league := byWord(at.league)
	for i := range said.Snapshots {
		s := &said.Snapshots[i]
		s.League = league.of(*s)
		if s.Said, err = withLeague(s.Said, at.league); err != nil {
			return Scoreboard{}, err
		}
	}
	return said, nil
}

func (s Scoreboard) has(id int64) bool {
	return s.Failed[id] != "" || slices.ContainsFunc(s.Snapshots, func(m footy.Snapshot) bool { return m.Match.ID == id })
}

func (s Scoreboard) answered(now time.Time) Scoreboard {
	out := Scoreboard{Snapshots: append([]footy.Snapshot{}, s.Snapshots...), Failed: s.Failed}
	for i := range out.Snapshots {
		out.Snapshots[i].Answered = now
	}
	return out
}
