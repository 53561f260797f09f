package reels

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/answer/cache"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
)

// Orders has reels made.
type Orders interface {
	// Start has one made, unless it is being made.
	Start(ctx context.Context, s rule.Scope, asked time.Duration) error
	Making(ctx context.Context, s rule.Scope, asked time.Duration) (rule.Making, error)
}

// maxAge is how long a record is used if nothing is announced.
const maxAge = 2 * time.Second

// finder finds reels for readers.
type finder struct {
	*lookup.Reader
	orders Orders // nil: no engine is connected, so none can be made
}

// lengths are those that the page offers; the first is as long as its goals. Others would be made for one reader.
func lengths() []time.Duration {
	return []time.Duration{0, time.Minute, 90 * time.Second, 3 * time.Minute, 5 * time.Minute, 10 * time.Minute}
}

// found is what a reel is made of now, and whether it was made.
type found struct {
	Plan    rule.Plan
	Made    *rule.Record // nil: not so
	Watched *rule.Record // an older one that the reader is watching and that may be seen to its end; nil: none
	Making  rule.Making
	Match   *footy.Fixture // of a match's
}

// askedFor reads which reel is asked for: kind, id and date of the path, length in seconds.
func askedFor(r *http.Request, length string) (rule.Scope, time.Duration, error) {
	kind, id, day := rule.Kind(r.PathValue("kind")), r.PathValue("id"), r.PathValue("date")
	number := int64(0)
	if kind == rule.OfDay && day == "" {
		day = id
	} else {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil || (kind == rule.OfMatch) != (day == "") {
			return rule.Scope{}, 0, footy.Errorf(footy.CodeNotFound, "read reel", "There is no such page.")
		}
		number = n
	}
	s, err := rule.ScopeOf(kind, number, day, lookup.Zone(r))
	if err != nil {
		return s, 0, footy.Errorf(footy.CodeNotFound, "read reel", "There is no such page.")
	}
	if length == "" {
		return s, 0, nil
	}
	n, err := strconv.Atoi(length)
	asked := time.Duration(n) * time.Second
	if err != nil || !slices.Contains(lengths(), asked) {
		return s, 0, answer.BadParam("length", length, "60, 90, 180, 300 or 600 seconds, or 0 for as long as its goals")
	}
	return s, asked, nil
}

// reel plans a reel by what is stored now, and finds it if it was made so. watching is the key of the one on the reader's screen, "" without one.
func (r finder) reel(ctx context.Context, s rule.Scope, asked time.Duration, watching string) (found, error) {
	list, err := r.fixtures(ctx, s)
	if err != nil {
		return found{}, err
	}
	out := found{Plan: rule.Make(s, asked, list)}
	if s.Kind == rule.OfMatch {
		out.Match = &list[0]
	}
	if watching != "" && watching != out.Plan.Key {
		if out.Watched, err = r.watched(ctx, watching, s, asked, list); err != nil {
			return out, err
		}
	}
	if len(out.Plan.Pieces) == 0 {
		return out, nil
	}
	made, err := r.made(ctx, out.Plan.Key)
	switch {
	case err == nil:
		if made.Plan.Shows(list) { // which the plan's own clips do; a record of another plan is none of this one
			out.Made = &made
		}
		return out, nil
	case !footy.IsNotFound(err):
		return out, err
	case r.orders == nil:
		return out, nil
	}
	out.Making, err = cache.Get(ctx, r.Recent, "making "+rule.Job(s, asked), time.Second, func(ctx context.Context) (rule.Making, error) {
		return r.orders.Making(ctx, s, asked)
	})
	return out, err
}

// watched finds an older reel of the same; nil if there is none, or if it may not be seen any more.
func (r finder) watched(ctx context.Context, key string, s rule.Scope, asked time.Duration, list []footy.Fixture) (*rule.Record, error) {
	made, err := r.made(ctx, key)
	switch {
	case footy.IsNotFound(err) || footy.CodeOf(err) == footy.CodeInvalid:
		return nil, nil //nolint:nilnil // none
	case err != nil:
		return nil, err
	case rule.Job(made.Plan.Scope, made.Plan.Asked) != rule.Job(s, asked) || !made.Plan.Shows(list):
		return nil, nil //nolint:nilnil // idem
	}
	return &made, nil
}

// fixtures are the matches of a scope, among others.
func (r finder) fixtures(ctx context.Context, s rule.Scope) ([]footy.Fixture, error) {
	if s.Kind != rule.OfMatch {
		return r.FixturesBetween(ctx, s.From, s.To)
	}
	return cache.Get(ctx, r.Cache, "match "+strconv.FormatInt(s.ID, 10), maxAge, func(ctx context.Context) ([]footy.Fixture, error) {
		f, err := r.Store.Fixture(ctx, s.ID)
		if footy.IsNotFound(err) {
			return nil, footy.Errorf(footy.CodeNotFound, "find match", "No match of this number is known here. Matches are kept for some days only.")
		}
		return []footy.Fixture{f}, err
	})
}

// made finds the record of a reel; not found if it was not made, or is deleted.
func (r finder) made(ctx context.Context, key string) (rule.Record, error) {
	return cache.Get(ctx, r.Cache, "reel "+key, maxAge, func(ctx context.Context) (rule.Record, error) {
		return recordOf(ctx, r.Blob, key)
	})
}

// seen finds a reel whose bytes are asked for. It may be outdated, but all that it shows may be seen still.
func (r finder) seen(ctx context.Context, key string) (rule.Record, error) {
	made, err := r.made(ctx, key)
	if footy.IsNotFound(err) || footy.CodeOf(err) == footy.CodeInvalid {
		return made, footy.Errorf(footy.CodeNotFound, "find reel", "There is no reel with this address; it may have been made anew.")
	}
	if err != nil {
		return made, err
	}
	list, err := r.fixtures(ctx, made.Plan.Scope)
	if err != nil && !footy.IsNotFound(err) {
		return made, err
	}
	if !made.Plan.Shows(list) {
		return made, &answer.Error{Status: http.StatusGone, Code: answer.CodeGone, Message: "This reel shows a goal that no longer stands, or a clip that is no longer shown."}
	}
	return made, nil
}

// Players fetch one film in many requests.
const (
	watchedEvery = 5 * time.Minute  // how often it is written that a reel is watched
	markTime     = 20 * time.Second // how long that may take
)

// watching writes that a reel is watched, so that the sweep leaves it. No request waits for that: a store that takes no writes shows its
// films still; health reports it.
func (r finder) watching(ctx context.Context, key string) {
	due := false
	_, _ = cache.Get(ctx, r.Recent, "watched "+key, watchedEvery, func(context.Context) (bool, error) { due = true; return due, nil })
	if !due {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), markTime)
	go func() {
		defer cancel()
		_ = r.Blob.Put(ctx, Key(key, WatchedFile), strings.NewReader(""), 0, blob.Info{})
	}()
}
