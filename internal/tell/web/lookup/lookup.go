// Package lookup reads what pages, API and media show: cached lists, and goals and clips by any address they ever had.
package lookup

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/answer/cache"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/words"
)

// maxAge is how long an answer is used if nothing is announced; an announced change ends it at once. Announcements of other
// processes can get lost.
const maxAge = 2 * time.Second

// DateForm is how days are written in addresses.
const DateForm = "2006-01-02"

// HealthSource knows the health of every part.
type HealthSource interface {
	Health(ctx context.Context) health.Report
}

// Reader reads the store for people and programs.
type Reader struct {
	Store  store.Store
	Blob   blob.Store
	Health HealthSource // nil: nothing is watched
	Cache  *cache.Cache
	Recent *cache.Cache // of what does not change with fixtures
	Now    func() time.Time
	Kept   time.Duration         // how long matches are kept
	Aim    stats.Objective       // of coverage; zero: none is set
	Learn  func([]footy.Fixture) // gets the fixtures that are shown; may be nil
	Work   Work                  // bounds what builds answers; nil: nothing does

	deaf time.Time // since when the database does not answer; zero: it does. Only health uses it, which the cache runs once at a time
}

func (r *Reader) learn(list ...footy.Fixture) {
	if r.Learn != nil {
		r.Learn(list)
	}
}

// Work does what costs processor time for a request: few at once, and counted to the address that asks.
type Work func(ctx context.Context, do func() error) error

// SendCached sends an answer that is the same for every reader. What a reader chose must be in the key in one spelling only: a time zone as the
// offset of the days that are shown (SameOffset), ids sorted, numbers and dates as they were read, and nothing that the answer does not depend on.
func (r *Reader) SendCached(w http.ResponseWriter, req *http.Request, key string, build func(context.Context) (*answer.Answer, error)) error {
	answer.Vary(w.Header(), "Cookie")
	a, err := Built(req.Context(), r, key, maxAge, build)
	if err == nil {
		a.Send(w, req)
	}
	return err
}

// SendPage is SendCached for what depends on the reader's language.
func (r *Reader) SendPage(w http.ResponseWriter, req *http.Request, key string, build func(context.Context, *words.Language) (*answer.Answer, error)) error {
	l := words.Of(req)
	answer.Vary(w.Header(), "Accept-Language")
	return r.SendCached(w, req, l.Key+" "+key, func(ctx context.Context) (*answer.Answer, error) { return build(ctx, l) })
}

// listed is an answer about matches, which it was built of.
type listed struct {
	*answer.Answer
	of []footy.Fixture
	at time.Time
}

// SendList is SendPage of an answer about the matches between two moments. Where nothing is announced it is built anew when one of them changed,
// or the minute: pages say how long something is past.
func (r *Reader) SendList(w http.ResponseWriter, req *http.Request, key string, from, to time.Time, build func(context.Context, *words.Language, []footy.Fixture) (*answer.Answer, error)) error {
	l := words.Of(req)
	answer.Vary(w.Header(), "Accept-Language")
	answer.Vary(w.Header(), "Cookie")
	a, err := cache.Renewed(req.Context(), r.Cache, l.Key+" "+key, maxAge, func(ctx context.Context, last *listed, moved bool) (a listed, err error) {
		return a, r.work(ctx, func() error {
			a = listed{at: r.Now().Truncate(time.Minute)}
			if a.of, err = r.FixturesBetween(ctx, from, to); err != nil {
				return err
			}
			if !moved && a.at.Equal(last.at) && len(a.of) > 0 && len(last.of) > 0 && &a.of[0] == &last.of[0] {
				a = *last
				return nil
			}
			a.Answer, err = build(ctx, l, a.of)
			return err
		})
	})
	if err == nil {
		a.Send(w, req)
	}
	return err
}

func (r *Reader) work(ctx context.Context, do func() error) error {
	if r.Work == nil {
		return do()
	}
	return r.Work(ctx, do)
}

// Built is a value that is built for all readers who ask for the same key; what SendCached says of keys holds.
func Built[T any](ctx context.Context, r *Reader, key string, span time.Duration, build func(context.Context) (T, error)) (T, error) {
	return cache.Get(ctx, r.Cache, key, span, func(ctx context.Context) (v T, err error) {
		err = r.work(ctx, func() error {
			v, err = build(ctx)
			return err
		})
		return v, err
	})
}

// ByIDs reads matches through the cache; ids are sorted, and none is there twice.
func (r *Reader) ByIDs(ctx context.Context, ids []int64) ([]footy.Fixture, error) {
	return cache.Get(ctx, r.Cache, fmt.Sprint("ids ", ids), maxAge, func(ctx context.Context) ([]footy.Fixture, error) {
		return r.Store.List(ctx, store.FixtureQuery{IDs: ids})
	})
}

// FixturesBetween reads through the cache: 500 readers who ask after one change cost one read, of what changed. It is the same list as before where
// nothing did.
func (r *Reader) FixturesBetween(ctx context.Context, from, to time.Time) ([]footy.Fixture, error) {
	key := "list " + from.UTC().Format(time.RFC3339) + to.UTC().Format(time.RFC3339)
	q := store.FixtureQuery{From: from, To: to}
	return cache.Renewed(ctx, r.Cache, key, maxAge, func(ctx context.Context, last *[]footy.Fixture, _ bool) ([]footy.Fixture, error) {
		return r.list(ctx, q, last)
	})
}

// list reads matches, or of those that were read last what changed since.
func (r *Reader) list(ctx context.Context, q store.FixtureQuery, last *[]footy.Fixture) ([]footy.Fixture, error) {
	if last != nil {
		if list, err := r.again(ctx, q, *last); err != nil || list != nil {
			return list, err
		}
	}
	list, err := r.Store.List(ctx, q)
	r.learn(list...)
	return list, err
}

// again is the list that was read before, with what changed since; nil where others belong to it now.
func (r *Reader) again(ctx context.Context, q store.FixtureQuery, list []footy.Fixture) ([]footy.Fixture, error) {
	revisions, err := r.Store.Revisions(ctx, q)
	if err != nil || len(revisions) != len(list) || len(list) == 0 {
		return nil, err
	}
	var changed []int64
	for _, f := range list {
		switch revision, ok := revisions[f.ID]; {
		case !ok:
			return nil, nil
		case revision != f.Revision:
			changed = append(changed, f.ID)
		}
	}
	list = countOn(r.Store, list)
	if len(changed) == 0 {
		return list, nil
	}
	read, err := r.Store.List(ctx, store.FixtureQuery{IDs: changed})
	if err != nil || len(read) != len(changed) {
		return nil, err
	}
	r.learn(read...)
	list = slices.Clone(list)
	for _, f := range read {
		i := slices.IndexFunc(list, func(o footy.Fixture) bool { return o.ID == f.ID })
		if !f.Match.Kickoff.Equal(list[i].Match.Kickoff) {
			return nil, nil // it has another place
		}
		list[i] = f
	}
	return list, nil
}

// keptAhead is how many of the coming days are listed.
const keptAhead = 31

// CoverageDays is how many days coverage has: today and the two weeks before.
const CoverageDays = 15

// KeptFrom is the kickoff of the oldest match that may be stored still.
func (r *Reader) KeptFrom() time.Time { return r.Now().Add(-r.Kept - 24*time.Hour) }

// KeptFixtures are all that are stored: as far back as matches are kept, and those of the coming days. Like those of a day they are read once, and
// then what changed: each change of one match would read and decode two weeks else.
func (r *Reader) KeptFixtures(ctx context.Context) ([]footy.Fixture, error) {
	return cache.Renewed(ctx, r.Cache, "window", 10*maxAge, func(ctx context.Context, last *[]footy.Fixture, _ bool) ([]footy.Fixture, error) {
		return r.list(ctx, store.FixtureQuery{From: r.KeptFrom(), To: r.Now().AddDate(0, 0, keptAhead)}, last)
	})
}

// DaysOf counts what the days of these matches have, in their order.
func DaysOf(list []footy.Fixture, zone *time.Location) []view.Day {
	byDate := map[string]*view.Day{}
	for i := range list {
		date := list[i].Match.Kickoff.In(zone).Format(DateForm)
		if byDate[date] == nil {
			byDate[date] = &view.Day{Date: date}
		}
		byDate[date].Add(view.FixtureOf(&list[i], zone))
	}
	days := make([]view.Day, 0, len(byDate))
	for _, date := range slices.Sorted(maps.Keys(byDate)) {
		days = append(days, *byDate[date])
	}
	return days
}

// Days are those with matches that are kept, with their figures as of a minute ago.
func (r *Reader) Days(ctx context.Context, zone *time.Location) ([]view.Day, error) {
	zone = r.ZoneOfKept(zone)
	return cache.Get(ctx, r.Recent, "days "+zone.String(), time.Minute, func(ctx context.Context) ([]view.Day, error) {
		list, err := r.KeptFixtures(ctx)
		return DaysOf(list, zone), err
	})
}

// Waiting reads what waits, with the fixtures it belongs to.
func (r *Reader) Waiting(ctx context.Context) (view.Backlog, error) {
	return cache.Get(ctx, r.Cache, "waiting", maxAge, func(ctx context.Context) (view.Backlog, error) { return view.ReadBacklog(ctx, r.Store) })
}

// Coverage measures today and the days before, in the reader's zone.
func (r *Reader) Coverage(ctx context.Context, zone *time.Location, days int) ([]view.Coverage, error) {
	zone = r.ZoneOfKept(zone)
	all, err := Built(ctx, r, "coverage "+zone.String(), 10*maxAge, func(ctx context.Context) (out []view.Coverage, err error) {
		list, err := r.KeptFixtures(ctx)
		byDay := map[string][]footy.Fixture{}
		for i := range list {
			d := list[i].Match.Kickoff.In(zone).Format(DateForm)
			byDay[d] = append(byDay[d], list[i])
		}
		for i := CoverageDays - 1; i >= 0; i-- {
			d := r.Now().In(zone).AddDate(0, 0, -i).Format(DateForm)
			out = append(out, view.CoverageOf(d, stats.Of(byDay[d])))
		}
		return out, err
	})
	if err != nil {
		return nil, err
	}
	return slices.Clone(all[len(all)-days:]), nil
}

// lastDays is over how many days the health page counts the objective and the delay of first clips.
func (r *Reader) lastDays() int { return min(7, max(int(r.Kept/(24*time.Hour)), 1)) }

// Objective is how the objective fared in the last days, in a sentence; "" where none is set.
func (r *Reader) Objective(ctx context.Context) (string, error) {
	if r.Aim.Within == 0 {
		return "", nil
	}
	list, err := r.KeptFixtures(ctx)
	if err != nil {
		return "", err
	}
	days := r.lastDays()
	return explain.Objective(r.Aim, r.Aim.Over(list, r.Now().AddDate(0, 0, -days), r.Now()), days), nil
}

// FirstClips are the figures of the ways to the first clips of the last days, and of how many days that is.
func (r *Reader) FirstClips(ctx context.Context) (figures []delay.Figure, days int, err error) {
	days = r.lastDays()
	figures, err = cache.Get(ctx, r.Cache, "first clips", 10*maxAge, func(ctx context.Context) ([]delay.Figure, error) {
		list, err := r.KeptFixtures(ctx)
		if err != nil {
			return nil, err
		}
		ways, err := store.FirstClips(ctx, r.Store, list, r.Now().AddDate(0, 0, -days))
		return delay.Figures(ways, 1), err
	})
	return figures, days, err
}

// Reachable reports whether the database answers this process, as of some seconds ago: probes that come in a loop cost nothing.
func (r *Reader) Reachable(ctx context.Context) error {
	type answer struct{ err error } // an error would not be kept
	a, err := cache.Get(ctx, r.Recent, "ping", maxAge, func(ctx context.Context) (answer, error) {
		ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
		defer cancel()
		return answer{r.Store.Ping(ctx)}, nil
	})
	return cmp.Or(err, a.err)
}

// health is that of all parts. Whether the database answers this process, it finds out itself.
func (r *Reader) health(ctx context.Context) health.Report {
	var h health.Report
	if r.Health != nil {
		h = r.Health.Health(ctx)
	}
	h.At = cmp.Or(h.At, r.Now())
	if err := r.Reachable(ctx); err != nil {
		r.deaf = cmp.Or(r.deaf, r.Now())
		h.Put(health.Part{Name: health.Page, State: health.StateDown, Since: r.deaf, Reason: err.Error(), Remedy: "Start the database, or check its address; the page shows nothing without it."})
	} else {
		r.deaf = time.Time{}
	}
	h.State = health.Worst(h.Parts)
	return h
}

// RecentHealth is some seconds old: every open page asks now and then, and no number of them causes more checks.
func (r *Reader) RecentHealth(ctx context.Context) (health.Report, error) {
	return cache.Get(ctx, r.Recent, "health", 5*time.Second, func(ctx context.Context) (health.Report, error) { return r.health(ctx), nil })
}
