package demo

import (
	"cmp"
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/world"
)

// collectOutcome collects what the product made of the day, as plain data for the script's expectations.
func collectOutcome(ctx context.Context, s store.Store) (world.Outcome, error) {
	o := world.Outcome{Rejected: map[string]int{}}
	fixtures, err := s.List(ctx, store.FixtureQuery{})
	if err != nil {
		return o, err
	}
	for _, f := range fixtures {
		fo := world.FixtureOutcome{ID: int(f.ID), Stage: string(f.Stage)}
		if f.Score.Known() {
			fo.Home, fo.Away = *f.Score.Home, *f.Score.Away
		}
		o.Fixtures = append(o.Fixtures, fo)
		last, err := decided(ctx, s, f.ID, &o)
		if err != nil {
			return o, err
		}
		posts, err := s.Posts(ctx, store.PostQuery{FixtureID: f.ID})
		if err != nil {
			return o, err
		}
		taken := map[string][]string{} // posts that searches of an event chose
		for _, p := range posts {
			if p.Try > 0 && p.State != footy.PostPassed {
				taken[p.EventUID] = append(taken[p.EventUID], p.PostID)
			}
			if p.Verdict != nil && p.Verdict.SameAs == "" {
				o.ModelSeconds += p.Verdict.ModelSeconds
			}
		}
		for _, e := range f.Events {
			g := goalOutcome(f.ID, e)
			g.LastVerdict, g.TakenUp = last[e.UID], taken[e.UID]
			o.Goals = append(o.Goals, g)
			o.Redirects += len(e.Redirects) + len(e.MatchedFrom)
			for _, c := range e.Clips {
				o.Duplicates += len(c.Posts) - 1
				if c.ReplacedBy != "" {
					o.Duplicates++
				}
			}
		}
	}
	return o, nil
}

func goalOutcome(fixture int64, e footy.Event) world.GoalOutcome {
	g := world.GoalOutcome{Fixture: int(fixture), Kind: e.Kind.Info().Name, EventID: e.ID, FormerIDs: e.MatchedFrom, Player: e.Player.Name, Minute: e.Minute.Elapsed,
		Extra: e.Minute.Extra, Removed: e.Removed, RemovedReason: string(e.RemovedReason), Complete: e.DownloadComplete, Outcome: e.Outcome().String(), Posts: map[string]world.PostOutcome{}}
	for _, c := range e.Clips {
		if g.FirstClip.IsZero() || c.AddedAt.Before(g.FirstClip) {
			g.FirstClip = c.AddedAt
		}
		for _, p := range c.Posts {
			g.Posts[p] = world.PostOutcome{Clip: c.ID, Stands: cmp.Or(c.ReplacedBy, c.ID), Verified: c.Verified && c.Visible()}
		}
	}
	for _, c := range e.VisibleClips() {
		g.Clips++
		if c.Verified {
			g.Verified++
		}
		if c.Rank == 1 {
			g.BestPopularity = c.Popularity
		}
	}
	return g
}

// decided counts the reasons why posts of a fixture were refused, and about which the model was asked, and reports when the last post of each
// event was decided on.
func decided(ctx context.Context, s store.Store, fixture int64, o *world.Outcome) (map[string]time.Time, error) {
	rows, err := s.Entries(ctx, store.LogQuery{FixtureID: fixture, Kinds: []footy.EntryKind{footy.EntryRejected, footy.EntryVerdict}})
	last := map[string]time.Time{}
	for _, r := range rows {
		if r.Kind == footy.EntryRejected {
			o.Rejected[string(r.Reason)]++
		}
		switch {
		case r.Data.SameAs != "":
			o.Known++
		case len(r.Data.Readings) > 0 && r.Data.Proof == footy.ProofClock:
			o.Looked++
		case len(r.Data.Readings) > 0:
			o.Asked++
		case r.Data.Proof == footy.ProofClock:
			o.ByClock++
		}
		if r.At.After(last[r.EventUID]) {
			last[r.EventUID] = r.At
		}
	}
	return last, err
}
