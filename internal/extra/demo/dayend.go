package demo

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/decide/clip/delay"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/world"
)

const printEvery = 15 * time.Second // to a person who only waits

// graceOf is how long a day goes on without news after its last minute: a slow machine may take as long as it gets anywhere, and a goal is
// searched for as long at the pace of life as its search lasts.
func graceOf(c config.Config) time.Duration {
	return max(90*time.Second, policy.Defaults().Window/time.Duration(scaleOf(c)))
}

// awaitDayEnd waits until the day is played and everything about it is settled, or has had time enough. It prints to out now
// and then what it waits for, unless out is nil. Where the state cannot be read for so long it says why.
func (d *Demo) awaitDayEnd(ctx context.Context, a *app.App, w *world.World, eyes *watcher, out io.Writer) (*Summary, error) {
	before, grace := w.Status().Polls, graceOf(d.Config)
	read := patience{grace: grace}
	collect := func() (world.Outcome, error) { return collectOutcome(ctx, a.Store) }
	var late time.Time
	var far standing
	next := time.Now().Add(printEvery)
	for network.Pause(ctx, time.Second) == nil {
		st := w.Status()
		eyes.look(ctx, st.ProductMinutes, collect)
		open, err := openGoals(ctx, a.Store)
		if err := read.spent(err, time.Now()); err != nil {
			return nil, err
		}
		if err != nil {
			continue // the next look will do
		}
		report := func(unmet []world.Failure) {
			if out != nil && time.Now().After(next) {
				next = time.Now().Add(printEvery)
				fmt.Fprintf(out, "%s  … minute %.0f of %.0f of the day; under way: %s; not met yet: %d\n", time.Now().Format("15:04:05"),
					min(st.ProductMinutes, st.EndMinutes), st.EndMinutes, cmp.Or(strings.Join(open, ", "), "nothing"), len(unmet))
			}
		}
		if st.ProductMinutes < st.EndMinutes {
			report(nil)
			continue
		}
		if late.IsZero() {
			late = time.Now().Add(grace)
		}
		if still := eyes.ending(); len(still) > 0 {
			report(world.Unseen(w.Script(), still[0], eyes.while[still[0].Mode.Mode], world.Outcome{}))
			if time.Now().After(late) { // it was not seen in time; what comes after may be seen all the same
				late, far = time.Time{}, standing{}
				for _, m := range still {
					eyes.letGo(m)
				}
			}
			continue
		}
		o, err := collect()
		if err := read.spent(err, time.Now()); err != nil {
			return nil, err
		}
		if err != nil {
			continue
		}
		eyes.report(ctx, &o)
		failed := world.Check(w.Script(), o)
		report(failed)
		if far.advanced(standing{len(open), len(failed), judged(o)}) {
			late = time.Now().Add(grace)
		}
		if len(open) == 0 && len(failed) == 0 || time.Now().After(late) {
			sum := summarise(o, w, failed)
			sum.FirstClip, err = d.firstClips(ctx, a.Store)
			if err := read.spent(err, time.Now()); err != nil {
				return nil, err
			}
			if err != nil {
				continue
			}
			sum.Scale = scaleOf(d.Config)
			if len(failed) > 0 {
				sum.TooSlow = d.lateness(ctx, a, w, before)
			}
			return sum, nil
		}
	}
	return nil, nil //nolint:nilnil // an interrupted day has no summary
}

// patience is with a state that cannot be read.
type patience struct {
	grace time.Duration
	since time.Time // of the first failure in a row
}

// spent is err once reading has failed for the whole grace.
func (p *patience) spent(err error, now time.Time) error {
	switch {
	case err == nil:
		p.since = time.Time{}
		return nil
	case p.since.IsZero():
		p.since = now
	}
	if now.Sub(p.since) < p.grace {
		return nil
	}
	return footy.Wrap(footy.CodeUnavailable, "look how the day goes", err)
}

// firstClips are the figures of the day's first clips. The log has seconds of this machine, which the day compresses.
func (d *Demo) firstClips(ctx context.Context, s store.Store) ([]delay.Figure, error) {
	fixtures, err := s.List(ctx, store.FixtureQuery{})
	if err != nil {
		return nil, err
	}
	ways, err := store.FirstClips(ctx, s, fixtures, time.Time{})
	return delay.Figures(ways, float64(scaleOf(d.Config))), err
}

// standing is how far a day has come.
type standing struct{ open, unmet, judged int }

// advanced keeps the furthest, and reports whether now is further: what only goes to and fro keeps no day waiting.
func (s *standing) advanced(now standing) bool {
	first := *s == standing{}
	further := first || now.open < s.open || now.unmet < s.unmet || now.judged > s.judged
	if first {
		*s = now
	}
	*s = standing{min(s.open, now.open), min(s.unmet, now.unmet), max(s.judged, now.judged)}
	return further
}

func judged(o world.Outcome) int {
	n := o.Asked + o.Looked + o.ByClock + o.Known + o.Duplicates
	for _, refused := range o.Rejected {
		n += refused
	}
	return n
}

// openGoals names the goals about which something is under way.
func openGoals(ctx context.Context, s store.Store) ([]string, error) {
	open, err := s.List(ctx, store.FixtureQuery{Stages: []footy.Stage{footy.StageActive}})
	var out []string
	for _, e := range footy.Events(open) {
		if !e.Removed && !e.DownloadComplete {
			out = append(out, footy.Label(*e))
		}
	}
	return out, err
}

// Print prints the summary for people.
func (s *Summary) Print(w io.Writer) {
	var refused int
	for _, n := range s.Rejected {
		refused += n
	}
	none := s.Goals - s.GoalsClip
	fmt.Fprintf(w, "\n  The day is over: %s, %s, %d more cancelled\n", explain.Plural(s.Fixtures, "match", "matches"), explain.Plural(s.Goals, "goal", "goals"), s.Removed)
	found := explain.Plural(s.GoalsClip, "goal", "goals")
	if s.CardsClip > 0 {
		found += " and " + explain.Plural(s.CardsClip, "red card", "red cards")
	}
	fmt.Fprintf(w, "  %s found for %s; %s without one (each goal's page says why)\n", explain.Plural(s.Clips, "clip", "clips"), found, explain.Plural(none, "goal", "goals"))
	fmt.Fprintf(w, "  %d of %s with a verified clip; clips that show something else: %d\n", s.Verified, explain.Plural(s.Goals, "goal", "goals"), len(s.Wrong))
	if s.Posted > 0 {
		fmt.Fprintf(w, "  With nothing configured: %d of the %d goals that somebody posted on Reddit have a verified clip (%d %%)\n", s.Proven, s.Posted, 100*s.Proven/s.Posted)
	}
	for _, wrong := range s.Wrong {
		fmt.Fprintln(w, "    wrong:", wrong)
	}
	fmt.Fprintf(w, "  The model was asked about %.1f clips of a goal and took %.1f real seconds for each goal\n", s.PerGoal, s.Seconds)
	shown := slices.Clone(s.FirstClip)
	for i := range shown {
		shown[i].Median, shown[i].P90 = shown[i].Median/float64(max(s.Scale, 1)), shown[i].P90/float64(max(s.Scale, 1))
	}
	if said := explain.FirstClips(shown); said != "" {
		fmt.Fprintf(w, "  %s\n", said)
		if s.Scale > 1 {
			fmt.Fprintf(w, "    in real seconds; the feed is polled %d times as often as in life, where a goal is certain after half a minute\n", s.Scale)
		}
	}
	fmt.Fprintf(w, "  %s refused, %s recognised\n", explain.Plural(refused, "post", "posts"), explain.Plural(s.Duplicates, "duplicate", "duplicates"))
	total := s.Expectations.Met + len(s.Expectations.Failed) + s.Expectations.Unknown
	fmt.Fprintf(w, "  %d of the script's %d expectations met\n", s.Expectations.Met, total)
	for _, f := range s.Expectations.Failed {
		fmt.Fprintln(w, "    not met:", f)
	}
	if n := s.Expectations.Unknown; n > 0 {
		fmt.Fprintf(w, "    %d more could not be checked: their goals are missing\n", n)
	}
	if s.TooSlow != "" {
		fmt.Fprintf(w, "  A possible cause: %s\n", s.TooSlow)
	}
}

func summarise(o world.Outcome, w *world.World, failed []world.Failure) *Summary {
	s := &Summary{Fixtures: len(o.Fixtures), Wrong: append([]string{}, world.WronglyVerified(w.Script(), o)...), Duplicates: o.Duplicates, Rejected: o.Rejected, Asked: o.Asked, Looked: o.Looked, ByClock: o.ByClock, Known: o.Known,
		Expectations: Expectations{Met: world.Met(w.Script(), o), Failed: failed}}
	s.Expectations.Unknown = world.Expectations(w.Script()) - s.Expectations.Met - len(failed)
	if w.Script().WithNothing() {
		s.Proven, s.Posted = world.Share(w.Script(), o)
	}
	if s.Expectations.Failed == nil {
		s.Expectations.Failed = []world.Failure{}
	}
	for _, g := range o.Goals {
		if g.Removed {
			s.Removed++
			continue
		}
		s.Clips += g.Clips
		if g.Kind == footy.KindRedCard.Info().Name {
			s.RedCards++
			if g.Clips > 0 {
				s.CardsClip++
			}
		}
		if g.Kind != footy.KindGoal.Info().Name {
			continue
		}
		s.Goals++
		if g.Clips > 0 {
			s.GoalsClip++
		}
		if g.Verified > 0 {
			s.Verified++
		}
	}
	if n := float64(s.Goals + s.RedCards); n > 0 {
		s.PerGoal, s.Seconds = math.Round(float64(100*(o.Asked+o.Looked))/n)/100, math.Round(100*o.ModelSeconds/n)/100
	}
	return s
}

// tooLate is how many times longer than due a look at a match may take before the machine is to blame.
const tooLate = 1.5

// tooSlow says that this machine did not keep pace with the day, and at which it might; "" if it did.
func tooSlow(scale int, due, came time.Duration) string {
	if late := float64(came) / float64(due); late >= tooLate {
		said := fmt.Sprintf("this machine was too slow for the day: a look at a match every %.1f s instead of every %.1f s", came.Seconds(), due.Seconds())
		if slower := int(float64(scale) / late); slower >= 2 {
			said += fmt.Sprintf("; TIME_SCALE=%d plays it slowly enough", slower)
		}
		return said
	}
	return ""
}

// lateness measures how often matches were looked at in the part of the day that this process played.
func (d *Demo) lateness(ctx context.Context, a *app.App, w *world.World, before map[int]int) string {
	fixtures, err := a.Store.List(ctx, store.FixtureQuery{})
	if err != nil || w.Script().OnFreePlan() { // whose calls decide how often
		return ""
	}
	polls := w.Status().Polls
	var looks []time.Duration
	for _, f := range fixtures {
		from := f.ActivatedAt
		if from.Before(d.began) {
			from = d.began
		}
		if n := polls[int(f.ID)] - before[int(f.ID)]; n > 0 && f.CompletedAt.After(from) {
			looks = append(looks, f.CompletedAt.Sub(from)/time.Duration(n))
		}
	}
	if len(looks) == 0 {
		return ""
	}
	slices.Sort(looks)
	return tooSlow(scaleOf(d.Config), a.Config.Track.PollEvery(), looks[len(looks)/2])
}

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
