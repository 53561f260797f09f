package inspect

import (
	"context"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

// Archive reads the fingerprints of every clip that s knows. A clip goes by its goal and its page.
func Archive(ctx context.Context, s store.Store) ([]Kept, error) {
	fixtures, err := s.List(ctx, store.FixtureQuery{})
	if err != nil {
		return nil, err
	}
	var out []Kept
	for _, f := range fixtures {
		for _, e := range f.Events {
			prints, err := s.Fingerprints(ctx, e.UID)
			if err != nil {
				return nil, err
			}
			for _, p := range prints {
				out = append(out, Kept{Name: footy.Label(e) + " " + footy.ClipPath(e.UID, p.ClipID), Fingerprint: p.Fingerprint})
			}
		}
	}
	return out, nil
}
