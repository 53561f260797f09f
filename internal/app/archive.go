package app

import (
	"context"

	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/inspect"
	"github.com/found-footy/found-footy/internal/store"
)

// Archive reads the fingerprints of every clip in the state that c names. A clip goes by its goal and its page.
func Archive(ctx context.Context, c config.Config) ([]inspect.Kept, error) {
	s, err := openStore(ctx, c)
	if err != nil {
		return nil, err
	}
	defer s.Close() //nolint:errcheck // nothing was written
	fixtures, err := s.List(ctx, store.FixtureQuery{})
	if err != nil {
		return nil, err
	}
	var out []inspect.Kept
	for _, f := range fixtures {
		for _, e := range f.Events {
			prints, err := s.Fingerprints(ctx, e.UID)
			if err != nil {
				return nil, err
			}
			for _, p := range prints {
				out = append(out, inspect.Kept{Name: footy.Label(e) + " " + footy.ClipPath(e.UID, p.ClipID), Fingerprint: p.Fingerprint})
			}
		}
	}
	return out, nil
}
