package monitor_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/world/day"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/football"
)

// afternoon is a league's: five matches at three, three at half past five, with goals early, late, wrong and taken back.
func afternoon() *script.Script {
	no, yes := false, true
	s := &script.Script{Name: "afternoon", Leagues: []script.League{{ID: 39, Name: "League", Country: "England", Season: 2025}}}
	for i := range 8 {
		kickoff := 15 * 60.0
		if i >= 5 {
			kickoff = 17*60 + 30
		}
		s.Teams = append(s.Teams, script.Team{ID: 10 + 2*i, Name: fmt.Sprint("Home ", i)}, script.Team{ID: 11 + 2*i, Name: fmt.Sprint("Away ", i)})
		f := script.Fixture{ID: 1300100 + i, League: 39, Home: 10 + 2*i, Away: 11 + 2*i, Kickoff: kickoff, FirstStoppage: 2, HalfTime: 15, SecondStoppage: 5}
		last := 70 + 2*i
		if i%3 == 0 {
			last = 90 // and four
		}
		for n, minute := range []int{7 + 3*i, 52 + 2*i, last} {
			e := script.Event{Key: fmt.Sprint("goal", n), Kind: script.Goal, Minute: minute, Side: []string{"home", "away"}[n%2], Player: script.Player{ID: 100*i + n + 1, Name: fmt.Sprint("Scorer ", 100*i+n)}}
			if minute == 90 {
				e.Extra = 4
			}
			f.Events = append(f.Events, e)
		}
		switch i {
		case 1: // a goal is taken back after five answers
			f.Events[1].Steps = []script.Step{{Poll: 6, Listed: &no, Counts: &no}}
		case 2: // a goal is not listed in two answers; the score counts it
			f.Events[0].Steps = []script.Step{{Poll: 4, Listed: &no}, {Poll: 6, Listed: &yes}}
		case 3: // nobody knows the scorer at first
			f.Events[0].Steps = []script.Step{{Poll: 1, Player: &script.Player{}}, {Poll: 3, Player: &f.Events[0].Player}}
		}
		s.Fixtures = append(s.Fixtures, f)
	}
	return s
}

// freeDay is what a day with a free key came to.
type freeDay struct {
	calls    int
	failed   []string
	lag      []time.Duration // from a goal to its certainty
	fixtures []footy.Fixture
}

// playFree plays a day with a free key through the feed's adapter, the rules and the store; only the clock is a test's.
func playFree(t *testing.T, hours int, modes ...string) freeDay {
	t.Helper()
	b := newBench(t)
	midnight := time.Date(2026, 3, 7, 0, 0, 0, 0, time.UTC)
	b.now = midnight.Add(5 * time.Minute)
	clock := func() time.Time { return b.now }
	s := afternoon()
	require.NoError(t, s.With(append(modes, script.FreePlan)...))
	today := day.ByClock(midnight, clock)
	srv := httptest.NewServer(football.New(s, today))
	t.Cleanup(srv.Close)
	b.acts.Feed = apifootball.New(apifootball.Options{BaseURL: srv.URL, Key: "free", Now: clock}, httpx.New(httpx.Options{}))
	in := &ingest.Activities{Store: b.store, Feed: b.acts.Feed, Follow: usual, Windows: b.acts.Rules.Windows, Cleanup: b.acts.Cleanup, Page: b, Now: clock}
	b.env.RegisterActivity(in.StoreDay)
	for d := range 3 {
		_, err := b.env.ExecuteActivity(in.StoreDay, midnight.AddDate(0, 0, d))
		require.NoError(t, err)
	}
	var out freeDay
	for n := 0; b.now.Before(midnight.Add(time.Duration(hours) * time.Hour)); n++ {
		for _, f := range b.whole(fmt.Sprint("poll-", n)).Failed {
			out.failed = append(out.failed, b.now.Format("15:04:05 ")+f.Why)
		}
		b.finishSearches(s, midnight, &out)
		step := 30 * time.Second
		if b.now.Hour() < 14 || b.now.Hour() > 21 {
			step = 5 * time.Minute // nothing goes on
		}
		b.now = b.now.Add(step)
		if b.now.Day() == midnight.Day() {
			out.calls = today.Calls("2026-03-07")
		}
	}
	var err error
	out.fixtures, err = b.store.List(t.Context(), store.FixtureQuery{})
	require.NoError(t, err)
	return out
}

// finishSearches ends the search of each goal twelve minutes after it became certain, and notes how long that took.
func (b *bench) finishSearches(s *script.Script, midnight time.Time, out *freeDay) {
	b.t.Helper()
	open, err := b.store.List(b.t.Context(), store.FixtureQuery{Stages: []footy.Stage{footy.StageActive}})
	require.NoError(b.t, err)
	for _, f := range open {
		for _, e := range f.Events {
			if !e.Certain() || e.DownloadComplete || b.now.Sub(e.CertainAt) < 12*time.Minute {
				continue
			}
			of, _ := s.Fixture(int(f.ID))
			i := slices.IndexFunc(of.Events, func(s script.Event) bool { return int64(s.Player.ID) == e.Player.ID })
			out.lag = append(out.lag, e.CertainAt.Sub(midnight.Add(time.Duration(of.Happens(of.Events[i])*float64(time.Minute)))))
			_, err := b.store.Update(b.t.Context(), f.ID, func(f *footy.Fixture) ([]footy.Entry, error) {
				f.Event(e.UID).DownloadComplete = true
				return nil, nil
			})
			require.NoError(b.t, err)
		}
	}
}

// TestAFreeKeyFollowsALeaguesAfternoon is what the free plan is for: within a hundred calls a day and ten a minute every goal is found.
func TestAFreeKeyFollowsALeaguesAfternoon(t *testing.T) {
	t.Parallel()
	d := playFree(t, 22)
	require.LessOrEqual(t, d.calls, 100)
	require.Empty(t, d.failed, "no call is refused but for the one that tells the plan")
	standing, removed := 0, 0
	for _, f := range d.fixtures {
		require.Equal(t, footy.StageCompleted, f.Stage, "match %d: %s", f.ID, f.Match.Status.Code)
		require.Equal(t, "FT", f.Match.Status.Code)
		for _, e := range f.Events {
			require.True(t, e.Certain(), "%d: %s", f.ID, e.ID)
			if e.Removed {
				removed++
			} else {
				standing++
			}
		}
	}
	require.Equal(t, []int{23, 1}, []int{standing, removed})
	slices.Sort(d.lag)
	t.Logf("%d calls; a goal is certain after %v, at the latest %v", d.calls, d.lag[len(d.lag)/2], d.lag[len(d.lag)-1])
	require.LessOrEqual(t, d.lag[len(d.lag)/2], 25*time.Minute)
}

// TestAPatchyListLosesNothing: what the list lacks is asked for one by one, which may take the calls of the next day.
func TestAPatchyListLosesNothing(t *testing.T) {
	t.Parallel()
	d := playFree(t, 28, script.PatchyLive)
	require.LessOrEqual(t, d.calls, 100)
	events := 0
	for _, f := range d.fixtures {
		require.Equal(t, footy.StageCompleted, f.Stage, "match %d: %s", f.ID, f.Match.Status.Code)
		for _, e := range f.Events {
			events++
			require.True(t, e.Certain(), "%d: %s", f.ID, e.ID)
			require.False(t, e.Removed && f.ID != 1300101, "%d: %s", f.ID, e.ID)
		}
	}
	require.Equal(t, 24, events)
}
