package inspect

import (
	"context"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Goal is a stored event with its match and its posts. Each rule about a goal answers from it.
type Goal struct {
	Fixture footy.Fixture
	Event   *footy.Event // within Fixture
	Posts   []footy.Post
}

// FindGoal reads a goal by any id that it ever had, or by the address of its page.
func FindGoal(ctx context.Context, st store.Store, id string) (g Goal, err error) {
	if _, after, is := strings.Cut(id, footy.GoalPath("")); is {
		id, _, _ = strings.Cut(strings.ReplaceAll(after, "#", "?"), "?")
	}
	g.Fixture, err = st.FixtureOfEvent(ctx, id)
	if err == nil {
		g.Event = g.Fixture.Event(id)
	}
	if footy.IsNotFound(err) || err == nil && g.Event == nil {
		return g, footy.Errorf(footy.CodeNotFound, "", "EVENT=%q is no goal of this state; take the address of the goal's page, or what follows %s in it, and check STATE_DIR", id, footy.GoalPath(""))
	}
	if err != nil {
		return g, err
	}
	g.Posts, err = st.Posts(ctx, store.PostQuery{EventUID: g.Event.UID})
	return g, err
}

// clockText is a time for people.
func clockText(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }
