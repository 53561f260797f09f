package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
	"github.com/found-footy/found-footy/internal/footy"
)

func (s *documents) Append(ctx context.Context, rows ...footy.Entry) error {
	docs, err := encodeRows(rows)
	if err != nil || len(docs) == 0 {
		return err
	}
	return footy.Wrap(footy.CodeUnavailable, "append log", s.InsertNew(ctx, EventLog, docs))
}

func encodeRows(rows []footy.Entry) ([]Doc, error) {
	docs := make([]Doc, 0, len(rows))
	seen := map[string]bool{}
	for _, e := range rows {
		if e.Key == "" {
			return nil, footy.Errorf(footy.CodeInvalid, "append log", "a %s row of fixture %d has no key", e.Kind, e.FixtureID)
		}
		if seen[e.Key] {
			continue
		}
		seen[e.Key] = true
		d, err := encode("append log", e.Key, e)
		if err != nil {
			return nil, err
		}
		d.At, d.Group, d.Sub = instant(e.At), decimal(e.FixtureID), e.EventUID
		docs = append(docs, d)
	}
	return docs, nil
}

func (s *documents) Entries(ctx context.Context, q LogQuery) ([]footy.Entry, error) {
	filter := Filter{IDs: q.Keys, From: instant(q.Since), Newest: true}
	if q.EventUID != "" {
		filter.Subs = []string{q.EventUID}
	}
	if q.FixtureID != 0 {
		filter.Group = decimal(q.FixtureID)
	}
	if len(q.Kinds) == 0 {
		filter.Limit = q.Limit // else the limit counts only rows of the kinds asked for
	}
	rows, _, err := all(ctx, s, EventLog, filter, "read log", decoder[footy.Entry]("read log"))
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(e footy.Entry) bool {
		return e.At.Before(q.Since) || len(q.Kinds) > 0 && !slices.Contains(q.Kinds, e.Kind)
	})
	slices.SortFunc(rows, func(a, b footy.Entry) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Key, b.Key))
	})
	if q.Limit > 0 && len(rows) > q.Limit {
		rows = rows[len(rows)-q.Limit:]
	}
	return rows, nil
}

// FirstClips are the ways of standing goals of these fixtures to their first clips, as far as those came since then.
func FirstClips(ctx context.Context, log interface {
	Entries(ctx context.Context, q LogQuery) ([]footy.Entry, error)
}, fixtures []footy.Fixture, since time.Time) ([]delay.Way, error) {
	var keys []string
	for i := range fixtures {
		for j := range fixtures[i].Events {
			if e := &fixtures[i].Events[j]; e.Standing() && e.Kind == footy.KindGoal && len(e.Clips) > 0 {
				keys = append(keys, footy.FirstClipKey(e.UID))
			}
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	rows, err := log.Entries(ctx, LogQuery{Keys: keys, Since: since})
	ways := make([]delay.Way, len(rows))
	for i, r := range rows {
		ways[i] = r.Data.Stages
	}
	return ways, err
}
