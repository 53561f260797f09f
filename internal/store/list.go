package store

import (
	"cmp"
	"context"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// List returns fixtures by kickoff, then id, each once. A fixture that went back a stage during the reading could have
// been missed; then it reads again.
func (s *documents) List(ctx context.Context, q FixtureQuery) ([]footy.Fixture, error) {
	list, err := s.list(ctx, q)
	return list, footy.Wrap(footy.CodeUnavailable, "list fixtures", err)
}

func (s *documents) list(ctx context.Context, q FixtureQuery) ([]footy.Fixture, error) {
	if len(q.Stages) == 1 {
		return s.readStages(ctx, q, q.Limit)
	}
	before, err := s.returns(ctx)
	for err == nil {
		var list []footy.Fixture
		if list, err = s.readStages(ctx, q, q.Limit); err != nil {
			break
		}
		var after string
		if after, err = s.returns(ctx); err == nil && before == after {
			return list, nil
		}
		before = after
	}
	return nil, err
}

// readStages reads the stages once, in the order fixtures go, taking at most limit of each where limit is set.
func (s *documents) readStages(ctx context.Context, q FixtureQuery, limit int) ([]footy.Fixture, error) {
	filter := Filter{From: instant(q.From), To: instant(q.To), Words: words(q.Text), Limit: limit, Newest: q.Newest}
	for _, id := range q.IDs {
		filter.IDs = append(filter.IDs, decimal(id))
	}
	best := map[int64]footy.Fixture{}
	rows := 0
	for _, stage := range stageOrder {
		if !q.wants(stage) {
			continue
		}
		c, err := collectionOf(stage)
		if err != nil {
			return nil, err
		}
		docs, err := s.Select(ctx, c, filter)
		if err != nil {
			return nil, err
		}
		rows += len(docs)
		for _, d := range docs {
			f, err := s.truth(ctx, d)
			if footy.IsNotFound(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			if other, twice := best[f.ID]; q.wants(f.Stage) && (!twice || newestFirst(f, other) < 0) {
				best[f.ID] = f
			}
		}
	}
	if limit > 0 && len(best) < rows { // what was dropped may have kept others out
		return s.readStages(ctx, q, 0)
	}
	return arrange(best, q), nil
}

// wants reports whether the query takes fixtures of a stage.
func (q FixtureQuery) wants(stage footy.Stage) bool {
	return len(q.Stages) == 0 || slices.Contains(q.Stages, stage)
}

// truth decodes a fixture; of one marked as moving it returns the copy that counts, which may be at its new stage.
func (s *documents) truth(ctx context.Context, d Doc) (footy.Fixture, error) {
	f, err := decodeFixture(d)
	if err != nil || f.MovingTo == "" {
		return f, err
	}
	return s.Fixture(ctx, f.ID)
}

// arrange sorts by kickoff, then id, and keeps what the query's limit allows.
func arrange(set map[int64]footy.Fixture, q FixtureQuery) []footy.Fixture {
	list := make([]footy.Fixture, 0, len(set))
	for _, f := range set {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b footy.Fixture) int {
		return cmp.Or(a.Match.Kickoff.Compare(b.Match.Kickoff), cmp.Compare(a.ID, b.ID))
	})
	if q.Limit > 0 && len(list) > q.Limit {
		if q.Newest {
			return list[len(list)-q.Limit:]
		}
		return list[:q.Limit]
	}
	return list
}
