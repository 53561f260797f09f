package cleanup

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/found-footy/found-footy/internal/decide/keeping"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// SweepsKey is where Sweeps is kept.
const SweepsKey = "sweeps"

// Sweeps is what came of the latest sweeps.
type Sweeps struct {
	Seen time.Time       `json:"seen"` // when the database was last in use
	Gaps []keeping.Gap   `json:"gaps,omitempty"`
	Last map[Kind]Report `json:"last,omitempty"`
}

// Kind of a sweep: what it deletes.
type Kind string

// The kinds.
const (
	Expired Kind = "expired" // matches past the retention, with their clips
	Removed Kind = "removed" // clips of goals that were removed
	Orphans Kind = "orphans" // clips and pictures of goals that are not stored
	Staging Kind = "staging" // staged bytes that no open post needs
)

// Kinds lists them as they are told.
func Kinds() []Kind { return []Kind{Expired, Removed, Orphans, Staging} }

// What says what a sweep deletes.
func (k Kind) What() string {
	return map[Kind]string{Expired: "clips and pictures of matches past RETENTION_DAYS", Removed: "clips and pictures of removed goals",
		Orphans: "clips and pictures of goals that this database does not know", Staging: "staged bytes that no open post needs"}[k]
}

// Report is the last sweep of a kind that deleted something, and one that is held.
type Report struct {
	At      time.Time      `json:"at,omitzero"`
	Deleted keeping.Amount `json:"deleted"`

	Held    keeping.Held   `json:"held,omitempty"`
	Unknown keeping.Amount `json:"unknown,omitzero"` // what waits for an operator
	Lies    keeping.Amount `json:"lies,omitzero"`    // of so much
	Allowed time.Time      `json:"allowed,omitzero"` // by an operator: the next sweep deletes it
}

// Reason says why the sweep is held.
func (r Report) Reason(k Kind) string {
	return fmt.Sprintf("%d of %d objects (%s) that no record of this database names are not deleted: %s", r.Unknown.Objects, r.Lies.Objects, k, map[keeping.Held]string{
		keeping.HeldOlder:  "some are older than the database",
		keeping.HeldMissed: "they were written while this database was not in use, as if it were an older copy",
		keeping.HeldShare:  "they are more than a twentieth of what lies there",
	}[r.Held])
}

// HeldRemedy is what an operator can do about a sweep that is held.
const HeldRemedy = "If the database is an older copy, or the wrong one, restore a backup that knows these clips. If nobody needs them, footy clips sweep has them deleted once."

// LastSweeps reads what came of the latest sweeps.
func LastSweeps(ctx context.Context, s store.State) (Sweeps, error) {
	return store.Fact[Sweeps](ctx, s, SweepsKey)
}

// Held lists the kinds that wait for an operator.
func (s Sweeps) Held() (out []Kind) {
	for _, k := range Kinds() {
		if r := s.Last[k]; r.Held != "" && r.Allowed.IsZero() {
			out = append(out, k)
		}
	}
	return out
}

// Allow lets the sweeps that are held delete once what they found. It returns their kinds.
func Allow(ctx context.Context, s store.State, now time.Time) (kinds []Kind, err error) {
	_, err = store.ChangeState(ctx, s, SweepsKey, func(all *Sweeps) error {
		kinds = all.Held()
		for _, k := range kinds {
			r := all.Last[k]
			r.Allowed = now.UTC()
			all.Last[k] = r
		}
		if len(kinds) == 0 {
			return store.ErrUnchanged
		}
		return nil
	})
	return kinds, err
}

// life notes that the database is in use, and says when it was, and whether it alone uses the clip store.
func (a *Activities) life(ctx context.Context, now time.Time) (keeping.Life, error) {
	is, err := owner.InstallationOf(ctx, a.Store)
	if err != nil && !footy.IsNotFound(err) {
		return keeping.Life{}, err
	}
	l := keeping.Life{Began: is.Began}
	if err := owner.Renew(ctx, a.Blob); err != nil { // what records name is deleted all the same: a full disk needs it
		l.Copied = true
		words := []any{"action", "sweep", "error", err}
		if refused := owner.Refused(err); refused != nil {
			words = append(words, "remedy", refused.Remedy())
		}
		activity.GetLogger(ctx).Warn("what no record names is not deleted", words...)
	}
	_, err = store.ChangeState(ctx, a.Store, SweepsKey, func(all *Sweeps) error {
		l.Gaps = all.Gaps
		l = l.Since(all.Seen, now, 2*a.Keep.Sweep)
		all.Seen, all.Gaps = now, l.Gaps
		return nil
	})
	return l, err
}

// may reports whether a sweep may delete what the database does not name: by the rule, or because an operator allowed it.
func (a *Activities) may(ctx context.Context, k Kind, s keeping.Sweep) (bool, error) {
	held, changed, may := s.Held(), false, false
	_, err := store.ChangeState(ctx, a.Store, SweepsKey, func(all *Sweeps) error {
		was := all.Last[k]
		may = held == "" || !was.Allowed.IsZero() && s.Unknown.Objects <= was.Unknown.Objects // it was allowed for what was found then
		next := Report{At: was.At, Deleted: was.Deleted}
		if !may {
			next.Held, next.Unknown, next.Lies = held, s.Unknown, s.Lies
		}
		if changed = next != was; !changed {
			return store.ErrUnchanged
		}
		all.put(k, next)
		return nil
	})
	if changed && !may && err == nil {
		r := Report{Held: held, Unknown: s.Unknown, Lies: s.Lies}
		activity.GetLogger(ctx).Warn(r.Reason(k), "action", "sweep", "sweep", string(k), "objects", s.Unknown.Objects, "bytes", s.Unknown.Bytes, "remedy", HeldRemedy)
	}
	return may, err
}

func (s *Sweeps) put(k Kind, r Report) {
	if s.Last == nil {
		s.Last = map[Kind]Report{}
	}
	s.Last[k] = r
}

// report writes a line about what a sweep deleted, also where it failed half-way.
func (a *Activities) report(ctx context.Context, k Kind, deleted keeping.Amount, failed error) error {
	if deleted.Objects == 0 {
		return failed
	}
	if activity.IsActivity(ctx) {
		activity.GetLogger(ctx).Info("deleted "+k.What(), "action", "sweep", "sweep", string(k), "objects", deleted.Objects, "bytes", deleted.Bytes)
	}
	_, err := store.ChangeState(context.WithoutCancel(ctx), a.Store, SweepsKey, func(all *Sweeps) error {
		r := all.Last[k]
		r.At, r.Deleted = a.Now().UTC(), deleted
		all.put(k, r)
		return nil
	})
	return cmp.Or(failed, err)
}
