package lookup

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

// PageSize is the default length of a list, PageSizeMax the longest.
const (
	PageSize    = 50
	PageSizeMax = 500
)

// Cursor is the place of the last item of a page: a fixture by kickoff and id, a clip by the time it was added and a number
// made of its id.
type Cursor struct {
	At time.Time
	ID int64
}

func (c Cursor) String() string {
	if c.ID == 0 {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d.%d", c.At.UnixMicro(), c.ID))
}

// ParseCursor reads what String wrote.
func ParseCursor(raw string) (c Cursor, err error) {
	if raw == "" {
		return c, nil
	}
	body, err := base64.RawURLEncoding.DecodeString(raw)
	at, id, ok := strings.Cut(string(body), ".")
	unix, err1 := strconv.ParseInt(at, 10, 64)
	c.ID, _ = strconv.ParseInt(id, 10, 64)
	if err != nil || err1 != nil || !ok || c.ID == 0 {
		return c, footy.Errorf(footy.CodeInvalid, "read cursor", "cursor is not one that this API gave")
	}
	c.At = time.UnixMicro(unix).UTC()
	return c, nil
}

// Compare orders by time, then by id.
func (c Cursor) Compare(o Cursor) int {
	return cmp.Or(cmp.Compare(c.At.UnixMicro(), o.At.UnixMicro()), cmp.Compare(c.ID, o.ID))
}

// NewestFirst is Compare reversed.
func NewestFirst(a, b Cursor) int { return b.Compare(a) }

// Page is the part of an ordered list that comes after a cursor; next is the cursor of the following page.
func Page[T any](list []T, place func(*T) Cursor, order func(a, b Cursor) int, after Cursor, limit int) (page []T, next string) {
	page = []T{}
	var last Cursor
	for i := range list {
		at := place(&list[i])
		if after.ID != 0 && order(after, at) >= 0 {
			continue
		}
		if len(page) == limit {
			return page, last.String()
		}
		page, last = append(page, list[i]), at
	}
	return page, ""
}

// PlaceOf is a fixture's place in a list by kickoff.
func PlaceOf(f *footy.Fixture) Cursor { return Cursor{f.Match.Kickoff, f.ID} }

// Fixtures is a page of the matches of a query that fit (nil: all do), by kickoff, or newest first as q says; next is the cursor of the following
// page. The database pages: of a long list no more is read than fills the page.
func (r *Reader) Fixtures(ctx context.Context, q store.FixtureQuery, fits func(*footy.Fixture) bool, after Cursor, limit int) (page []footy.Fixture, next string, err error) {
	seen, order := after, Cursor.Compare
	if q.Newest {
		order = NewestFirst
	}
	for q.Limit = limit + 1; ; q.Limit *= 2 {
		// Matches of one kickoff are told apart by their ids here, so some that were read come again.
		switch from := seen.At.Truncate(time.Millisecond); {
		case seen.ID != 0 && q.Newest:
			q.To = from.Add(time.Millisecond)
		case seen.ID != 0 && from.After(q.From):
			q.From = from
		}
		list, err := r.Store.List(ctx, q)
		if err != nil {
			return nil, "", err
		}
		if q.Newest {
			slices.Reverse(list)
		}
		for i := range list {
			if at := PlaceOf(&list[i]); seen.ID == 0 || order(seen, at) < 0 {
				seen = at
				if fits == nil || fits(&list[i]) {
					page = append(page, list[i])
				}
			}
		}
		if len(page) > limit || len(list) < q.Limit {
			page, next = Page(page, PlaceOf, order, Cursor{}, limit)
			return page, next, nil
		}
	}
}

// Searchable reports whether a text can be searched for: punctuation alone would match everything.
func Searchable(text string) bool { return len(text) <= 200 && store.Fold(text) != "" }

// Search finds the matches in whose team, competition or scorer names every word occurs, newest first; next is
// the cursor of the following page. The database pages: a word that occurs in everything costs no more than a rare one.
func (r *Reader) Search(ctx context.Context, text string, zone *time.Location, after Cursor, limit int) (page []view.Fixture, next string, err error) {
	list, next, err := r.Fixtures(ctx, store.FixtureQuery{Text: text, Newest: true}, nil, after, limit)
	return view.FixturesOf(list, zone), next, err
}

// Matches of a team or a competition.
type Matches struct {
	Team    footy.Team      // as the newest match has it, if it was asked for
	League  footy.League    // the same
	Ahead   []footy.Fixture // the next ones, soonest first
	Past    []footy.Fixture // that began, newest first
	Earlier string          // the cursor of those before Past
}

// aheadShown is how many of the coming matches are shown.
const aheadShown = 10

// MatchesOf reads the matches of the team or the competition (one of both is 0) from a cursor on; not found where none is known.
func (r *Reader) MatchesOf(ctx context.Context, team, league int64, after Cursor) (Matches, error) {
	now, m := r.Now(), Matches{}
	q := store.FixtureQuery{Team: team, League: league}
	past, coming := q, q
	past.To, past.Newest, coming.From, coming.Limit = now, true, now, aheadShown
	var err error
	if after.ID == 0 {
		if m.Ahead, err = r.Store.List(ctx, coming); err != nil {
			return m, err
		}
	}
	if m.Past, m.Earlier, err = r.Fixtures(ctx, past, nil, after, PageSize); err != nil {
		return m, err
	}
	r.learn(m.Ahead...)
	r.learn(m.Past...)
	known := slices.Concat(m.Past, m.Ahead)
	if len(known) == 0 {
		return m, footy.Errorf(footy.CodeNotFound, "find matches", "No match of it is known here. Matches are kept for some days only.")
	}
	m.League, m.Team = known[0].League, known[0].Teams.Home
	if away := known[0].Teams.Away; away.ID == team {
		m.Team = away
	}
	return m, nil
}
