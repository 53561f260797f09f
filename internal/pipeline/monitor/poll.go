package monitor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/decide/match/cycle"
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

// Poll makes one call to the feed, keeps the answers in the live buffer and reports what needs a decision,
// and what must be asked otherwise before anything is believed.
func (a *Activities) Poll(ctx context.Context, in Chunk) (PollResult, error) {
	ids := slices.Concat(in.IDs, in.Watch)
	ans, err := a.call(ctx, in.Call)
	if noted := errors.Join(a.keepQuota(ctx), a.learn(ctx, in.Kind, err), a.noteAnswer(ctx, in.Kind, err)); noted != nil {
		return PollResult{}, noted
	}
	if footy.CodeOf(err) == footy.CodeNotInPlan && in.Kind != calls.ID {
		return a.refused(ctx, in)
	}
	if err != nil {
		return PollResult{}, fault.Final(err) // the feed tried as often as one cycle may; the next one comes anyway
	}
	ans = withoutEndless(ans)
	known, err := a.Store.List(ctx, store.FixtureQuery{IDs: ids})
	if err != nil {
		return PollResult{}, err
	}
	before, err := a.Store.LatestSnapshots(ctx, ids)
	if err != nil {
		return PollResult{}, err
	}
	p := polled{Activities: a, in: in, before: before, fixtures: make(map[int64]footy.Fixture, len(known))}
	for _, f := range known {
		p.fixtures[f.ID] = f
	}
	ans.Snapshots = slices.DeleteFunc(slices.Clone(ans.Snapshots), p.counted)
	believed := p.believed(ans)
	for i := range believed {
		believed[i].Before = p.answeredBefore(believed[i].Match.ID)
	}
	if err := a.Store.PutSnapshots(ctx, in.Poll, believed); err != nil {
		return PollResult{}, err
	}
	crashpoint.Here(crashpoint.PollStored)
	p.out.Answered = len(believed)
	for _, s := range believed {
		p.compare(s)
	}
	switch in.Kind {
	case calls.Live:
		err = p.askAgain(ctx, ans, believed)
		return p.out, err
	case calls.ID:
		if err := a.touch(ctx, in.IDs[0]); err != nil { // when it was asked decides when it is asked again
			return PollResult{}, err
		}
	}
	for _, id := range in.IDs { // in the order asked, so that a repeat answers the same
		if why, failed := ans.Failed[id]; failed {
			p.out.Failed = append(p.out.Failed, Failure{ID: id, Why: short(why)})
		}
	}
	return p.out, nil
}

// mostListed is how many lines of one match are looked at: goals, cards, changes of players and decisions of the VAR. A hundred are a lot.
const mostListed = 2000

// withoutEndless gives up answers with more lines than that: they tell of a feed that repeats itself.
func withoutEndless(ans feed.Answer) feed.Answer {
	failed := maps.Clone(ans.Failed)
	ans.Snapshots = slices.DeleteFunc(slices.Clone(ans.Snapshots), func(s footy.Snapshot) bool {
		endless := len(s.Events) > mostListed
		if endless {
			if failed == nil {
				failed = map[int64]string{}
			}
			failed[s.Match.ID] = fmt.Sprintf("it lists %d events, and more than %d are not believed", len(s.Events), mostListed)
		}
		return endless
	})
	ans.Failed = failed
	return ans
}

func (a *Activities) call(ctx context.Context, c calls.Call) (feed.Answer, error) {
	switch c.Kind {
	case calls.Live:
		return a.Feed.Live(ctx)
	case calls.ID:
		return a.Feed.ByID(ctx, c.IDs[0])
	}
	return a.Feed.ByIDs(ctx, c.IDs)
}

func (a *Activities) touch(ctx context.Context, id int64) error {
	_, err := a.Store.Update(ctx, id, func(f *footy.Fixture) ([]footy.Entry, error) { lifecycle.Touch(f, a.Now().UTC()); return nil, nil })
	if footy.IsNotFound(err) {
		return nil
	}
	return err
}

// refused goes on where the plan does not allow a kind of call: at once, with the calls that it allows, about whoever is due by those.
func (a *Activities) refused(ctx context.Context, in Chunk) (PollResult, error) {
	fixtures, err := a.Store.List(ctx, store.FixtureQuery{IDs: slices.Concat(in.IDs, in.Watch)})
	if err != nil {
		return PollResult{}, err
	}
	now := a.Now().UTC()
	plan, err := Learned(ctx, a.Store)
	if err != nil {
		return PollResult{}, err
	}
	quota, err := a.quota(ctx, plan, now)
	if err != nil {
		return PollResult{}, err
	}
	pace, err := a.keptPace(ctx)
	if err != nil {
		return PollResult{}, err
	}
	r := a.reckoning(plan.Can(now))
	list, spare := chooseCalls(r, fixtures, now, pace.Pace, lifecycle.Allowance(quota, r.Demand(fixtures, now), pace.Pace))
	return PollResult{Again: chunks(in.Poll, list, spare)}, nil
}

// byID are the calls that ask for matches by their ids, as far as the plan goes this minute. Who is left over is due again in the
// next cycle.
func (a *Activities) byID(ctx context.Context, in Chunk, ids []int64) ([]Chunk, error) {
	now := a.Now().UTC()
	plan, err := Learned(ctx, a.Store)
	if err != nil {
		return nil, err
	}
	list, _ := calls.ByID(plan.Can(now), feed.MaxIDs, ids, in.Spare)
	return chunks(in.Poll, list, in.Spare), nil
}

// polled is one answer on its way.
type polled struct {
	*Activities
	in       Chunk
	fixtures map[int64]footy.Fixture
	before   map[int64]store.LatestSnapshot
	out      PollResult
	old      []int64 // whose answer an earlier poll has counted
}

// counted reports whether an answer was there at an earlier poll: a feed that is asked seldom gives the one that it has, and that is neither
// another sighting nor another absence.
func (p *polled) counted(s footy.Snapshot) bool {
	was := p.previous(s.Match.ID)
	old := was != nil && !s.Answered.IsZero() && was.Answered.Equal(s.Answered)
	if old {
		p.old = append(p.old, s.Match.ID)
	}
	return old
}

// believed are the answers that may vote: of a list, those about matches that are due, unless they need to be confirmed.
func (p *polled) believed(ans feed.Answer) []footy.Snapshot {
	if p.in.Kind != calls.Live {
		return ans.Snapshots
	}
	now := p.Now().UTC()
	again := p.reckoning(calls.Can{}).SlotBegins(now)
	var out []footy.Snapshot
	for _, s := range ans.Snapshots {
		f, ours := p.fixtures[s.Match.ID]
		if !ours {
			continue
		}
		was := p.previous(f.ID)
		if !cycle.Doubtful(cycle.TrustOf(f, was, s), was, s, again) {
			out = append(out, s)
		}
	}
	return out
}

// askAgain asks by their ids for the matches that a list lacks, or says something odd about. One that is only watched may be missing.
func (p *polled) askAgain(ctx context.Context, ans feed.Answer, believed []footy.Snapshot) error {
	seen := map[int64]bool{}
	for _, s := range believed {
		seen[s.Match.ID] = true
	}
	listed := map[int64]bool{}
	for _, s := range ans.Snapshots {
		listed[s.Match.ID] = true
	}
	var ids []int64
	for _, id := range p.in.IDs {
		if !seen[id] && !slices.Contains(p.old, id) {
			ids = append(ids, id)
		}
	}
	for _, id := range p.in.Watch {
		if _, failed := ans.Failed[id]; !seen[id] && (listed[id] || failed) {
			ids = append(ids, id)
		}
	}
	var err error
	p.out.Again, err = p.byID(ctx, p.in, ids)
	return err
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
		if f.Stage == footy.StageStaging && s.Match.Status.Pre() {
			p.out.Rare = append(p.out.Rare, f.ID)
		}
	}
}

// answeredBefore is when the feed answered about a fixture before this poll.
func (p *polled) answeredBefore(id int64) time.Time {
	was := p.before[id]
	if was.PollID == p.in.Poll {
		return was.Snapshot.Before // this poll is repeated
	}
	return was.Snapshot.Answered
}

// previous is the answer before this poll's; a repeated poll must not be compared with itself.
func (p *polled) previous(id int64) *footy.Snapshot {
	if was, ok := p.before[id]; ok && was.PollID != p.in.Poll {
		return &was.Snapshot
	}
	return nil
}
