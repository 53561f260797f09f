package store

import (
	"context"
	"strconv"

	"github.com/found-footy/found-footy/internal/footy"
)

func (s *documents) Add(ctx context.Context, f footy.Fixture, rows ...footy.Entry) error {
	if err := validStage(f); err != nil {
		return err
	}
	f.Revision = 1
	d, err := encodeFixture(f, nil)
	if err != nil {
		return err
	}
	log, err := encodeRows(rows)
	if err != nil {
		return err
	}
	return footy.Wrap(footy.CodeUnavailable, "add fixture "+d.ID, s.Insert(ctx, FixturesColl, d, log...))
}

func (s *documents) Fixture(ctx context.Context, id int64) (footy.Fixture, error) {
	return one(ctx, s, FixturesColl, decimal(id), "find fixture "+decimal(id), decodeFixture)
}

func (s *documents) Update(ctx context.Context, id int64, change func(*footy.Fixture) ([]footy.Entry, error)) (footy.Fixture, error) {
	return update(ctx, s, aggregate[footy.Fixture]{
		in: FixturesColl, id: decimal(id), what: "fixture " + decimal(id), decode: decodeFixture,
		encode: func(read, f footy.Fixture, body []byte) (footy.Fixture, Doc, error) {
			if err := validStage(f); err != nil {
				return f, Doc{}, err
			}
			f.ID, f.Revision = read.ID, read.Revision+1 // what locates a fixture belongs to the store
			d, err := encodeFixture(f, body)
			return f, d, err
		},
	}, change)
}

// Delete removes a fixture with its posts, log and answers. What died half-way still has the fixture, and an answer alone is not shown.
func (s *documents) Delete(ctx context.Context, id int64) error {
	of := decimal(id)
	for _, step := range []struct {
		c Collection
		f Filter
	}{{PostsColl, Filter{Group: of}}, {EventLog, Filter{Group: of}}, {FixturesColl, Filter{IDs: []string{of}}}, {FixturesLive, Filter{IDs: []string{of}}},
		{ServiceState, Filter{IDs: []string{answersKey(id)}}}} {
		if err := s.Backend.Delete(ctx, step.c, step.f); err != nil {
			return footy.Wrap(footy.CodeUnavailable, "delete fixture "+of, err)
		}
	}
	s.note(FixturesColl, of, nil)
	return nil
}

func (s *documents) List(ctx context.Context, q FixtureQuery) ([]footy.Fixture, error) {
	list, _, err := all(ctx, s, FixturesColl, q.filter(), "list fixtures", decodeFixture)
	return list, err
}

func (s *documents) Revisions(ctx context.Context, q FixtureQuery) (map[int64]int64, error) {
	f := q.filter()
	f.Bare = true
	docs, err := s.Select(ctx, FixturesColl, f)
	out := make(map[int64]int64, len(docs))
	for _, d := range docs {
		if id, err := strconv.ParseInt(d.ID, 10, 64); err == nil { // List names what is damaged
			out[id] = d.Revision
		}
	}
	return out, footy.Wrap(footy.CodeUnavailable, "list revisions", err)
}

func (q FixtureQuery) filter() Filter {
	f := Filter{From: instant(q.From), To: instant(q.To), Words: words(q.Text), Limit: q.Limit, Newest: q.Newest}
	switch {
	case q.Open:
		f.Key = openKey
	case q.Team != 0:
		f.Key = teamKey(q.Team)
	case q.League != 0:
		f.Key = leagueKey(q.League)
	}
	for _, id := range q.IDs {
		f.IDs = append(f.IDs, decimal(id))
	}
	for _, stage := range q.Stages {
		f.Subs = append(f.Subs, string(stage))
	}
	return f
}

func (s *documents) FixturesWithClip(ctx context.Context, digest string) ([]footy.Fixture, error) {
	if digest == "" {
		return nil, footy.Errorf(footy.CodeInvalid, "find clip", "an empty digest names no content")
	}
	list, _, err := all(ctx, s, FixturesColl, Filter{Key: clipKey(digest)}, "find clip "+digest, decodeFixture)
	return list, err
}

func (s *documents) FixtureOfEvent(ctx context.Context, eventID string) (footy.Fixture, error) {
	op := "find event " + eventID
	if eventID == "" {
		return footy.Fixture{}, footy.Errorf(footy.CodeNotFound, op, "an empty id names no event")
	}
	found, bad, err := all(ctx, s, FixturesColl, Filter{Key: eventID}, op, decodeFixture)
	if err != nil {
		return footy.Fixture{}, err
	}
	for _, f := range found {
		if f.Event(eventID) != nil {
			return f, nil
		}
	}
	if len(bad) > 0 { // it is there
		_, err := decodeFixture(bad[0])
		return footy.Fixture{}, footy.Wrap(footy.CodeInvalid, op, err)
	}
	return footy.Fixture{}, footy.Errorf(footy.CodeNotFound, op, "no fixture has it")
}
