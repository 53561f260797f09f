package monitor

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// noteTrouble tells of each fixture whose answer failed or is not believed: one row when it begins, not one for each poll of an
// outage.
func (a *Activities) noteTrouble(ctx context.Context, in DecideInput) error {
	now := a.Now().UTC()
	told := failures(in, now)
	if len(told) == 0 {
		return nil
	}
	ids := make([]int64, 0, len(told))
	for _, r := range told {
		ids = append(ids, r.FixtureID)
	}
	known, err := a.Store.List(ctx, store.FixtureQuery{IDs: ids})
	if err != nil {
		return err
	}
	fixtures := make(map[int64]footy.Fixture, len(known))
	for _, f := range known {
		fixtures[f.ID] = f
	}
	for _, r := range told {
		if f, ok := fixtures[r.FixtureID]; ok && r.Kind == footy.EntryPollFailed && lifecycle.Rare(f, now, a.Rules.Windows) {
			if _, err := a.Store.Update(ctx, f.ID, func(f *footy.Fixture) ([]footy.Entry, error) { lifecycle.Touch(f, now); return nil, nil }); err != nil {
				return err // it was asked in its slot, answered or not
			}
		}
	}
	for _, r := range told {
		f, ok := fixtures[r.FixtureID]
		if !ok || f.Trouble != nil && slices.Contains(f.Trouble.Kinds, r.Kind) {
			continue
		}
		if _, err := a.Store.Update(ctx, r.FixtureID, func(f *footy.Fixture) ([]footy.Entry, error) { return beginTrouble(f, r, now) }); err != nil {
			return err
		}
	}
	return nil
}

func beginTrouble(f *footy.Fixture, row footy.Entry, now time.Time) ([]footy.Entry, error) {
	if f.Trouble == nil {
		f.Trouble = &footy.Trouble{Since: now}
	}
	if slices.Contains(f.Trouble.Kinds, row.Kind) {
		return nil, store.ErrUnchanged
	}
	f.Trouble.Kinds = append(f.Trouble.Kinds, row.Kind)
	return []footy.Entry{row}, nil
}

// endTrouble ends a fixture's trouble; a poll or two that failed are not worth a second row.
func (a *Activities) endTrouble(f *footy.Fixture, poll string, now time.Time) []footy.Entry {
	lasted := now.Sub(f.Trouble.Since)
	f.Trouble = nil
	if lasted <= 2*a.Cycle {
		return nil
	}
	return []footy.Entry{{Key: fmt.Sprintf("%d/%s/%s", f.ID, footy.EntryTrusted, poll), FixtureID: f.ID, At: now, Kind: footy.EntryTrusted,
		Data: footy.Evidence{Lasted: lasted.Round(time.Second).Seconds()}}}
}

func failures(in DecideInput, now time.Time) []footy.Entry {
	var out []footy.Entry
	for _, f := range in.Failed {
		out = append(out, footy.Entry{Key: fmt.Sprintf("%d/%s/%s", f.ID, footy.EntryPollFailed, in.Poll), FixtureID: f.ID, At: now,
			Kind: footy.EntryPollFailed, Data: footy.Evidence{Why: f.Why}})
	}
	if in.Distrusted {
		for _, id := range in.Regressed {
			out = append(out, footy.Entry{Key: fmt.Sprintf("%d/%s/%s", id, footy.EntryDistrusted, in.Poll), FixtureID: id, At: now,
				Kind: footy.EntryDistrusted, Reason: footy.ReasonAnomaly, Data: footy.Evidence{Why: in.Why}})
		}
	}
	return out
}
