package monitor

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// noteTrouble writes one row for each match whose answer failed or is not believed: when that begins, not for each poll of an outage. A
// match that is asked rarely was asked in its slot, answered or not.
func (a *Activities) noteTrouble(ctx context.Context, in DecideInput) error {
	now := a.Now().UTC()
	for _, row := range failures(in, now) {
		_, err := a.Store.Update(ctx, row.FixtureID, func(f *footy.Fixture) ([]footy.Entry, error) {
			rare := row.Kind == footy.EntryPollFailed && lifecycle.Rare(*f, now, a.Rules.Windows)
			if rare {
				lifecycle.Touch(f, now)
			}
			if f.Trouble == nil {
				f.Trouble = &footy.Trouble{Since: now}
			}
			switch told := slices.Contains(f.Trouble.Kinds, row.Kind); {
			case told && rare:
				return nil, nil
			case told:
				return nil, store.ErrUnchanged
			}
			f.Trouble.Kinds = append(f.Trouble.Kinds, row.Kind)
			return []footy.Entry{row}, nil
		})
		if err != nil && !footy.IsNotFound(err) && !errors.Is(err, store.ErrDamaged) {
			return err
		}
	}
	return nil
}

// endTrouble ends a fixture's trouble; a poll or two that failed are not worth a second row.
func (a *Activities) endTrouble(f *footy.Fixture, poll string, now time.Time) []footy.Entry {
	lasted := now.Sub(f.Trouble.Since)
	f.Trouble = nil
	if lasted <= 2*a.Cycle {
		return nil
	}
	return []footy.Entry{matchRow(f.ID, footy.EntryTrusted, poll, now, footy.Evidence{Lasted: lasted.Round(time.Second).Seconds()})}
}

// failures are the rows of a poll's failed answers, and of those that are not believed.
func failures(in DecideInput, now time.Time) []footy.Entry {
	var out []footy.Entry
	for _, f := range in.Failed {
		out = append(out, matchRow(f.ID, footy.EntryPollFailed, in.Poll, now, footy.Evidence{Why: f.Why}))
	}
	if in.Distrusted {
		for _, id := range in.Regressed {
			row := matchRow(id, footy.EntryDistrusted, in.Poll, now, footy.Evidence{Why: in.Why})
			row.Reason = footy.ReasonAnomaly
			out = append(out, row)
		}
	}
	return out
}

func matchRow(id int64, kind footy.EntryKind, poll string, at time.Time, data footy.Evidence) footy.Entry {
	return lifecycle.Move{Kind: kind, Evidence: data}.Entry(id, poll, at)
}

// OutageKey is where an outage of the feed is kept, so that every process can tell of it.
const OutageKey = "feed_outage"

// Outage of the feed; zero while it answers.
type Outage struct {
	Since time.Time  `json:"since,omitzero"` // zero: too few calls failed to speak of one
	Code  footy.Code `json:"code,omitempty"`
	Why   string     `json:"why,omitempty"`
	// Calls that failed in a row until it was one, in all processes, and the first of them.
	Failed      int       `json:"failed,omitempty"`
	FirstFailed time.Time `json:"first_failed,omitzero"`
}

// outageAfter so many calls that failed in a row are an outage; one or two are the vendor's daily life.
const outageAfter = 3

// noteAnswer keeps the beginning and the end of an outage; in between nothing is written.
func (a *Activities) noteAnswer(ctx context.Context, failure error) error {
	_, err := store.ChangeState(ctx, a.Store, OutageKey, func(o *Outage) error {
		switch {
		case failure == nil && *o == (Outage{}), failure != nil && !o.Since.IsZero():
			return store.ErrUnchanged
		case failure == nil:
			*o = Outage{}
			return nil
		}
		if o.Failed++; o.Failed == 1 {
			o.FirstFailed = a.Now().UTC()
		}
		if o.Failed >= outageAfter {
			o.Since, o.Code, o.Why = o.FirstFailed, footy.CodeOf(failure), footy.RootCause(failure)
		}
		return nil
	})
	return err
}
