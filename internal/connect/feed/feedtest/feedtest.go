// Package feedtest is what every feed must do, whatever vendor is behind it.
package feedtest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
)

// Vendor is a stand-in for the service behind a feed, told what to answer.
type Vendor interface {
	// Lists makes the vendor know these fixtures, with their events.
	Lists(snapshots ...footy.Snapshot)
	// Omits makes by-id answers leave a fixture out.
	Omits(id int64)
	// Silent makes answers carry no events list for a fixture.
	Silent(id int64)
	// Single makes the vendor's plan refuse questions about several fixtures; false where it has no plans.
	Single() bool
	// Fails makes every answer fail in one of the ways below until Recovers is called.
	Fails(how Failure)
	Recovers()
	// Calls counts the calls made so far.
	Calls() int
}

// Failure is a way in which a vendor fails.
type Failure string

// The ways.
const (
	Down    Failure = "down"    // 5xx
	Lying   Failure = "lying"   // success on the wire, failure inside
	Refused Failure = "refused" // bad or missing key
	Limited Failure = "limited" // too many calls
	Garbage Failure = "garbage" // not what it should be
	Empty   Failure = "empty"   // success, nothing in it
)

// Plain is for feeds of tests that say their snapshots in our own form: Said makes it, Plain reads it.
type Plain struct{}

// Said is a snapshot that says itself.
func Said(s footy.Snapshot) footy.Snapshot {
	s.Said, _ = json.Marshal(s) // plain data
	return s
}

// Parse implements feed.Feed.
func (Plain) Parse(said []byte, answered time.Time) (s footy.Snapshot, err error) {
	err = json.Unmarshal(said, &s)
	s.Said, s.Answered = said, answered
	return s, err
}

// WithIDs implements feed.Feed.
func (Plain) WithIDs(said []byte, ids []string) (json.RawMessage, error) {
	o, err := feed.Object(said)
	if err != nil {
		return nil, err
	}
	events, _ := o["events"].([]any)
	feed.SetIDs(events, ids)
	return json.Marshal(o)
}

// Run holds a feed to the port's promises. start makes a feed with a vendor of its own.
func Run(t *testing.T, start func(t *testing.T) (feed.Feed, Vendor)) {
	t.Run("answers what was asked with events", func(t *testing.T) {
		t.Parallel()
		f, v := start(t)
		v.Lists(Match(1, 2), Match(2, 0))
		a, err := f.ByIDs(context.Background(), []int64{1, 2})
		require.NoError(t, err)
		require.Empty(t, a.Failed)
		require.Len(t, a.Snapshots, 2)
		byID := map[int64]footy.Snapshot{}
		for _, s := range a.Snapshots {
			require.True(t, s.HasEvents)
			require.False(t, s.Answered.IsZero())
			byID[s.Match.ID] = s
		}
		require.Len(t, byID[1].Events, 2)
		require.Equal(t, footy.ScoreOf(2, 0), byID[1].Score)
		require.Equal(t, footy.KindGoal, byID[1].Events[0].Kind)
		require.Equal(t, Match(1, 2).Events[0].Player, byID[1].Events[0].Player)
		require.Equal(t, Match(1, 2).Events[0].Minute, byID[1].Events[0].Minute)
	})
	t.Run("what it said is read again to the same", func(t *testing.T) {
		t.Parallel()
		f, v := start(t)
		v.Lists(Match(1, 2))
		a, err := f.ByIDs(context.Background(), []int64{1})
		require.NoError(t, err)
		want := a.Snapshots[0]
		said, err := f.WithIDs(want.Said, []string{"", "the id"})
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(said), `"_event_id":"the id"`))
		got, err := f.Parse(said, want.Answered)
		require.NoError(t, err)
		got.Said = want.Said
		require.Equal(t, want, got)
		_, err = f.Parse([]byte(`{"fixture":{}}`), want.Answered)
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
		_, err = f.WithIDs([]byte(`[1]`), nil)
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
	})
	t.Run("a fixture that is missing from the answer fails alone", func(t *testing.T) {
		t.Parallel()
		f, v := start(t)
		v.Lists(Match(1, 1), Match(2, 1), Match(3, 1))
		v.Omits(2)
		v.Silent(3)
		a, err := f.ByIDs(context.Background(), []int64{1, 2, 3})
		require.NoError(t, err)
		require.Len(t, a.Snapshots, 1)
		require.EqualValues(t, 1, a.Snapshots[0].Match.ID)
		require.Len(t, a.Failed, 2)
		require.NotEmpty(t, a.Failed[2])
		require.NotEmpty(t, a.Failed[3])
	})
	t.Run("a plan that answers about one fixture by its id sees all that are under way, and whether one is over", func(t *testing.T) {
		t.Parallel()
		f, v := start(t)
		over := Match(3, 1)
		over.Match.Status.Code = "FT"
		v.Lists(Match(1, 2), Match(2, 0), over)
		if !v.Single() {
			return
		}
		for n, calls := range []int{3, 2} { // the refusal is not asked for again on the same day
			was := v.Calls()
			a, err := f.ByIDs(context.Background(), []int64{1, 2, 3, 4})
			require.NoError(t, err)
			require.Equal(t, calls, v.Calls()-was)
			require.True(t, a.Has(1) && a.Has(2))
			require.Equal(t, n == 0, a.Has(3), "one is asked for by its id")
			require.Equal(t, n == 1, a.Has(4), "then the other")
		}
		require.True(t, f.Quota().Single)
		a, left, err := feed.Named(context.Background(), f, []int64{1, 3, 4})
		require.NoError(t, err)
		require.Empty(t, left)
		require.Len(t, a.Snapshots, 2)
		require.Contains(t, a.Failed, int64(4))
	})
	t.Run("day lists carry no events", func(t *testing.T) {
		t.Parallel()
		f, v := start(t)
		v.Lists(Match(1, 2))
		day, err := f.Day(context.Background(), Match(1, 0).Match.Kickoff)
		require.NoError(t, err)
		require.Len(t, day, 1)
		require.False(t, day[0].HasEvents)
		require.EqualValues(t, 1, day[0].Match.ID)
		require.True(t, day[0].Match.Kickoff.Equal(Match(1, 0).Match.Kickoff))
	})
	t.Run("a failure is an error and never an empty list", func(t *testing.T) {
		t.Parallel()
		want := map[Failure]footy.Code{Down: footy.CodeUnavailable, Lying: footy.CodeUnavailable, Refused: footy.CodeAuthRequired,
			Limited: footy.CodeRateLimited, Garbage: footy.CodeUnavailable}
		for how, code := range want {
			t.Run(string(how), func(t *testing.T) {
				t.Parallel()
				f, v := start(t)
				v.Lists(Match(1, 1))
				v.Fails(how)
				_, err := f.ByIDs(context.Background(), []int64{1})
				require.Error(t, err)
				require.Equal(t, code, footy.CodeOf(err), "%v", err)
				_, err = f.Day(context.Background(), Match(1, 0).Match.Kickoff)
				require.Error(t, err)
				v.Recovers()
				_, err = f.ByIDs(context.Background(), []int64{1})
				require.NoError(t, err)
			})
		}
	})
	t.Run("an empty answer fails every fixture asked for", func(t *testing.T) {
		t.Parallel()
		f, v := start(t)
		v.Lists(Match(1, 1))
		v.Fails(Empty)
		a, err := f.ByIDs(context.Background(), []int64{1})
		require.NoError(t, err)
		require.Empty(t, a.Snapshots)
		require.Contains(t, a.Failed, int64(1))
	})
	t.Run("asks no more than it may", func(t *testing.T) {
		t.Parallel()
		f, v := start(t)
		_, err := f.ByIDs(context.Background(), make([]int64, feed.MaxIDs+1))
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
		a, err := f.ByIDs(context.Background(), nil)
		require.NoError(t, err)
		require.Empty(t, a.Snapshots)
		require.Zero(t, v.Calls(), "nothing to ask, nothing asked")
	})
	t.Run("stops when its context ends", func(t *testing.T) {
		t.Parallel()
		f, v := start(t)
		v.Lists(Match(1, 1))
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := f.ByIDs(ctx, []int64{1})
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	})
	t.Run("a plan it may not ask about is no plan of nothing", func(t *testing.T) {
		t.Parallel()
		f, v := start(t)
		for how, code := range map[Failure]footy.Code{Refused: footy.CodeAuthRequired, Down: footy.CodeUnavailable, Garbage: footy.CodeUnavailable} {
			v.Fails(how)
			a, err := f.Account(context.Background())
			require.Equal(t, code, footy.CodeOf(err), "%v", err)
			require.Zero(t, a)
		}
	})
	t.Run("a quota nobody told is unknown", func(t *testing.T) {
		t.Parallel()
		f, _ := start(t)
		require.Equal(t, -1, f.Quota().DayRemaining)
		require.Equal(t, -1, f.Quota().MinuteRemaining)
	})
}

// Match is a live fixture with so many goals of its home side.
func Match(id int64, goals int) footy.Snapshot {
	elapsed := 60
	s := footy.Snapshot{
		Match:  footy.Match{ID: id, Kickoff: time.Date(2026, 3, 7, 15, 0, 0, 0, time.UTC), Status: footy.Status{Code: "2H", Elapsed: &elapsed}},
		League: footy.League{ID: 39, Name: "Premier League", Country: "England", Season: 2025}, HasEvents: true,
		Teams: footy.Teams{Home: footy.Team{ID: 40, Name: "Liverpool"}, Away: footy.Team{ID: 42, Name: "Arsenal"}}, Score: footy.ScoreOf(goals, 0),
	}
	for i := range goals {
		s.Events = append(s.Events, footy.FeedEvent{Minute: footy.Minute{Elapsed: 10 + i}, Team: s.Teams.Home, Type: "Goal", Detail: "Normal Goal",
			Kind: footy.KindGoal, Player: footy.Person{ID: int64(100 + i), Name: "Player"}})
	}
	return s
}
