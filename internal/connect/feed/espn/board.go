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

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
)

// address is a league's board of one day (20261123) or month (202611).
type address struct{ league, day string }

func (a address) compare(b address) int {
	return cmp.Or(strings.Compare(a.league, b.league), strings.Compare(a.day, b.day))
}

func dayOf(t time.Time) string { return t.UTC().Format("20060102") }

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
	longest  = 4 * time.Hour    // after kickoff, one that has not begun was put off
	after    = 30 * time.Minute // in which goals are corrected and their last clips found
	kept     = 4 * 24 * time.Hour
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
		case s.Match.Status.Terminal() || !s.Match.Status.InPlay() && now.After(s.Match.Kickoff.Add(longest/scale)):
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
	op := "ask ESPN for " + at.league + " of " + at.day
	ctx, cancel := context.WithTimeout(ctx, f.o.Timeout)
	defer cancel()
	base := f.o.BaseURL
	if !strings.Contains(base, "/apis/") {
		base += "/apis/site/v2/sports/soccer"
	}
	q := url.Values{"dates": {at.day}, "limit": {"200"}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/"+url.PathEscape(at.league)+"/scoreboard?"+q.Encode(), nil)
	if err != nil {
		return Scoreboard{}, footy.Wrap(footy.CodeInvalid, op, err)
	}
	req.Header.Set("Accept", "application/json")
	if b.etag != "" {
		req.Header.Set("If-None-Match", b.etag)
	}
	resp, err := f.client.Do(req) //nolint:bodyclose // httpx.Drain closes it
	if err != nil {
		return Scoreboard{}, httpx.Fault(op, network.InWords(err))
	}
	defer httpx.Drain(resp)
	now := f.o.Now().UTC()
	if resp.StatusCode == http.StatusNotModified && b.etag != "" {
		return b.said.answered(now), nil
	}
	if err := refused(op, resp, now); err != nil {
		return Scoreboard{}, err
	}
	body, err := httpx.ReadBody(resp, maxBody)
	if err != nil {
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
		ours := league.ours()
		ours.Season, ours.Round, ours.Logo = s.League.Season, s.League.Round, s.League.Logo
		s.League = ours
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

// refused translates a status that is no answer.
func refused(op string, resp *http.Response, now time.Time) error {
	e := footy.Errorf(footy.CodeUnavailable, op, "ESPN answers with HTTP %d", resp.StatusCode)
	switch resp.StatusCode {
	case http.StatusOK:
		return nil
	case http.StatusTooManyRequests:
		e.Code, e.RetryAfter = footy.CodeRateLimited, cmp.Or(httpx.RetryAfter(resp.Header, now), time.Minute)
	case http.StatusUnauthorized, http.StatusForbidden:
		e.Code = footy.CodeAuthRequired
	case http.StatusBadRequest, http.StatusNotFound:
		e.Code = footy.CodeNotFound
	}
	return e
}
