package monitor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
)

// PollChunk is Poll, as workflows call it.
var PollChunk = policy.Define[Chunk, PollResult]("store_and_compare", policy.Row{Queue: policy.QueueMain, Timeout: 15 * time.Second, Tries: 2, Budget: 25 * time.Second,
	Why: "one vendor call of 10 s at most and one bulk write"})

// Poll makes one call to the feed, keeps the answers in the live buffer and reports what needs a decision.
func (a *Activities) Poll(ctx context.Context, in Chunk) (PollResult, error) {
	ans, err := a.Feed.ByIDs(ctx, in.IDs)
	if noted := errors.Join(a.keepQuota(ctx), a.noteAnswer(ctx, err)); noted != nil {
		return PollResult{}, noted
	}
	if err != nil {
		return PollResult{}, fault.Final(err) // the feed tried as often as one cycle may; the next one comes anyway
	}
	ans = withoutEndless(ans)
	known, err := a.Store.List(ctx, store.FixtureQuery{IDs: in.IDs})
	if err != nil {
		return PollResult{}, err
	}
	before, err := a.latest(ctx, in.IDs)
	if err != nil {
		return PollResult{}, err
	}
	p := polled{Activities: a, in: in, before: before, fixtures: make(map[int64]footy.Fixture, len(known))}
	for _, f := range known {
		p.fixtures[f.ID] = f
	}
	believed := slices.DeleteFunc(slices.Clone(ans.Snapshots), p.counted)
	for i := range believed {
		id := believed[i].Match.ID
		believed[i].Before = p.answeredBefore(id)
		believed[i].Match.Status.Since = lifecycle.ClockSince(p.before[id].Snapshot, believed[i])
	}
	if err := p.keep(ctx, believed); err != nil {
		return PollResult{}, err
	}
	crashpoint.Here(crashpoint.PollStored)
	p.out.Answered = len(believed)
	for _, s := range believed {
		p.compare(s)
	}
	for _, id := range in.IDs { // in the order asked, so that a repeat answers the same
		if why, failed := ans.Failed[id]; failed {
			p.out.Failed = append(p.out.Failed, Failure{ID: id, Why: short(why)})
		}
	}
	return p.out, nil
}

// latest is what the feed said last of a fixture, and the poll that asked.
type latest struct {
	footy.Snapshot
	poll string
}

// latest reads what was said last of fixtures. What cannot be read any more is absent: the next poll writes over it.
func (a *Activities) latest(ctx context.Context, ids []int64) (map[int64]latest, error) {
	stored, err := a.Store.LatestAnswers(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[int64]latest, len(stored))
	for id, said := range stored {
		if s, err := a.Feed.Parse(said.Said, said.Answered); err == nil {
			s.Before, s.Match.Status.Since = said.Before, said.Since
			out[id] = latest{s, said.PollID}
		}
	}
	return out, nil
}

// keep writes down what was said of the fixtures, and as text what changed a match.
func (p *polled) keep(ctx context.Context, believed []footy.Snapshot) error {
	all := make([]store.Answer, len(believed))
	for i, s := range believed {
		f := p.fixtures[s.Match.ID]
		said, err := p.Feed.WithIDs(s.Said, debounce.IDs(&f, s, p.Rules.Votes))
		if err != nil {
			return err
		}
		all[i] = store.Answer{FixtureID: s.Match.ID, Kickoff: s.Match.Kickoff, PollID: p.in.Poll, Answered: s.Answered, Before: s.Before, Since: s.Match.Status.Since, Said: said}
	}
	for i, s := range believed {
		if was, known := p.before[s.Match.ID]; !known || changed(was.Snapshot, s) {
			if err := p.Store.KeepAnswer(ctx, all[i]); err != nil {
				return err
			}
		}
	}
	return p.Store.PutAnswers(ctx, all) // last: a poll that is repeated compares with what was said before it
}

// changed reports whether an answer says something else than the time before, the running clock apart.
func changed(was, is footy.Snapshot) bool {
	for _, s := range []*footy.Snapshot{&was, &is} {
		*s = footy.Snapshot{Match: s.Match, Teams: s.Teams, Score: s.Score, Periods: s.Periods, Events: s.Events, HasEvents: s.HasEvents}
		s.Match.Status.Elapsed, s.Match.Status.Extra, s.Match.Status.Since = nil, nil, time.Time{}
	}
	return !reflect.DeepEqual(was, is)
}

// withoutEndless gives up answers with more lines than a match can have: they tell of a feed that repeats itself.
func withoutEndless(ans feed.Answer) feed.Answer {
	failed := maps.Clone(ans.Failed)
	ans.Snapshots = slices.DeleteFunc(slices.Clone(ans.Snapshots), func(s footy.Snapshot) bool {
		endless := len(s.Events) > footy.MaxEvents
		if endless {
			if failed == nil {
				failed = map[int64]string{}
			}
			failed[s.Match.ID] = fmt.Sprintf("it lists %d events, and more than %d are not believed", len(s.Events), footy.MaxEvents)
		}
		return endless
	})
	ans.Failed = failed
	return ans
}

// polled is one answer on its way.
type polled struct {
	*Activities
	in       Chunk
	fixtures map[int64]footy.Fixture
	before   map[int64]latest
	out      PollResult
}

// counted reports whether an answer was there at an earlier poll: a feed that is asked seldom gives the one that it has, and that is neither
// another sighting nor another absence.
func (p *polled) counted(s footy.Snapshot) bool {
	was := p.previous(s.Match.ID)
	return was != nil && !s.Answered.IsZero() && was.Answered.Equal(s.Answered)
}

// compare tells what an answer says for or against its poll, and whether it needs a decision.
func (p *polled) compare(s footy.Snapshot) {
	f, ok := p.fixtures[s.Match.ID]
	if !ok {
		return
	}
	trust := cycle.TrustOf(f, p.previous(f.ID), s)
	if len(trust.Regressed) > 0 {
		p.out.Regressed = append(p.out.Regressed, f.ID)
	}
	p.out.Vanished += len(trust.Missing)
	if p.Rules.Due(f, s, p.Now().UTC()) {
		p.out.Changed = append(p.out.Changed, f.ID)
	}
}

// answeredBefore is when the feed answered about a fixture before this poll.
func (p *polled) answeredBefore(id int64) time.Time {
	was := p.before[id]
	if was.poll == p.in.Poll {
		return was.Snapshot.Before // this poll is repeated
	}
	return was.Snapshot.Answered
}

// previous is the answer before this poll's; a repeated poll must not be compared with itself.
func (p *polled) previous(id int64) *footy.Snapshot {
	if was, ok := p.before[id]; ok && was.poll != p.in.Poll {
		return &was.Snapshot
	}
	return nil
}
