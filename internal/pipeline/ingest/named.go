package ingest

import (
	"cmp"
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
)

// FetchByIDs is FetchByIDs, as workflows call it.
var FetchByIDs = policy.Define[[]int64, Stored]("fetch_fixtures_by_ids", policy.Row{Queue: policy.QueueMain, Timeout: 30 * time.Second, Tries: 3, Budget: 2 * time.Minute,
	Why: "one vendor call per 20 fixtures; a person waits for it"})

// FetchByIDs is the manual mode: named fixtures are followed whatever their competition, date or status. What was answered is stored and
// told even where the plan wants a pause before the rest.
func (a *Activities) FetchByIDs(ctx context.Context, ids []int64) (Stored, error) {
	ans, left, failure := feed.Named(ctx, a.Feed, ids)
	if failure != nil && len(left) == len(ids) && !minuteSpent(failure) {
		return Stored{}, failure
	}
	s, err := a.put(ctx, ans.Snapshots, true)
	if err != nil {
		return s, err
	}
	for _, id := range ids { // in the order asked
		if why, failed := ans.Failed[id]; failed {
			n := Named{ID: id, Absent: why == feed.Absent}
			if !n.Absent {
				n.Failed = why
			}
			s.Named = append(s.Named, n)
		}
	}
	if s.Left = left; minuteSpent(failure) {
		s.Pause = a.pause(failure)
	}
	return s, nil
}

// minuteSpent reports whether a call was too many for this minute, not for this day.
func minuteSpent(err error) bool {
	return footy.CodeOf(err) == footy.CodeRateLimited && !errors.Is(err, feed.ErrDaySpent)
}

// pause is how long to wait before the plan allows calls again.
func (a *Activities) pause(failure error) time.Duration {
	minute := cmp.Or(max(a.Minute, 0), time.Minute)
	if told, ok := errors.AsType[*footy.Error](failure); ok && told.RetryAfter > 0 && told.RetryAfter < minute {
		return told.RetryAfter
	}
	return minute
}

// patientFor so many pauses in a row an ingest goes on although it learns nothing: others use the key, too.
const patientFor = 5

// named follows the fixtures that a person named, with the pauses that the plan wants. What people call their teams is looked up again
// when a goal comes.
func (w *ingest) named(ctx workflow.Context) error {
	left, waits := w.in.FixtureIDs, 0
	for len(left) > 0 {
		s, err := FetchByIDs.Do(ctx, left, policy.Counted(len(left), "match asked for", "matches asked for"))
		if waits++; len(s.Named) > 0 {
			waits = 0
		}
		if err == nil && waits > patientFor {
			err = fault.Translate(footy.Errorf(footy.CodeRateLimited, "", "others use up the plan's calls of each minute"))
		}
		if err != nil && len(w.out.Named) == 0 {
			return err
		}
		if err != nil { // what was fetched stays
			for _, id := range left {
				w.out.Named = append(w.out.Named, Named{ID: id, Failed: fault.Words(err)})
			}
			break
		}
		w.count(s)
		w.out.Named = append(w.out.Named, s.Named...)
		if left = s.Left; s.Pause > 0 {
			if err := workflow.Sleep(ctx, s.Pause); err != nil {
				return err
			}
		}
	}
	if err := w.aliases(ctx); err != nil {
		workflow.GetLogger(ctx).Warn("team names not looked up", "module", "ingest", "action", "aliases", "error", err)
	}
	return nil
}
