package store

import (
	"context"

	"github.com/found-footy/found-footy/internal/footy"
)

func (s *documents) PutSnapshots(ctx context.Context, pollID string, snapshots []footy.Snapshot) error {
	docs := make([]Doc, 0, len(snapshots))
	at := map[string]int{} // a feed that lists a fixture twice: the last one counts, as if written one after the other
	for _, snap := range snapshots {
		d, err := encode("write snapshot", decimal(snap.Match.ID), LatestSnapshot{PollID: pollID, Snapshot: snap})
		if err != nil {
			return err
		}
		d.At = instant(snap.Match.Kickoff)
		if i, twice := at[d.ID]; twice {
			docs[i] = d
			continue
		}
		at[d.ID] = len(docs)
		docs = append(docs, d)
	}
	if len(docs) == 0 {
		return nil
	}
	return footy.Wrap(footy.CodeUnavailable, "write snapshots of "+pollID, s.Upsert(ctx, FixturesLive, docs))
}

// LatestSnapshots returns the stored snapshots. Fixtures without one are absent, and so are those whose snapshot is damaged: the next
// poll writes over it.
func (s *documents) LatestSnapshots(ctx context.Context, ids []int64) (map[int64]LatestSnapshot, error) {
	out := make(map[int64]LatestSnapshot, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	filter := Filter{}
	for _, id := range ids {
		filter.IDs = append(filter.IDs, decimal(id))
	}
	list, _, err := all(ctx, s, FixturesLive, filter, "read snapshots", decoder[LatestSnapshot]("read snapshot"))
	if err != nil {
		return nil, err
	}
	for _, latest := range list {
		out[latest.Snapshot.Match.ID] = latest
	}
	return out, nil
}
