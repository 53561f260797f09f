package owner

import (
	"context"
	"errors"

	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
)

var errEnough = errors.New("enough was seen")

// content looks what lies in a clip store without a mark, and whether the database names any of it. Where only
// staged bytes lie there, which can be fetched again, they are ours if the database is from before ids and has matches.
func (g *Guard) content(ctx context.Context, before bool) (content, known bool, err error) {
	each := func(string) bool { return true }
	clips, err := g.has(ctx, each, blob.ClipPrefix, blob.PosterPrefix)
	if err != nil {
		return false, false, err
	}
	if clips {
		known, err = g.knows(ctx)
		return true, known, err
	}
	if content, err = g.has(ctx, each, blob.StagingPrefix); err != nil || !content || !before {
		return content, false, err
	}
	fixtures, err := g.docs.List(ctx, store.FixtureQuery{Limit: 1})
	return content, len(fixtures) > 0, err
}

// knows reports whether the database names a clip or picture that lies there.
func (g *Guard) knows(ctx context.Context) (bool, error) {
	fixtures, err := g.docs.List(ctx, store.FixtureQuery{})
	if err != nil {
		return false, err
	}
	keys := map[string]bool{}
	for _, f := range fixtures {
		for _, e := range f.Events {
			for _, c := range e.Clips {
				keys[c.Key], keys[c.PosterKey] = true, true
			}
		}
	}
	if known, err := g.there(ctx, keys); known || err != nil {
		return known, err
	}
	clear(keys)
	for _, f := range fixtures {
		posts, err := g.docs.Posts(ctx, store.PostQuery{FixtureID: f.ID})
		if err != nil {
			return false, err
		}
		for _, p := range posts {
			if p.Media != nil {
				keys[p.Media.StillKey], keys[p.Media.FootageKey] = true, true
			}
		}
	}
	return g.there(ctx, keys)
}

// there reports whether one of these keys lies in the clip store.
func (g *Guard) there(ctx context.Context, keys map[string]bool) (bool, error) {
	delete(keys, "")
	if len(keys) == 0 {
		return false, nil
	}
	return g.has(ctx, func(key string) bool { return keys[key] }, blob.ClipPrefix, blob.PosterPrefix)
}

// has reports whether an object under one of these prefixes is one that is looked for.
func (g *Guard) has(ctx context.Context, wanted func(key string) bool, prefixes ...string) (found bool, err error) {
	for _, prefix := range prefixes {
		err := g.List(ctx, prefix, func(a blob.Attributes) error {
			if found = wanted(a.Key); found {
				return errEnough
			}
			return nil
		})
		if found {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}
