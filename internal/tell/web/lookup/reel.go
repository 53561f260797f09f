package lookup

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/answer/cache"
)

// Reels has reels made.
type Reels interface {
	// Start has one made, unless it is being made.
	Start(ctx context.Context, s reel.Scope, asked time.Duration) error
	Making(ctx context.Context, s reel.Scope, asked time.Duration) (reel.Making, error)
}

// ReelLengths are those that the page offers; the first is as long as its goals. Others would be made for nobody else.
func ReelLengths() []time.Duration {
	return []time.Duration{0, time.Minute, 90 * time.Second, 3 * time.Minute, 5 * time.Minute, 10 * time.Minute}
}

// Reel is what a reel is made of now, and whether it was made.
type Reel struct {
	Plan    reel.Plan
	Made    *reel.Record // nil: not so
	Watched *reel.Record // an older one that somebody is watching and that may be seen to its end; nil: none
	Making  reel.Making
	Match   *footy.Fixture // of a match's
}

// ReelAsked reads which reel is asked for: kind, id and date of the path, length in seconds.
func ReelAsked(r *http.Request, length string) (reel.Scope, time.Duration, error) {
	kind, id, day := reel.Kind(r.PathValue("kind")), r.PathValue("id"), r.PathValue("date")
	number := int64(0)
	if kind == reel.OfDay && day == "" {
		day = id
	} else {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil || (kind == reel.OfMatch) != (day == "") {
			return reel.Scope{}, 0, footy.Errorf(footy.CodeNotFound, "read reel", "There is no such page.")
		}
		number = n
	}
	s, err := reel.ScopeOf(kind, number, day, Zone(r))
	if err != nil {
		return s, 0, footy.Errorf(footy.CodeNotFound, "read reel", "There is no such page.")
	}
	if length == "" {
		return s, 0, nil
	}
	n, err := strconv.Atoi(length)
	asked := time.Duration(n) * time.Second
	if err != nil || !slices.Contains(ReelLengths(), asked) {
		return s, 0, answer.BadParam("length", length, "60, 90, 180, 300 or 600 seconds, or 0 for as long as its goals")
	}
	return s, asked, nil
}

// Reel plans a reel by what is stored now, and finds it if it was made so. watching is the key of the one on the reader's screen, "" of none.
func (r *Reader) Reel(ctx context.Context, s reel.Scope, asked time.Duration, watching string) (Reel, error) {
	list, err := r.reelFixtures(ctx, s)
	if err != nil {
		return Reel{}, err
	}
	out := Reel{Plan: reel.Make(s, asked, list)}
	if s.Kind == reel.OfMatch {
		out.Match = &list[0]
	}
	if watching != "" && watching != out.Plan.Key {
		if out.Watched, err = r.watchedReel(ctx, watching, s, asked, list); err != nil {
			return out, err
		}
	}
	if len(out.Plan.Pieces) == 0 {
		return out, nil
	}
	made, err := r.MadeReel(ctx, out.Plan.Key)
	switch {
	case err == nil:
		if made.Plan.Shows(list) { // which the plan's own clips do; a record of another plan is none of this one
			out.Made = &made
		}
		return out, nil
	case !footy.IsNotFound(err):
		return out, err
	case r.Reels == nil:
		return out, nil
	}
	out.Making, err = cache.Get(ctx, r.Recent, "making "+reel.Job(s, asked), time.Second, func(ctx context.Context) (reel.Making, error) {
		return r.Reels.Making(ctx, s, asked)
	})
	return out, err
}

// watchedReel finds an older reel of the same; nil if there is none, or if it may not be seen any more.
func (r *Reader) watchedReel(ctx context.Context, key string, s reel.Scope, asked time.Duration, list []footy.Fixture) (*reel.Record, error) {
	made, err := r.MadeReel(ctx, key)
	switch {
	case footy.IsNotFound(err) || footy.CodeOf(err) == footy.CodeInvalid:
		return nil, nil //nolint:nilnil // none
	case err != nil:
		return nil, err
	case reel.Job(made.Plan.Scope, made.Plan.Asked) != reel.Job(s, asked) || !made.Plan.Shows(list):
		return nil, nil //nolint:nilnil // idem
	}
	return &made, nil
}

// reelFixtures are the matches of a scope, among others.
func (r *Reader) reelFixtures(ctx context.Context, s reel.Scope) ([]footy.Fixture, error) {
	if s.Kind != reel.OfMatch {
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

// MadeReel finds the record of a reel; not found if it was not made, or is deleted.
func (r *Reader) MadeReel(ctx context.Context, key string) (reel.Record, error) {
	return cache.Get(ctx, r.Cache, "reel "+key, maxAge, func(ctx context.Context) (reel.Record, error) {
		return blob.Reel(ctx, r.Blob, key)
	})
}

// ReelBytes finds a reel whose bytes are asked for. It may be outdated, but all that it shows may be seen still.
func (r *Reader) ReelBytes(ctx context.Context, key string) (reel.Record, error) {
	made, err := r.MadeReel(ctx, key)
	if footy.IsNotFound(err) || footy.CodeOf(err) == footy.CodeInvalid {
		return made, footy.Errorf(footy.CodeNotFound, "find reel", "There is no reel with this address; it may have been made anew.")
	}
	if err != nil {
		return made, err
	}
	list, err := r.reelFixtures(ctx, made.Plan.Scope)
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

// Watching writes that a reel is watched, so that the sweep leaves it. Nobody waits for that: a store that takes no writes shows its
// films still; health tells of it.
func (r *Reader) Watching(ctx context.Context, key string) {
	due := false
	_, _ = cache.Get(ctx, r.Recent, "watched "+key, watchedEvery, func(context.Context) (bool, error) { due = true; return due, nil })
	if !due {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), markTime)
	go func() {
		defer cancel()
		_ = r.Blob.Put(ctx, blob.ReelKey(key, blob.ReelWatched), strings.NewReader(""), 0, blob.Info{})
	}()
}

// ForgetMaking has the next reader hear of what was just begun.
func (r *Reader) ForgetMaking(s reel.Scope, asked time.Duration) {
	r.Recent.Drop("making " + reel.Job(s, asked))
}
