package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/crashpoint"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/completion"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/rule/ledger"
	"github.com/found-footy/found-footy/internal/rule/query"
	"github.com/found-footy/found-footy/internal/rule/round"
	"github.com/found-footy/found-footy/internal/rule/title"
	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/store"
)

// Activities of the search.
type Activities struct {
	Store  store.Store
	Source source.Source
	Polled func(ctx context.Context) (bool, error) // whether anybody asked for searches lately; needed by Untaken alone
	Page   footy.Publisher
	Now    func() time.Time
}

// Ref names an event and, where it matters, the workflow that acts.
type Ref struct {
	FixtureID  int64  `json:"fixture_id"`
	EventUID   string `json:"event_uid"`
	WorkflowID string `json:"workflow_id,omitempty"`
}

// Beginning is what the search needs to know at its start.
type Beginning struct {
	Label       string     `json:"label"` // for the Temporal UI
	Round       int        `json:"round"`
	Tries       int        `json:"tries,omitempty"` // made in this round before: a search that was begun again goes on counting
	Since       time.Time  `json:"since"`           // when the goal was scored (ScoredAt), or the round was opened
	Team        footy.Team `json:"team"`
	Country     string     `json:"country,omitempty"`
	National    bool       `json:"national,omitempty"`
	NeedAliases bool       `json:"need_aliases"`
}

// SearchInput asks for one search.
type SearchInput struct {
	Ref
	Round  int           `json:"round"`
	Try    int           `json:"number"`
	Timing policy.Timing `json:"timing"`
}

// SearchResult is the outcome of one search.
type SearchResult struct {
	State      source.State  `json:"state"`
	Usable     bool          `json:"usable"`
	Free       bool          `json:"free,omitempty"`     // costs no try: nobody could look
	Download   string        `json:"download,omitempty"` // key of the batch to start
	Registered int           `json:"registered"`
	Enough     bool          `json:"enough,omitempty"`
	NewRound   bool          `json:"new_round,omitempty"` // the event opened another round meanwhile
	End        footy.Reason  `json:"end,omitempty"`       // the round is over for this reason
	RetryAfter time.Duration `json:"retry_after,omitempty"`
	Untaken    bool          `json:"untaken,omitempty"` // it lay in the queue and nobody took it
}

// Unreachable is the state of a search service that does not answer.
const Unreachable = footy.SearchUnreachable

// EndInput closes a round.
type EndInput struct {
	Ref
	Round    int          `json:"round"`
	Why      footy.Reason `json:"why,omitempty"`
	Searches int          `json:"attempts"`
}

// Begin marks the round as taken up.
func (a *Activities) Begin(ctx context.Context, in Ref) (Beginning, error) {
	now := a.Now()
	var out Beginning
	var known footy.TeamAliases
	_, err := a.Store.Update(ctx, in.FixtureID, func(f *footy.Fixture) ([]footy.Entry, error) {
		e := f.Event(in.EventUID)
		if e == nil {
			return nil, footy.Errorf(footy.CodeNotFound, "begin search", "no event %s", in.EventUID)
		}
		out = Beginning{Label: footy.MatchLabel(*f, *e), Round: e.Round, Tries: e.Tries, Since: e.ScoredAt(), Team: e.Team, Country: f.League.Country, National: f.League.National()}
		if e.Round > 1 {
			out.Since = e.RoundOpenedAt
		}
		var err error
		known, err = a.Store.Aliases(ctx, e.Team.ID)
		if err != nil && !footy.IsNotFound(err) {
			return nil, err
		}
		out.NeedAliases = err != nil
		if !round.TakeUp(e, in.WorkflowID) {
			return nil, store.ErrUnchanged
		}
		e.TwitterAliases = known.Aliases
		return []footy.Entry{{
			Key: fmt.Sprintf("%s/searching/r%d/%s", e.UID, e.Round, in.WorkflowID), FixtureID: f.ID, EventUID: e.UID, At: now,
			Kind: footy.EntrySearching, Data: footy.Evidence{Player: e.Player.Name, Time: &e.Minute, Round: e.Round, Workflow: in.WorkflowID,
				Aliases: e.TwitterAliases},
		}}, nil
	})
	if err == nil {
		crashpoint.Here(crashpoint.SearchBegun)
		a.Page.Publish(ctx, "event", in.EventUID)
	}
	return out, err
}

// Search makes one search and, if it was usable, writes its posts into the ledger and opens their batch.
func (a *Activities) Search(ctx context.Context, in SearchInput) (SearchResult, error) {
	f, err := a.Store.Fixture(ctx, in.FixtureID)
	if err != nil {
		return SearchResult{}, err
	}
	e := f.Event(in.EventUID)
	since := queued(ctx, in)
	layInQueue(e, since)
	if done := roundOver(e, in, a.Now()); done != nil {
		return *done, nil
	}
	if key := round.BatchOf(e, in.Try); key != "" { // made before; its answer got lost
		return SearchResult{State: source.StateResults, Usable: true, Download: key, Registered: len(e.RegisteredBatches)}, nil
	}
	q, err := a.query(ctx, f, e, in)
	if footy.CodeOf(err) == footy.CodeInvalid {
		return SearchResult{End: footy.ReasonNoQuery, Registered: len(e.RegisteredBatches)}, nil
	}
	if err != nil {
		return SearchResult{}, err
	}
	stop := heartbeat(ctx)
	res, err := a.Source.Search(ctx, q)
	stop()
	if ctx.Err() != nil {
		return SearchResult{}, ctx.Err()
	}
	if errors.Is(err, source.ErrNotHere) {
		return SearchResult{}, footy.Wrap(footy.CodeUnavailable, "search", err) // the queue has it again
	}
	if err != nil {
		res = source.Result{State: Unreachable, Detail: err.Error()}
	}
	if !res.State.Usable() {
		return a.unusable(ctx, in, q, res, since)
	}
	return a.take(ctx, in, q, res, since)
}

// unusable notes a search that is no answer. While nobody can look the round's time stands still, and one row tells it.
func (a *Activities) unusable(ctx context.Context, in SearchInput, q source.Query, res source.Result, since time.Time) (SearchResult, error) {
	now := a.Now()
	out := SearchResult{State: res.State, RetryAfter: res.RetryAfter,
		Free: res.State == source.StateRateLimited || res.State == source.StateLoginRequired || res.State == Unreachable}
	_, err := a.Store.Update(ctx, in.FixtureID, func(f *footy.Fixture) ([]footy.Entry, error) {
		e := f.Event(in.EventUID)
		if e == nil || e.Removed {
			out.End = footy.ReasonEventGone
			return nil, store.ErrUnchanged
		}
		out.Registered = len(e.RegisteredBatches)
		row := queryRow(f.ID, e, in, q, res, now)
		if !out.Free {
			layInQueue(e, since)
			in.Timing.SearchWindow().Searched(e, now)
			e.Tries = max(e.Tries, in.Try)
			return []footy.Entry{row}, nil
		}
		if !round.Block(e, string(res.State), now) {
			return nil, store.ErrUnchanged
		}
		row.Key += "/" + now.UTC().Format("150405.000") // several waits may share one number
		return []footy.Entry{row}, nil
	})
	return out, err
}

// take writes down what a search found: posts first, so that a crash leaves none that no record knows, then their batch.
func (a *Activities) take(ctx context.Context, in SearchInput, q source.Query, res source.Result, since time.Time) (SearchResult, error) {
	now := a.Now()
	f, err := a.Store.Fixture(ctx, in.FixtureID)
	if err != nil {
		return SearchResult{}, err
	}
	e := f.Event(in.EventUID)
	if e == nil {
		return SearchResult{End: footy.ReasonEventGone}, nil
	}
	isKnown, mine, err := a.knownPosts(ctx, e, in.Try)
	if err != nil {
		return SearchResult{}, err
	}
	crashpoint.Here(crashpoint.SearchAnswered)
	chosen, passed := round.ChooseLongest(res.Candidates, isKnown, in.Timing.BatchSize)
	posts := make([]footy.Post, 0, len(chosen))
	for _, c := range chosen {
		posts, mine = append(posts, ledger.NewPost(f.ID, *e, c, in.Try, now)), append(mine, c.PostID)
	}
	if err := a.Store.AddPosts(ctx, posts, takeRows(f.ID, e, in, chosen, passed, now)...); err != nil {
		return SearchResult{}, err
	}
	crashpoint.Here(crashpoint.PostsTaken)
	out := SearchResult{State: res.State, Usable: true, RetryAfter: res.RetryAfter}
	f, err = a.Store.Update(ctx, in.FixtureID, func(f *footy.Fixture) ([]footy.Entry, error) {
		e := f.Event(in.EventUID)
		if e == nil {
			out.End = footy.ReasonEventGone
			return nil, store.ErrUnchanged
		}
		for _, id := range mine {
			if !slices.Contains(e.DiscoveredVideos, id) {
				e.DiscoveredVideos = append(e.DiscoveredVideos, id)
			}
		}
		out.Registered, out.NewRound = len(e.RegisteredBatches), e.Round != in.Round
		layInQueue(e, since)
		in.Timing.SearchWindow().Searched(e, now)
		row := queryRow(f.ID, e, in, q, res, now)
		row.Data.New = len(chosen) + len(passed)
		if !out.NewRound {
			e.Tries = max(e.Tries, in.Try)
			out.Download = round.OpenBatch(e, in.Try, now, func(n int) string { return round.DownloadID(*e, n) }).Key
		}
		return []footy.Entry{row}, nil
	})
	if err == nil && f.Event(in.EventUID) != nil {
		crashpoint.Here(crashpoint.BatchOpened)
		a.Page.Publish(ctx, "event", in.EventUID)
	}
	return out, err
}

// knownPosts answers which posts the event has seen: those of the ledger, and those that were found before there was one. Posts
// that a try of this very search wrote down before it died are its own, and not known.
func (a *Activities) knownPosts(ctx context.Context, e *footy.Event, try int) (isKnown func(string) bool, mine []string, err error) {
	posts, err := a.Store.Posts(ctx, store.PostQuery{EventUID: e.UID})
	if err != nil {
		return nil, nil, err
	}
	set := make(map[string]bool, len(posts)+len(e.DiscoveredVideos))
	for _, id := range e.DiscoveredVideos {
		set[id] = true
	}
	for _, p := range posts {
		if p.Try > 0 && !set[p.PostID] {
			mine = append(mine, p.PostID) // also of an earlier round, whose search died for good
			if p.Round == e.Round && p.Try == try {
				continue
			}
		}
		set[p.PostID] = true
	}
	return func(id string) bool { return set[id] }, mine, nil
}

// End closes the round and completes the event if nothing is open any more.
func (a *Activities) End(ctx context.Context, in EndInput) error {
	now := a.Now()
	_, err := a.Store.Update(ctx, in.FixtureID, func(f *footy.Fixture) ([]footy.Entry, error) {
		e := f.Event(in.EventUID)
		if e == nil || e.Removed || !round.End(e, in.Round, in.Why, now) {
			return nil, store.ErrUnchanged
		}
		return nil, nil
	})
	if footy.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = completion.Complete(ctx, a.Store, in.FixtureID, in.EventUID, in.Searches, now)
	if err == nil {
		a.Page.Publish(ctx, "event", in.EventUID)
	}
	return err
}

// roundOver tells whether there is anything left to search for; nil if there is.
func roundOver(e *footy.Event, in SearchInput, now time.Time) *SearchResult {
	switch {
	case e == nil || e.Removed:
		return &SearchResult{End: footy.ReasonEventGone}
	case e.Round != in.Round:
		return &SearchResult{NewRound: true}
	case len(e.RegisteredBatches) >= in.Timing.Searches:
		return &SearchResult{Enough: true, Registered: len(e.RegisteredBatches)}
	case in.Timing.SearchWindow().Over(e, now):
		return &SearchResult{End: footy.ReasonWindowOver, Registered: len(e.RegisteredBatches)}
	}
	return nil
}

func (a *Activities) query(ctx context.Context, f footy.Fixture, e *footy.Event, in SearchInput) (source.Query, error) {
	known, err := a.Store.Aliases(ctx, e.Team.ID)
	if err != nil && !footy.IsNotFound(err) {
		return source.Query{}, err
	}
	pair, err := query.Build(e.Player.Name, e.Team, known)
	if err != nil {
		return source.Query{}, footy.Errorf(footy.CodeInvalid, "build query for "+e.ID, "%w", err)
	}
	goal, err := a.goal(ctx, f, e)
	if err != nil {
		return source.Query{}, err
	}
	return source.Query{
		Goal:    goal,
		Text:    query.ForTry(pair, in.Try),
		Exclude: e.DiscoveredVideos,
		Since:   floor(e, in.Timing.SearchFloor),
		Max:     20,
		Group:   strconv.FormatInt(in.FixtureID, 10), // open goals of one match may share a call
	}, nil
}

// goal is what titles must name; no title names what is no goal.
func (a *Activities) goal(ctx context.Context, f footy.Fixture, e *footy.Event) (*title.Goal, error) {
	if !e.Kind.Scores() {
		return &title.Goal{}, nil
	}
	g := &title.Goal{Score: e.ScoreAfter, Side: e.ScoringTeam, Scorer: e.Player.Name, Minute: e.Minute}
	for _, side := range []struct {
		of *title.TeamName
		footy.Team
	}{{&g.Home, f.Teams.Home}, {&g.Away, f.Teams.Away}} {
		known, err := a.Store.Aliases(ctx, side.ID)
		if err != nil && !footy.IsNotFound(err) {
			return nil, err
		}
		*side.of = title.TeamName{Name: side.Name, Aliases: known.Aliases, Abbr: known.Abbr}
	}
	for _, other := range f.Events {
		if other.UID != e.UID && other.Kind.Scores() && other.Standing() {
			g.Siblings = append(g.Siblings, other.ScoreAfter)
		}
	}
	return g, nil
}

// floor is the time before which no post can show the goal.
func floor(e *footy.Event, margin time.Duration) time.Time {
	at := e.FirstSeen
	if !e.HappenedAt.IsZero() && e.HappenedAt.Before(at) {
		at = e.HappenedAt
	}
	return at.Add(-margin)
}
