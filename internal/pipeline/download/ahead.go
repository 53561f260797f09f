package download

import (
	"context"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
)

// untilCertain makes a post that could be judged wait while its goal is not certain. Nobody is asked about a goal that may go away, and
// nothing of it is shown.
func (a *Activities) untilCertain(ctx context.Context, download string, p footy.Post) (footy.Post, error) {
	if p.State != footy.PostFetched || p.Download != download {
		return p, nil
	}
	if certain, err := a.certain(ctx, p); err != nil || certain {
		return p, err
	}
	p, err := a.advance(ctx, p, ledger.Suspend(footy.ReasonNotCertain))
	if err != nil {
		return p, err
	}
	crashpoint.Here(crashpoint.HeldBack)
	// Who begins the search of a certain goal looks for posts that wait. This one may have come just behind.
	if certain, err := a.certain(ctx, p); err != nil || !certain {
		return p, err
	}
	return a.advance(ctx, p, ledger.Claim(download))
}

// certain reports whether a post's goal is. One that is gone will not be.
func (a *Activities) certain(ctx context.Context, p footy.Post) (bool, error) {
	f, err := a.Store.Fixture(ctx, p.FixtureID)
	if err != nil {
		return false, err
	}
	e := f.Event(p.EventUID)
	return e != nil && e.Certain(), nil
}
