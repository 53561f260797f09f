package store

import (
	"context"
	"encoding/json"
	"errors"

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

// encodeState makes the document of a value.
func encodeState(key string, value any) (Doc, error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return Doc{}, footy.Errorf(footy.CodeInvalid, "write state "+key, "encode: %w", err)
	}
	return encode("write state", key, stateDoc{Value: raw})
}

// PutState overwrites the value under key.
func (s *documents) PutState(ctx context.Context, key string, value any) error {
	d, err := encodeState(key, value)
	if err != nil {
		return err
	}
	return footy.Wrap(footy.CodeUnavailable, "write state "+key, s.Upsert(ctx, ServiceState, []Doc{d}))
}

// UpdateState changes the value under key; the first one to write makes it.
func (s *documents) UpdateState(ctx context.Context, key string, change func(was json.RawMessage) (any, error)) error {
	_, err := retry(ctx, "state "+key, func() (struct{}, error) { return struct{}{}, s.tryState(ctx, key, change) })
	return err
}

// tryState does it once; CodeConflict asks for another try.
func (s *documents) tryState(ctx context.Context, key string, change func(json.RawMessage) (any, error)) error {
	var was stateDoc
	d, err := s.Find(ctx, ServiceState, key)
	found := err == nil
	switch {
	case found:
		if was, err = decode[stateDoc]("read state", d); err != nil {
			return err
		}
	case !footy.IsNotFound(err):
		return err
	}
	now, err := change(was.Value)
	if errors.Is(err, ErrUnchanged) {
		return nil
	}
	if err != nil {
		return aborted{err}
	}
	next, err := encodeState(key, now)
	if err != nil {
		return aborted{err}
	}
	next.Revision = d.Revision + 1
	if !found {
		return s.Insert(ctx, ServiceState, next)
	}
	return s.Replace(ctx, ServiceState, next, d.Revision)
}

// ChangeState is UpdateState on a decoded value, which is zero where there is none. It returns the value as change left it.
func ChangeState[T any](ctx context.Context, s State, key string, change func(*T) error) (T, error) {
	var value T
	err := s.UpdateState(ctx, key, func(was json.RawMessage) (any, error) {
		var fresh T
		value = fresh
		if was != nil {
			if err := json.Unmarshal(was, &value); err != nil {
				return nil, footy.Errorf(footy.CodeInvalid, "change state "+key, "decode: %w", err)
			}
		}
		err := change(&value)
		return value, err
	})
	return value, err
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
