package policy

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// EventInput is the input of a workflow about one event.
type EventInput struct {
	FixtureID int64  `json:"fixture_id"`
	EventUID  string `json:"event_uid"`
	Timing    Timing `json:"timing,omitzero"`
}

// Event reads the event with its match; nil where it is not kept any more.
func (in EventInput) Event(ctx context.Context, s store.Store) (footy.Fixture, *footy.Event, error) {
	f, err := s.Fixture(ctx, in.FixtureID)
	if err != nil {
		if footy.IsNotFound(err) {
			err = nil
		}
		return f, nil, err
	}
	return f, f.Event(in.EventUID), nil
}

// Change changes the event in one step, as Store.Update does. It returns the event afterwards; nil where it is not kept any more.
func (in EventInput) Change(ctx context.Context, s store.Store, change func(*footy.Fixture, *footy.Event) ([]footy.Entry, error)) (*footy.Event, error) {
	f, err := s.Update(ctx, in.FixtureID, func(f *footy.Fixture) ([]footy.Entry, error) {
		if e := f.Event(in.EventUID); e != nil {
			return change(f, e)
		}
		return nil, store.ErrUnchanged
	})
	if err != nil {
		if footy.IsNotFound(err) {
			err = nil
		}
		return nil, err
	}
	return f.Event(in.EventUID), nil
}

// Prints are the fingerprints of an event's clips, by clip.
func Prints(ctx context.Context, s store.Store, eventUID string) (map[string]footy.Fingerprint, error) {
	stored, err := s.Fingerprints(ctx, eventUID)
	if err != nil {
		return nil, err
	}
	out := make(map[string]footy.Fingerprint, len(stored))
	for _, p := range stored {
		out[p.ClipID] = p.Fingerprint
	}
	return out, nil
}

// Nearby are the other matches of the hours around one, whose goals are posted at the same time.
func Nearby(ctx context.Context, s store.Store, f footy.Fixture) ([]footy.Fixture, error) {
	near, err := s.List(ctx, store.FixtureQuery{From: f.Match.Kickoff.Add(-Around), To: f.Match.Kickoff.Add(Around)})
	return slices.DeleteFunc(near, func(o footy.Fixture) bool { return o.ID == f.ID }), err
}

// Advance moves a post; false where another moved it meanwhile.
func Advance(ctx context.Context, s store.Store, p footy.Post, what ledger.Move, now time.Time, d ledger.Delays) (moved bool, err error) {
	_, err = s.Advance(ctx, p.EventUID, p.PostID, ledger.Moved(what, now, d))
	if errors.Is(err, ledger.ErrIllegal) {
		return false, nil
	}
	return err == nil, err
}

// Offer passes a post on to another goal of its match, unless that goal knows it, or it was passed on before. Reconcile sees that it is driven there.
func Offer(ctx context.Context, s store.Store, to footy.Event, p footy.Post, now time.Time, d ledger.Delays) error {
	if p.Candidate.OfferedBy != "" {
		return nil
	}
	c := p.Candidate
	c.OfferedBy = p.EventUID
	switch known, err := s.Post(ctx, to.UID, p.PostID); {
	case err == nil && known.State == footy.PostPassed:
		_, err = Advance(ctx, s, known, ledger.Choose(c, ledger.Search{Round: to.Round.Number}, ""), now, d)
		return err
	case !footy.IsNotFound(err):
		return err
	}
	post, row := ledger.Offered(p.FixtureID, to, c, now)
	return s.AddPosts(ctx, []footy.Post{post}, row)
}
