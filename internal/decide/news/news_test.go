package news_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
)

var now = time.Date(2026, 11, 14, 16, 0, 0, 0, time.UTC)

func TestWhatIsNews(t *testing.T) {
	t.Parallel()
	told := news.Told{At: now.Add(-time.Minute)}
	withClip := news.Told{At: told.At, Clip: "a", Text: "says"}
	removed := news.Told{At: told.At, Clip: "a", Removed: true}
	standing := footy.Event{CertainAt: now.Add(-time.Hour), Clips: []footy.Clip{{ID: "a"}}}
	gone := standing
	gone.Removed = true
	hidden := standing
	hidden.Clips = []footy.Clip{{ID: "a", ReplacedBy: "b"}, {ID: "b", Hidden: true}, {ID: "c"}}
	for name, c := range map[string]struct {
		event footy.Event
		clip  string
		text  string
		was   news.Told
		want  news.Change
		next  news.Told
	}{
		"not certain":                  {event: footy.Event{}, clip: "a"},
		"certain":                      {event: standing, want: news.Certain, next: news.Told{At: now}},
		"certain, with a clip":         {event: standing, clip: "a", want: news.FirstClip, next: news.Told{At: now, Clip: "a"}},
		"told already":                 {event: standing, was: told, next: told},
		"its first clip":               {event: standing, clip: "a", was: told, want: news.FirstClip, next: news.Told{At: now, Clip: "a"}},
		"the same clip":                {event: standing, clip: "a", text: "says", was: withClip, next: withClip},
		"a better clip":                {event: standing, clip: "b", text: "new", was: withClip, want: news.BetterClip, next: news.Told{At: now, Clip: "b", Text: "new"}},
		"corrected":                    {event: standing, clip: "a", text: "new", was: withClip, want: news.Corrected, next: news.Told{At: now, Clip: "a", Text: "new"}},
		"the clip's winner is hidden":  {event: hidden, clip: "c", text: "new", was: withClip, want: news.Withdrawn, next: news.Told{At: now, Clip: "c", Text: "new"}},
		"no clip is chosen any more":   {event: standing, text: "says", was: withClip, next: withClip},
		"removed":                      {event: gone, was: withClip, want: news.Removed, next: news.Told{At: now, Clip: "a", Text: "says", Removed: true}},
		"removed and told":             {event: gone, was: removed, next: removed},
		"removed before it was told":   {event: gone},
		"reinstated, its clip is told": {event: standing, clip: "a", was: removed, want: news.Reinstated, next: news.Told{At: now, Clip: "a"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var clip *footy.Clip
			if c.clip != "" {
				clip = &footy.Clip{ID: c.clip}
			}
			got, next := news.Of(&c.event, clip, c.text, c.was, now)
			require.Equal(t, c.want, got)
			require.Equal(t, c.next, next)
			require.Equal(t, got == news.Nothing, next.Same(c.was))
		})
	}
}

func TestWhoIsTold(t *testing.T) {
	t.Parallel()
	goal, card := footy.Event{Kind: footy.KindGoal}, footy.Event{Kind: footy.KindRedCard}
	x := footy.Fixture{League: footy.League{ID: 39}, Teams: footy.Teams{Home: footy.Team{ID: 40}, Away: footy.Team{ID: 50}}, Events: []footy.Event{goal, card}}
	for name, c := range map[string]struct {
		filter     news.Filter
		goal, card bool
	}{
		"nobody":                {news.Filter{}, false, false},
		"everybody":             {news.Filter{All: true}, true, false},
		"of the home team":      {news.Filter{Teams: []int64{1, 40}}, true, false},
		"of the away team":      {news.Filter{Teams: []int64{50}}, true, false},
		"of the competition":    {news.Filter{Leagues: []int64{39}}, true, false},
		"of others":             {news.Filter{Teams: []int64{39}, Leagues: []int64{40}}, false, false},
		"of cards":              {news.Filter{All: true, Kinds: []footy.Kind{footy.KindRedCard}}, false, true},
		"of both, of that team": {news.Filter{Teams: []int64{40}, Kinds: []footy.Kind{footy.KindRedCard, footy.KindGoal}}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.goal, c.filter.Wants(&x, &goal))
			require.Equal(t, c.card, c.filter.Wants(&x, &card))
			got := map[footy.Kind]bool{}
			for _, e := range c.filter.Events([]footy.Fixture{x}) {
				got[e.Kind] = true
			}
			require.Equal(t, []bool{c.goal, c.card}, []bool{got[footy.KindGoal], got[footy.KindRedCard]})
		})
	}
}

func TestWhatIsOldIsNoNews(t *testing.T) {
	t.Parallel()
	require.True(t, news.Fresh(now.Add(-3*time.Hour), now.Add(-4*time.Hour), now))
	require.False(t, news.Fresh(now.Add(-3*time.Hour-time.Second), now.Add(-4*time.Hour), now), "nobody could be told in time")
	require.False(t, news.Fresh(now, now, now), "it was before")
	r := news.Record{"old": {At: now.Add(-49 * time.Hour)}, "new": {At: now.Add(-47 * time.Hour)}}
	r.Forget(now)
	require.Contains(t, r, "new")
	require.Len(t, r, 1)
}
