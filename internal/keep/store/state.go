package store

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// stateDoc wraps the value so that any JSON, also a bare number, makes a document.
type stateDoc struct {
	Value json.RawMessage `json:"value"`
}

// State decodes the value under key into out. What can be learned again and cannot be read is not found, with ErrDamaged in the chain; out stays
// as it was.
func (s *documents) State(ctx context.Context, key string, out any) error {
	d, err := s.Find(ctx, ServiceState, key)
	if err != nil {
		if footy.IsNotFound(err) {
			s.note(ServiceState, key, nil)
		}
		return footy.Wrap(footy.CodeUnavailable, "read state "+key, err)
	}
	value, err := valueOf(d)
	if err == nil { // a copy first: one that fails half-way must leave nothing in out
		err = asDamage(key, json.Unmarshal(value, reflect.New(reflect.TypeOf(out).Elem()).Interface()))
	}
	if err != nil {
		return s.unread(d, err)
	}
	s.note(ServiceState, key, nil)
	return asDamage(key, json.Unmarshal(value, out))
}

// valueOf unwraps the value of a document; no writer stores none.
func valueOf(d Doc) (json.RawMessage, error) {
	doc, err := decode[stateDoc]("read state", d)
	if err == nil && (len(doc.Value) == 0 || string(doc.Value) == "null") {
		err = asDamage(d.ID, errNoValue)
	}
	return doc.Value, err
}

var errNoValue = errors.New("it has no value")

// asDamage is the failure to decode a fact.
func asDamage(key string, err error) error {
	if err == nil {
		return nil
	}
	return footy.Errorf(footy.CodeInvalid, "read state "+key, "decode %s: %w (%w)", key, err, ErrDamaged)
}

// unread remembers a fact that cannot be read, and says what it counts as.
func (s *documents) unread(d Doc, err error) error {
	s.note(ServiceState, d.ID, err)
	s.mu.Lock()
	at := [2]string{string(ServiceState), d.ID}
	is := s.list[at]
	is.was = string(d.Body)
	s.list[at] = is
	s.mu.Unlock()
	if is.Learned() {
		return footy.Errorf(footy.CodeNotFound, "read state "+d.ID, "it counts as absent, since it cannot be read: %w", err)
	}
	return err
}

func encodeState(key string, value any) (Doc, error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return Doc{}, footy.Errorf(footy.CodeInvalid, "write state "+key, "encode: %w", err)
	}
	return encode("write state", key, stateDoc{Value: raw})
}

func (s *documents) PutState(ctx context.Context, key string, value any) error {
	d, err := encodeState(key, value)
	if err != nil {
		return err
	}
	if err := s.Upsert(ctx, ServiceState, []Doc{d}); err != nil {
		return footy.Wrap(footy.CodeUnavailable, "write state "+key, err)
	}
	s.note(ServiceState, key, nil)
	return nil
}

func (s *documents) UpdateState(ctx context.Context, key string, change func(was json.RawMessage) (any, error)) error {
	_, err := retry(ctx, "state "+key, func() (struct{}, error) { return struct{}{}, s.tryState(ctx, key, change) })
	return err
}

// tryState does it once; CodeConflict asks for another try.
func (s *documents) tryState(ctx context.Context, key string, change func(json.RawMessage) (any, error)) error {
	var was json.RawMessage
	var now any
	d, err := s.Find(ctx, ServiceState, key)
	found := err == nil
	switch {
	case found:
		if was, err = valueOf(d); err == nil {
			now, err = change(was)
		}
		if errors.Is(err, ErrDamaged) {
			if err = s.unread(d, err); !footy.IsNotFound(err) {
				return aborted{err}
			}
			if now, err = change(nil); errors.Is(err, ErrUnchanged) && now != nil {
				err = nil // it is written anew as it is
			}
		}
	case footy.IsNotFound(err):
		now, err = change(nil)
	default:
		return err
	}
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
	if found {
		err = s.Replace(ctx, ServiceState, next, d.Revision)
	} else {
		err = s.Insert(ctx, ServiceState, next)
	}
	if err == nil {
		s.note(ServiceState, key, nil)
	}
	return err
}

// ChangeState is UpdateState on a decoded value, which is zero where there is none, or none that can be read and it can be learned again.
// It returns the value as change left it.
func ChangeState[T any](ctx context.Context, s State, key string, change func(*T) error) (T, error) {
	var value T
	err := s.UpdateState(ctx, key, func(was json.RawMessage) (any, error) {
		var fresh T
		value = fresh
		if was != nil {
			if err := json.Unmarshal(was, &value); err != nil {
				return nil, asDamage(key, err)
			}
		}
		err := change(&value)
		return value, err
	})
	return value, err
}

// Fact is the value under a key; zero where there is none.
func Fact[T any](ctx context.Context, s State, key string) (value T, err error) {
	if err = s.State(ctx, key, &value); footy.IsNotFound(err) {
		err = nil
	}
	return value, err
}

// Mend writes what is safe in place of a fact that must not be guessed and cannot be read, as err says; any other error it returns.
func Mend(ctx context.Context, s interface {
	PutState(ctx context.Context, key string, value any) error
}, key string, safe any, err error,
) error {
	if !errors.Is(err, ErrDamaged) {
		return err
	}
	return s.PutState(ctx, key, safe)
}

// Renew drops what can be learned again and was found unreadable, so that it is written anew by those who learn it. It is for a process that
// writes, and asked in each of its rounds.
func (s *documents) Renew(ctx context.Context) error {
	for _, bad := range s.Damaged() {
		if bad.Renewed || !bad.Learned() {
			continue
		}
		d, err := s.Find(ctx, ServiceState, bad.ID)
		if err == nil && string(d.Body) == bad.was { // else it was written meanwhile
			err = s.Backend.Delete(ctx, ServiceState, Filter{IDs: []string{bad.ID}})
		}
		if err != nil && !footy.IsNotFound(err) {
			return footy.Wrap(footy.CodeUnavailable, "renew state "+bad.ID, err)
		}
		s.note(ServiceState, bad.ID, nil)
	}
	return nil
}

// CheckState looks at every fact: those that cannot be read are among Damaged then.
func (s *documents) CheckState(ctx context.Context) error {
	docs, err := s.Select(ctx, ServiceState, Filter{})
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, "read state", err)
	}
	met := map[string]bool{}
	for _, d := range docs {
		if _, err := valueOf(d); err != nil {
			_ = s.unread(d, err) // it is in the list
			met[d.ID] = true
		}
	}
	for _, d := range s.Damaged() {
		if d.Collection == ServiceState && !met[d.ID] {
			s.note(ServiceState, d.ID, nil)
		}
	}
	return nil
}

// Aliases returns the cached names of a team. Those that cannot be read are not cached: they are looked up again.
func (s *documents) Aliases(ctx context.Context, teamID int64) (footy.TeamAliases, error) {
	op := "read aliases of team " + decimal(teamID)
	a, err := one(ctx, s, TeamAliases, decimal(teamID), op, decoder[footy.TeamAliases](op))
	if errors.Is(err, ErrDamaged) {
		return footy.TeamAliases{}, footy.Errorf(footy.CodeNotFound, op, "they count as absent, since they cannot be read: %w", err)
	}
	return a, err
}

func (s *documents) PutAliases(ctx context.Context, a footy.TeamAliases) error {
	d, err := encode("write aliases", decimal(a.TeamID), a)
	if err != nil {
		return err
	}
	d.At = instant(a.UpdatedAt)
	if err := s.Upsert(ctx, TeamAliases, []Doc{d}); err != nil {
		return footy.Wrap(footy.CodeUnavailable, "write aliases of "+a.Team, err)
	}
	s.note(TeamAliases, d.ID, nil)
	return nil
}

// restoredKey is where the last restore is noted.
const restoredKey = "restored"

type restored struct {
	At time.Time `json:"at"`
}

// NoteRestored notes that the database is a copy from before now: what was notified after that copy is not known.
func NoteRestored(ctx context.Context, s State, now time.Time) error {
	return s.PutState(ctx, restoredKey, restored{now.UTC()})
}

// Restored is when this database was last brought back; zero if it never was. Where that cannot be read it counts as now: what was
// scored before is not notified twice.
func Restored(ctx context.Context, s State) (time.Time, error) {
	last, err := Fact[restored](ctx, s, restoredKey)
	if err != nil {
		last.At = time.Now().UTC()
		err = Mend(ctx, s, restoredKey, last, err)
	}
	return last.At, err
}
