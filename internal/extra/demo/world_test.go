package demo_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/connect/feed/espn"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/extra/demo"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
)

// served is a world with modes, whose clips are not drawn.
func served(t *testing.T, modes ...script.Mode) *world.World {
	t.Helper()
	day := script.Short()
	day.Modes = modes
	w, err := world.New(world.Options{Script: day, ClipDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func TestAWorldWithoutAModelSaysSoInItsSettings(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(nil)
	require.NoError(t, err)
	lines := demo.World{Config: c}.Settings(served(t, script.Mode{Mode: script.NoModel}))
	require.Contains(t, lines, "PROOF=clock")
	require.NotContains(t, strings.Join(lines, "\n"), "LLAMA_")
	lines = demo.World{Config: c}.Settings(served(t))
	require.NotContains(t, strings.Join(lines, "\n"), "PROOF=")
	require.Contains(t, strings.Join(lines, "\n"), "LLAMA_URL=http")
}

func TestAWorldWithoutAnAppOfRedditSaysSoInItsSettings(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(nil)
	require.NoError(t, err)
	for _, mode := range []string{script.NoApp, script.RedditLimited, script.RedditBlocked} {
		w := served(t, script.Mode{Mode: mode})
		lines := demo.World{Config: c}.Settings(w)
		require.Contains(t, lines, "REDDIT_URL="+w.URL()+"/reddit", "nobody asks Reddit itself")
		require.Contains(t, lines, "REDDIT_VIDEO_URL="+w.URL()+"/reddit/v")
		require.NotContains(t, strings.Join(lines, "\n"), "REDDIT_CLIENT")
	}
	require.Contains(t, demo.World{Config: c}.Settings(served(t)), "REDDIT_CLIENT_ID="+world.RedditApp)
}

func TestAnAddressIsRefusedBeforeClipsAreDrawn(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(nil)
	require.NoError(t, err)
	for _, o := range []demo.World{{Addr: "nonsense"}, {Addr: "127.0.0.1:99999"}, {Control: "0.0.0.0:0"}, {Control: "127.0.0.1:99999"}} {
		var said strings.Builder
		o.Config, o.Short, o.ClipDir, o.Err = c, true, t.TempDir(), &said
		_, err := o.Start(t.Context())
		require.ErrorContains(t, err, "address", o)
		require.Empty(t, said.String(), "nothing was drawn")
	}
}

// TestTheSimulatedScoreboardShowsTheSameMatches: what differs between the two feeds of the world is how they say it.
func TestTheSimulatedScoreboardShowsTheSameMatches(t *testing.T) {
	t.Parallel()
	w := served(t, script.Mode{Mode: script.StaleStart, Fixture: 1300112, Minute: 40})
	client := httpx.New(httpx.Options{})
	board := espn.New(espn.Options{BaseURL: w.URL() + "/espn", Agent: "found-footy/test (+https://example.org)", Scale: 30, Leagues: func(context.Context) ([]string, error) { return []string{"eng.1", "nor.1"}, nil }}, client)
	vendor := apifootball.New(apifootball.Options{BaseURL: w.URL() + "/football", Key: "demo"}, client)
	type match struct {
		home, away footy.Team
		kickoff    time.Time
		goals      []string
	}
	seen := func(f feed.Feed) map[int64]match {
		day, err := f.Day(t.Context(), w.Status().StartedAt)
		require.NoError(t, err)
		require.NotEmpty(t, day)
		var live []int64
		for _, s := range day {
			if s.Match.Status.InPlay() {
				live = append(live, s.Match.ID)
			}
		}
		require.NotEmpty(t, live)
		now, err := f.ByIDs(t.Context(), live)
		require.NoError(t, err)
		require.Empty(t, now.Failed)
		out := map[int64]match{}
		for _, s := range append(day, now.Snapshots...) {
			m := match{home: s.Teams.Home, away: s.Teams.Away, kickoff: s.Match.Kickoff}
			m.home.Code, m.away.Code = "", "" // ESPN's alone
			for _, e := range s.Events {
				if e.Kind == footy.KindGoal {
					m.goals = append(m.goals, fmt.Sprint(e.Player.Name, e.Minute))
				}
			}
			slices.Sort(m.goals)
			out[s.Match.ID] = m
		}
		return out
	}
	byVendor := seen(vendor)
	require.Equal(t, byVendor, seen(board))
	goals := 0
	for _, m := range byVendor {
		goals += len(m.goals)
	}
	require.NotZero(t, goals, "some fell before minute 40")
}
