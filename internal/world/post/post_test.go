package post_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/day"
	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
)

func TestIDsAreSnowflakesOfTheirTime(t *testing.T) {
	t.Parallel()
	d := day.StartedAt(time.Now(), 30)
	c := post.NewCatalog(script.Default(), d)
	seen := map[string]bool{}
	for _, p := range c.All() {
		n, err := strconv.ParseInt(p.ID, 10, 64)
		require.NoError(t, err)
		require.Equal(t, p.PostedAt.UnixMilli(), n>>22+1288834974657)
		require.False(t, seen[p.ID])
		seen[p.ID] = true
		require.Equal(t, post.SerialOf(p.ID), post.SerialOf("t3_"+p.ID), "by its name on Reddit, too")
		require.NotEqual(t, -1, post.SerialOf(p.ID))
		require.NotContains(t, p.Text, "{", "every name is filled in")
	}
}

func TestAPostIsUnknownBeforeItIsPosted(t *testing.T) {
	t.Parallel()
	c := post.NewCatalog(script.Default(), day.StartedAt(time.Now(), 30))
	p := c.All()[10]
	_, ok := c.ByID(p.ID, p.PostedAt.Add(-time.Millisecond))
	require.False(t, ok)
	_, ok = c.ByID(p.ID, p.PostedAt)
	require.True(t, ok)
	require.GreaterOrEqual(t, c.Due(p.PostedAt), 11)
	require.LessOrEqual(t, c.Due(p.PostedAt.Add(-time.Millisecond)), 10)
}

// Even after an outage of some seconds a goal's clips must be findable: the search floor lies 3 minutes before first-seen.
func TestEveryGoalThatNeedsAClipIsPostedAgainLate(t *testing.T) {
	t.Parallel()
	late := map[string]bool{}
	for _, tr := range script.Default().Truth() {
		if tr.Reason == "" && tr.Post.After >= 240 {
			late[strconv.Itoa(tr.Fixture)+tr.Event] = true
		}
	}
	for _, f := range script.Default().Fixtures {
		for _, e := range f.Events {
			if e.Expect == nil || e.Expect.Removed || e.Expect.Clips.Min == 0 {
				continue
			}
			require.True(t, late[strconv.Itoa(f.ID)+e.Key], "%d %s", f.ID, e.Key)
		}
	}
}

func TestTextsNameScorerOrTeam(t *testing.T) {
	t.Parallel()
	s := script.Default()
	for _, p := range post.NewCatalog(s, day.StartedAt(time.Now(), 30)).All() {
		f, _ := s.Fixture(p.Fixture)
		e, _ := f.Event(p.Event)
		words := strings.Fields(post.FinalPlayer(e).Name)
		named := strings.Contains(p.Text, words[len(words)-1]) || strings.Contains(p.Text, s.Team(f.Home).Name) || strings.Contains(p.Text, s.Team(f.Away).Name)
		require.True(t, named, p.Text)
	}
}
