package owner

import (
	"context"
	"errors"
	"time"

	"github.com/found-footy/found-footy/internal/decide/keeping"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

// livesKept is more than processes of one installation can write while one of them is late.
const livesKept = 20

// NewLife is what a copy of a database is known by in the clip store until it sweeps again.
func NewLife() string { return NewID() }

func (i *Installation) live(life string) {
	i.Contested, i.Lives = time.Time{}, append(i.Lives, life)
	i.Lives = i.Lives[max(0, len(i.Lives)-livesKept):]
}

func (i *Installation) sole(m mark) bool {
	return keeping.Fence{Mark: m.Life, Contested: m.Contested, Own: i.Lives}.Sole()
}

// Renew writes a new life into the mark; a *Refusal where another copy of the database has written its own. Both copies find that out, because
// the one that does contests the mark, and neither ends it: an operator does, by Adopt.
func (g *Guard) Renew(ctx context.Context) error {
	g.mu.Lock()
	g.until = time.Time{}
	g.mu.Unlock()
	if err := g.Writable(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	m, err := g.mark(ctx) // before the database: what another process of this installation writes meanwhile is known there first
	if err != nil {
		return err
	}
	life, sole := NewLife(), false
	err = change(ctx, g.docs, func(is *Installation) bool {
		if sole = is.sole(m); sole {
			is.live(life) // before the mark has it: a crash in between is no other copy
		} else {
			is.Contested = g.now().UTC()
		}
		return true
	})
	switch {
	case err != nil:
		return err
	case sole:
		m.Life = life
		return m.write(ctx, g.Store)
	case !m.Contested:
		m.Contested = true
		err = m.write(ctx, g.Store)
	}
	return errors.Join(g.refuse(&Refusal{Whose: keeping.Copied}), err)
}

// Renew renews a guarded clip store; any other has no owner.
func Renew(ctx context.Context, b blob.Store) error {
	if g, guarded := b.(*Guard); guarded {
		return g.Renew(ctx)
	}
	return nil
}

// Look is what Writable and Renew would say just now, and writes nothing.
func (g *Guard) Look(ctx context.Context) error {
	looks := ReadOnly(g.Store, g.docs, g.now)
	looks.Settings = g.Settings
	if err := looks.Writable(ctx); err != nil {
		return err
	}
	m, err := g.mark(ctx)
	if err != nil || m.ID == "" {
		return err
	}
	is, err := InstallationOf(ctx, g.docs)
	if err != nil && !footy.IsNotFound(err) {
		return err
	}
	if is.sole(m) {
		return nil
	}
	return g.refuse(&Refusal{Whose: keeping.Copied})
}

// Contested is what the last Renew of any process found, as the database has it.
func (g *Guard) Contested(ctx context.Context) error {
	is, err := InstallationOf(ctx, g.docs)
	if err != nil || is.Contested.IsZero() {
		return err
	}
	return g.refuse(&Refusal{Whose: keeping.Copied})
}
