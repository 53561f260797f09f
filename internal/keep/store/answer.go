package store

import (
	"context"
	"encoding/json"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// asked is what stands in the document of an answer beside what the feed said.
type asked struct {
	PollID   string    `json:"_poll_id"`
	Answered time.Time `json:"_answered,omitzero"`
	Before   time.Time `json:"_before,omitzero"`
	Since    time.Time `json:"_since,omitzero"`
}

func (s *documents) PutAnswers(ctx context.Context, answers []Answer) error {
	const op = "write answers"
	docs := make([]Doc, 0, len(answers))
	at := map[int64]int{} // a feed that lists a fixture twice: the last one counts, as if written one after the other
	for _, a := range answers {
		beside, err := json.Marshal(asked{a.PollID, a.Answered, a.Before, a.Since})
		if err != nil || len(a.Said) < len("{}") || a.Said[0] != '{' {
			return footy.Errorf(footy.CodeInvalid, op, "what was said of fixture %d is no object: %w", a.FixtureID, err)
		}
		d, err := encode(op, decimal(a.FixtureID), json.RawMessage(prepend(beside, a.Said)))
		if err != nil {
			return err
		}
		d.At = instant(a.Kickoff)
		if i, twice := at[a.FixtureID]; twice {
			docs[i] = d
			continue
		}
		at[a.FixtureID] = len(docs)
		docs = append(docs, d)
	}
	if len(docs) == 0 {
		return nil
	}
	return footy.Wrap(footy.CodeUnavailable, op, s.Upsert(ctx, FixturesLive, docs))
}

// LatestAnswers leaves out what is damaged, and what a release before 1.2 wrote: the next poll writes over it.
func (s *documents) LatestAnswers(ctx context.Context, ids []int64) (map[int64]Answer, error) {
	out := make(map[int64]Answer, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	filter := Filter{}
	of := map[string]int64{}
	for _, id := range ids {
		filter.IDs, of[decimal(id)] = append(filter.IDs, decimal(id)), id
	}
	list, _, err := all(ctx, s, FixturesLive, filter, "read answers", func(d Doc) (Answer, error) {
		with, err := decode[asked]("read answer", d)
		return Answer{FixtureID: of[d.ID], Kickoff: d.At, PollID: with.PollID, Answered: with.Answered, Before: with.Before, Since: with.Since, Said: d.Body}, err
	})
	if err != nil {
		return nil, err
	}
	for _, a := range list {
		if a.PollID != "" {
			out[a.FixtureID] = a
		}
	}
	return out, nil
}

// answersKey is where the answers of a fixture that changed something lie.
func answersKey(fixtureID int64) string { return "answers/" + decimal(fixtureID) }

func (s *documents) KeepAnswer(ctx context.Context, a Answer) error {
	kept, err := s.KeptAnswers(ctx, a.FixtureID)
	if err != nil {
		return err
	}
	if n := len(kept); n > 0 && kept[n-1].PollID == a.PollID {
		return nil // the poll is repeated
	}
	kept = append(kept, KeptAnswer{a.Answered, a.PollID, string(a.Said)})
	return s.PutState(ctx, answersKey(a.FixtureID), kept[max(0, len(kept)-MaxAnswers):])
}

func (s *documents) KeptAnswers(ctx context.Context, fixtureID int64) ([]KeptAnswer, error) {
	return Fact[[]KeptAnswer](ctx, s, answersKey(fixtureID))
}
