package store

import (
	"context"
	"encoding/json"

	"github.com/found-footy/found-footy/internal/footy"
)

// stateDoc wraps the value so that any JSON, also a bare number, makes a document.
type stateDoc struct {
	Value json.RawMessage `json:"value"`
}

// State decodes the value under key into out.
func (s *documents) State(ctx context.Context, key string, out any) error {
	d, err := s.Find(ctx, ServiceState, key)
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, "read state "+key, err)
	}
	doc, err := decode[stateDoc]("read state", d)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(doc.Value, out); err != nil {
		return footy.Errorf(footy.CodeInvalid, "read state "+key, "decode: %w", err)
	}
	return nil
}

// PutState overwrites the value under key.
func (s *documents) PutState(ctx context.Context, key string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return footy.Errorf(footy.CodeInvalid, "write state "+key, "encode: %w", err)
	}
	d, err := encode("write state", key, stateDoc{Value: raw})
	if err != nil {
		return err
	}
	return footy.Wrap(footy.CodeUnavailable, "write state "+key, s.Upsert(ctx, ServiceState, []Doc{d}))
}

// Aliases returns the cached names of a team.
func (s *documents) Aliases(ctx context.Context, teamID int64) (footy.TeamAliases, error) {
	d, err := s.Find(ctx, TeamAliases, decimal(teamID))
	if err != nil {
		return footy.TeamAliases{}, footy.Wrap(footy.CodeUnavailable, "read aliases of team "+decimal(teamID), err)
	}
	return decode[footy.TeamAliases]("read aliases", d)
}

// PutAliases overwrites the cached names of a team.
func (s *documents) PutAliases(ctx context.Context, a footy.TeamAliases) error {
	d, err := encode("write aliases", decimal(a.TeamID), a)
	if err != nil {
		return err
	}
	d.At = instant(a.UpdatedAt)
	return footy.Wrap(footy.CodeUnavailable, "write aliases of "+a.Team, s.Upsert(ctx, TeamAliases, []Doc{d}))
}
