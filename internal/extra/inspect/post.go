package inspect

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/fetchhealth"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// PostRules are what the ledger goes by.
type PostRules struct {
	Delays  ledger.Delays
	NoModel footy.Reason // why no model is asked here; "": one is set, and is taken to answer
	Now     time.Time
}

// PostsAnswer is what would happen to the posts of a goal now.
type PostsAnswer struct {
	Event string    `json:"event"`
	Goal  string    `json:"goal"`
	At    time.Time `json:"at"` // when it holds
	Posts []PostNow `json:"posts"`

	moves bool // tell people the moves, too
}

// PostNow is one post, with what would happen to it now.
type PostNow struct {
	ID           string            `json:"id"`
	URL          string            `json:"url"`
	State        footy.PostState   `json:"state"`
	Reason       footy.Reason      `json:"reason,omitempty"`
	Detail       string            `json:"detail,omitempty"`
	Step         ledger.Step       `json:"step"` // what is to be done with it next; "": nothing
	Download     string            `json:"download,omitempty"`
	Tries        int               `json:"tries"`
	WaitingSince time.Time         `json:"waiting_since,omitzero"`
	NextTry      time.Time         `json:"next_try,omitzero"`
	Now          PostFate          `json:"now"`
	Says         string            `json:"says"`
	Moves        []ledger.Possible `json:"moves"`
}

// PostFate is what would happen to a post now.
type PostFate string

// The fates.
const (
	FateNone     PostFate = "nothing"  // it has ended
	FateAtWork   PostFate = "at_work"  // a Download has it
	FateWaits    PostFate = "waits"    // its time has not come, or its trouble goes on
	FateDownload PostFate = "download" // it is given to a new Download
	FateEnds     PostFate = "ends"     // it is refused
)

// Post says what would happen now to the posts of a goal, or to the one named.
func Post(ctx context.Context, st store.Store, g Goal, id string, r PostRules) (PostsAnswer, error) {
	out := PostsAnswer{Event: g.Event.ID, Goal: explain.Goal(&g.Fixture, g.Event), At: r.Now.UTC(), Posts: []PostNow{}, moves: id != ""}
	for _, p := range g.Posts {
		if id != "" && id != p.PostID {
			continue
		}
		rests, err := resting(ctx, st, p, r)
		if err != nil {
			return out, err
		}
		out.Posts = append(out.Posts, g.post(p, rests, r))
	}
	if id != "" && len(out.Posts) == 0 {
		return out, footy.Errorf(footy.CodeNotFound, "", "POST=%q is no post of this goal; leave it out to list its %s", id, explain.Plural(len(g.Posts), "post", "posts"))
	}
	slices.SortFunc(out.Posts, func(a, b PostNow) int { return strings.Compare(a.ID, b.ID) })
	return out, nil
}

// resting reports whether a post that waits to be fetched has to go on waiting since its place lets none through.
func resting(ctx context.Context, st store.Store, p footy.Post, r PostRules) (bool, error) {
	if !ledger.AwaitsFetch(p) {
		return false, nil
	}
	var h source.FetchHealth
	if err := st.State(ctx, source.PlaceOf(p.PostID).FetchHealthKey(), &h); err != nil && !footy.IsNotFound(err) {
		return false, err
	}
	_, turn := fetchhealth.TakeTurn(h, r.Delays.TurnEvery(), r.Now)
	return fetchhealth.Resting(h) && !turn, nil
}

func (g Goal) post(p footy.Post, rests bool, r PostRules) PostNow {
	n := PostNow{ID: p.PostID, URL: p.Candidate.URL, State: p.State, Reason: p.Reason, Detail: p.Detail, Step: ledger.NextStep(p), Download: p.Download, Tries: p.Tries,
		WaitingSince: p.WaitingSince, NextTry: p.NextTry, Moves: ledger.Moves(p, r.Now, r.Delays)}
	leased := p.State != footy.PostWaiting && p.Download != ""
	switch {
	case p.Ended():
		n.Now, n.Says = FateNone, "it has ended"
		switch {
		case p.State == footy.PostPassed:
			n.Says = "it was passed over; a later search may choose it"
		case p.Reason != "":
			n.Says += ": " + explain.Reason(p.Reason)
		case p.State == footy.PostPublished:
			n.Says = "its file is clip " + p.ClipID
		case p.State == footy.PostMerged:
			n.Says = "clip " + p.ClipID + " stands for it"
		}
	case p.NextTry.After(r.Now) && leased:
		n.Now, n.Says = FateAtWork, fmt.Sprintf("%s has it, to %s it; if that died, another Download gets it at %s", p.Download, n.Step, clockText(p.NextTry))
	case p.NextTry.After(r.Now):
		n.Now, n.Says = FateWaits, fmt.Sprintf("%s; its next try is at %s", explain.Wait(p.Reason), clockText(p.NextTry))
	default:
		g.due(&n, p, rests, r)
		if leased && n.Now != FateEnds {
			n.Says = fmt.Sprintf("unless %s still works at it: %s", p.Download, n.Says)
		}
	}
	return n
}

// due is what Monitor does at its next look.
func (g Goal) due(n *PostNow, p footy.Post, rests bool, r PostRules) {
	do, free := ledger.Due(p, g.Event, ledger.Around{Forgotten: ledger.Forgotten(&g.Fixture, g.Event), NoModel: r.NoModel, Rests: rests})
	switch after, _, err := ledger.Advance(p, do, r.Now, r.Delays); {
	case free:
		n.Now, n.Says = FateDownload, fmt.Sprintf("Monitor gives it to a new Download, to %s it", n.Step)
		if ledger.AwaitsModel(p) {
			n.Says += ", if the model answers"
		}
	case err != nil:
		n.Now, n.Says = FateWaits, "nothing: "+err.Error()
	case after.Ended():
		n.Now, n.Says = FateEnds, "Monitor ends it: "+explain.Reason(after.Reason)
	default:
		n.Now, n.Says = FateWaits, fmt.Sprintf("it is due and waits on: %s; its next try is then at %s", explain.Wait(after.Reason), clockText(after.NextTry))
	}
}

// String is for people: a post in two lines.
func (a PostsAnswer) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", a.Goal)
	for _, p := range a.Posts {
		fmt.Fprintf(&b, "%s  %s  %s\n  now: %s\n", p.ID, p.State, p.URL, p.Says)
		if p.Detail != "" {
			fmt.Fprintf(&b, "  met last: %s\n", p.Detail)
		}
		if !a.moves {
			continue
		}
		for _, m := range p.Moves {
			fmt.Fprintf(&b, "  when %s by %s: %s; %s\n", m.Move, m.By, becomes(m.Becomes), m.Does)
		}
	}
	if len(a.Posts) == 0 {
		b.WriteString("no post was found yet\n")
	}
	return b.String()
}

func becomes(states []footy.PostState) string {
	var words []string
	for _, s := range states {
		words = append(words, strings.ReplaceAll(string(s), "_", " "))
	}
	return strings.Join(words, " or ")
}

// Goal is a stored event with its match and its posts. Each rule about a goal answers from it.
type Goal struct {
	Fixture footy.Fixture
	Event   *footy.Event // within Fixture
	Posts   []footy.Post
}

// FindGoal reads a goal by states id that it ever had, or by the address of its page.
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

func clockText(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }
