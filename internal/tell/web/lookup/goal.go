package lookup

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/answer/cache"
)

// Event finds an event by any id it ever had, standing or not; for one that the feed listed twice, the one that stands for it.
func (r *Reader) Event(ctx context.Context, id string) (*footy.Fixture, *footy.Event, error) {
	f, err := r.Store.FixtureOfEvent(ctx, id)
	if err != nil && !footy.IsNotFound(err) {
		return nil, nil, err
	}
	e := f.Event(id)
	if err != nil || e == nil {
		return nil, nil, footy.Errorf(footy.CodeNotFound, "find event", "There is no goal with this address.")
	}
	if other := f.Event(cmp.Or(e.SameAs, e.UID)); other != nil && other.Standing() {
		e = other
	}
	r.learn(f)
	return &f, e, nil
}

// StandingEvent is Event for readers: for a removed goal the error says that it is gone, and why.
func (r *Reader) StandingEvent(ctx context.Context, id string) (*footy.Fixture, *footy.Event, error) {
	f, e, err := r.Event(ctx, id)
	if err == nil && e.Removed {
		err = &answer.Error{Status: http.StatusGone, Code: answer.CodeGone, Reason: cmp.Or(e.RemovedReason, footy.ReasonVAR), Message: explain.Removed(e.Kind.Info().One, e.RemovedReason), Fixture: f, Event: e}
	}
	return f, e, err
}

// Clip finds a clip by any id it ever had. If it was replaced or merged, the answer is the visible clip that replaced it.
func (r *Reader) Clip(ctx context.Context, eventID, clipID string) (*footy.Fixture, *footy.Event, *footy.Clip, error) {
	f, e, err := r.StandingEvent(ctx, eventID)
	if err != nil {
		return f, e, nil, err
	}
	if !HadClip(e, clipID) {
		return f, e, nil, footy.Errorf(footy.CodeNotFound, "find clip", "There is no clip with this address.")
	}
	if c := explain.CurrentClip(e, clipID); c != nil {
		return f, e, c, nil
	}
	gone, err := r.ClipGone(ctx, f, e, clipID)
	if err != nil {
		return f, e, nil, err
	}
	return f, e, nil, gone
}

// HadClip reports whether a clip was ever known by this id.
func HadClip(e *footy.Event, id string) bool { return e.Clip(id) != nil || e.Redirects[id] != "" }

// ClipGone says why a clip that was here cannot be seen: taken down with the operator's reason, hidden, or deleted.
func (r *Reader) ClipGone(ctx context.Context, f *footy.Fixture, e *footy.Event, id string) (*answer.Error, error) {
	gone := &answer.Error{Status: http.StatusGone, Code: answer.CodeGone, Message: "This clip was deleted.", Fixture: f, Event: e}
	c := explain.HiddenClip(e, id)
	if c == nil {
		return gone, nil
	}
	gone.Reason, gone.Message = footy.ReasonHidden, explain.Act{}.Gone()
	tombstones, err := r.Store.Tombstones(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range tombstones {
		if t.Digest != c.Digest || t.Digest == "" {
			continue
		}
		act := explain.TakenDown(t)
		gone.Reason, gone.Message, gone.Words = footy.ReasonTombstone, act.Gone(), act.Reason
		if t.EventUID == e.UID {
			break // the reason given for this goal is better than that for another
		}
	}
	return gone, nil
}

// Picture is what a row of the log shows of a post; Clip is the clip that the post became, "" for none.
type Picture struct{ Post, Clip, Still, Clock string }

// Pictures lists what is kept of an event's posts. A goal's page asks for each of them, and its log is read once.
func (r *Reader) Pictures(ctx context.Context, fixture int64, uid string) ([]Picture, error) {
	return cache.Get(ctx, r.Cache, "pictures "+uid, 10*maxAge, func(ctx context.Context) ([]Picture, error) {
		rows, err := r.Store.Entries(ctx, store.LogQuery{FixtureID: fixture, EventUID: uid})
		var out []Picture
		for _, row := range rows {
			p := Picture{Post: row.PostID, Clip: row.ClipID, Still: row.Data.PosterKey}
			if row.Data.Running != nil {
				p.Clock = row.Data.Running.PictureKey
			}
			if p.Still != "" || p.Clock != "" {
				out = append(out, p)
			}
		}
		return out, err
	})
}

// Record reads an event's posts and rows, and those rows of its fixture that concern every event (polls that failed or were not
// trusted while it was being watched).
func (r *Reader) Record(ctx context.Context, f *footy.Fixture, e *footy.Event) (posts []footy.Post, rows []footy.Entry, err error) {
	if posts, err = r.Store.Posts(ctx, store.PostQuery{EventUID: e.UID}); err != nil {
		return nil, nil, err
	}
	if rows, err = r.Store.Entries(ctx, store.LogQuery{FixtureID: f.ID, EventUID: e.UID}); err != nil {
		return nil, nil, err
	}
	polls, err := r.Store.Entries(ctx, store.LogQuery{FixtureID: f.ID, Since: e.FirstSeen,
		Kinds: []footy.EntryKind{footy.EntryDistrusted, footy.EntryPollFailed, footy.EntryTrusted}})
	if err != nil {
		return nil, nil, err
	}
	for _, p := range polls {
		if p.EventUID == "" && (e.CompletedAt.IsZero() || p.At.Before(e.CompletedAt)) {
			rows = append(rows, p)
		}
	}
	slices.SortStableFunc(rows, func(a, b footy.Entry) int { return a.At.Compare(b.At) })
	return posts, rows, nil
}
