package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/ingest/alias"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

// Activities of the search.
type Activities struct {
	Store    store.Store
	Source   source.Source
	Temporal client.Client                           // starts Downloads
	Polled   func(ctx context.Context) (bool, error) // whether anybody asked for searches lately; needed by Untaken alone
	Page     footy.Publisher
	Delays   ledger.Delays // scaled
	Now      func() time.Time
}

// BeginInput names an event and the workflow that searches.
type BeginInput struct {
	Input
	WorkflowID string `json:"workflow_id,omitempty"`
}

// Beginning is what the search needs to know at its start.
type Beginning struct {
	Round       int       `json:"round"`
	Tries       int       `json:"tries,omitempty"` // made in this round before: a search that was begun again goes on counting
	Since       time.Time `json:"since"`           // when the goal was scored (ScoredAt), or the round was opened
	alias.Input           // its team
	NeedAliases bool      `json:"need_aliases"`
	Download    string    `json:"download,omitempty"` // started for posts that waited for the event to be certain
}

// SearchInput asks for one search.
type SearchInput struct {
	Input
	Round int `json:"round"`
	Try   int `json:"number"`
	ahead int // which sighting of an event that is not certain yet
}

// SearchResult is the outcome of one search.
type SearchResult struct {
	State      source.State  `json:"state"`
	Usable     bool          `json:"usable"`
	Free       bool          `json:"free,omitempty"`      // costs no try: nobody could look
	Download   string        `json:"download,omitempty"`  // id of the Download that was started for what was found
	Registered int           `json:"registered"`          // usable searches of the round so far
	NewRound   bool          `json:"new_round,omitempty"` // the event opened another round meanwhile
	Over       bool          `json:"over,omitempty"`      // no further search of this round
	End        footy.Reason  `json:"end,omitempty"`       // why it ended short of its searches
	RetryAfter time.Duration `json:"retry_after,omitempty"`
	Next       time.Duration `json:"next,omitempty"`    // after a usable search: how long to wait for the next one; 0 = it is due
	Untaken    bool          `json:"untaken,omitempty"` // it lay in the queue and nobody took it
}

// EndInput closes a round.
type EndInput struct {
	Input
	Round int          `json:"round"`
	Why   footy.Reason `json:"why,omitempty"`
}

// BeginSearch is Begin, as workflows call it.
var BeginSearch = policy.Define[BeginInput, Beginning]("set_monitor_complete", policy.Row{Queue: policy.QueueMain, Local: true, Timeout: 30 * time.Second,
	Why: "proves that the search runs"})

// Begin marks the round as taken up.
func (a *Activities) Begin(ctx context.Context, in BeginInput) (Beginning, error) {
	now := a.Now()
	var out Beginning
	var label string
	var known footy.TeamAliases
	e, err := in.Change(ctx, a.Store, func(f *footy.Fixture, e *footy.Event) ([]footy.Entry, error) {
		label = footy.MatchLabel(*f, *e)
		out = Beginning{Round: e.Round.Number, Tries: e.Round.Tries, Since: e.ScoredAt(), Input: alias.Of(e.Team, f.League)}
		if e.Round.Number > 1 {
			out.Since = e.Round.OpenedAt
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
			Key: fmt.Sprintf("%s/searching/r%d/%s", e.UID, e.Round.Number, in.WorkflowID), FixtureID: f.ID, EventUID: e.UID, At: now,
			Kind: footy.EntrySearching, Data: footy.Evidence{Player: e.Player.Name, Time: &e.Minute, Round: e.Round.Number, Workflow: in.WorkflowID,
				Aliases: e.TwitterAliases},
		}}, nil
	})
	if e == nil && err == nil {
		err = footy.Errorf(footy.CodeNotFound, "begin search", "no event %s", in.EventUID)
	}
	if err != nil {
		return out, err
	}
	crashpoint.Here(crashpoint.SearchBegun)
	a.Page.Publish(ctx, "event", in.EventUID)
	waiting, err := a.Store.Posts(ctx, store.PostQuery{EventUID: in.EventUID, States: []footy.PostState{footy.PostWaiting}})
	if err != nil {
		return out, err
	}
	if slices.ContainsFunc(waiting, func(p footy.Post) bool { return ledger.Near(p, now, a.Delays) }) {
		out.Download = round.DownloadID(*e, 0)
	}
	return out, a.startDownload(ctx, in.Input, out.Download, label)
}

// startDownload starts the Download of posts, if there are any; one that runs or has ended is left alone. Where it fails for good the posts
// lie in the ledger, where Monitor's reconcile step finds them.
func (a *Activities) startDownload(ctx context.Context, in Input, id, label string) error {
	if id == "" {
		return nil
	}
	o := client.StartWorkflowOptions{ID: id, StaticSummary: label, WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE}
	_, err := download.Workflow.Start(ctx, a.Temporal, o, download.Input{EventInput: in, Download: id})
	return footy.Wrap(footy.CodeUnavailable, "start "+id, err)
}

// Search is Search, as workflows call it.
var Search = policy.Define[SearchInput, SearchResult]("execute_twitter_search", policy.Row{Queue: policy.QueueSearch, Timeout: 100 * time.Second, Heartbeat: 20 * time.Second, Pause: 2 * time.Second,
	Why: "a browser search takes 11-30 s and its client gives up after 90; a service that does not answer is an answer, so only our store is retried"})

// Search makes one search, counts it, and writes what it found into the ledger.
func (a *Activities) Search(ctx context.Context, in SearchInput) (SearchResult, error) {
	f, e, err := in.Event(ctx, a.Store)
	if err != nil {
		return SearchResult{}, err
	}
	if done := roundOver(e, in, a.Now()); done.Over || done.NewRound {
		return done, nil
	}
	if in.Try <= e.Round.Tries { // made before; its answer got lost
		out := SearchResult{State: source.StateResults, Usable: true, Download: round.DownloadID(*e, in.Try), Registered: e.Round.Searches, Next: in.Timing.Limits().Wait(e, a.Now())}
		return out, a.startDownload(ctx, in.Input, out.Download, footy.MatchLabel(f, *e))
	}
	q, res, err := a.look(ctx, f, e, in)
	if footy.CodeOf(err) == footy.CodeInvalid {
		return SearchResult{Over: true, End: footy.ReasonNoQuery, Registered: e.Round.Searches}, nil
	}
	if err != nil {
		return SearchResult{}, err
	}
	if !res.State.Usable() {
		return a.unusable(ctx, in, q, res)
	}
	return a.record(ctx, in, q, res)
}

// look asks the source, and beats until it answers or panics. That nobody answers is an answer, but where the account has gone: then
// another can be asked.
func (a *Activities) look(ctx context.Context, f footy.Fixture, e *footy.Event, in SearchInput) (source.Query, source.Result, error) {
	stop := policy.Heartbeats(ctx)
	defer stop()
	q, err := a.query(ctx, f, e, in)
	if err != nil {
		return q, source.Result{}, err
	}
	res, err := a.Source.Search(ctx, q)
	switch {
	case ctx.Err() != nil:
		return q, res, ctx.Err()
	case errors.Is(err, source.ErrNotHere):
		return q, res, footy.Wrap(footy.CodeUnavailable, "search", err)
	case err != nil:
		res = source.Result{State: footy.SearchUnreachable, Detail: err.Error(), Comments: res.Comments}
	}
	return q, res, nil
}

// unusable notes a search that is no answer. While nobody can look the round's time stands still, and one row tells it.
func (a *Activities) unusable(ctx context.Context, in SearchInput, q source.Query, res source.Result) (SearchResult, error) {
	now := a.Now()
	out := SearchResult{Over: true, End: footy.ReasonEventGone}
	_, err := in.Change(ctx, a.Store, func(f *footy.Fixture, e *footy.Event) ([]footy.Entry, error) {
		if out = roundOver(e, in, now); e.Removed || out.NewRound {
			return nil, store.ErrUnchanged
		}
		out = SearchResult{State: res.State, RetryAfter: res.RetryAfter, Registered: e.Round.Searches,
			Free: res.State.Waits() || res.State == footy.SearchUnreachable}
		row := queryRow(f.ID, e, in, q, res, now)
		round.NoteComments(e, res.Comments)
		if !out.Free {
			in.Timing.Limits().Answered(e, in.Try, false, now)
			out.End, out.Over = in.Timing.Limits().Over(e, now)
			return []footy.Entry{row}, nil
		}
		if !round.Block(e, cmp.Or(string(res.Reason), string(res.State)), now) {
			if len(res.Comments) > 0 {
				return nil, nil
			}
			return nil, store.ErrUnchanged
		}
		row.Key += "/" + e.Round.Blocked.By // each cause once, however often they take turns
		return []footy.Entry{row}, nil
	})
	return out, err
}

// record writes down what a search found: posts first, so that a crash leaves none that no record knows, then that it was made.
func (a *Activities) record(ctx context.Context, in SearchInput, q source.Query, res source.Result) (SearchResult, error) {
	now := a.Now()
	f, e, err := in.Event(ctx, a.Store)
	if err != nil || e == nil {
		return SearchResult{Over: true, End: footy.ReasonEventGone}, err
	}
	crashpoint.Here(crashpoint.SearchAnswered)
	fresh, id, err := a.addPosts(ctx, *e, in, round.DownloadID(*e, in.Try), res.Candidates, now)
	if err != nil {
		return SearchResult{}, err
	}
	crashpoint.Here(crashpoint.PostsTaken)
	if err := a.learn(ctx, f, res.Candidates); err != nil {
		return SearchResult{}, err
	}
	words, err := a.Store.Aliases(ctx, e.Team.ID)
	if err != nil && !footy.IsNotFound(err) {
		return SearchResult{}, err
	}
	out := SearchResult{State: res.State, Usable: true, RetryAfter: res.RetryAfter, Download: id}
	e, err = in.Change(ctx, a.Store, func(f *footy.Fixture, e *footy.Event) ([]footy.Entry, error) {
		if len(words.Aliases) > 0 { // the team may have been looked up since the search began
			e.TwitterAliases = words.Aliases
		}
		row := queryRow(f.ID, e, in, q, res, now)
		row.Data.New = fresh
		round.NoteComments(e, res.Comments)
		if out.NewRound = e.Round.Number != in.Round; out.NewRound {
			return []footy.Entry{row}, nil // it counts for no round
		}
		in.Timing.Limits().Answered(e, in.Try, true, now)
		out.Registered = e.Round.Searches
		out.End, out.Over = in.Timing.Limits().Over(e, now)
		out.Next = in.Timing.Limits().Wait(e, now)
		return []footy.Entry{row}, nil
	})
	if err != nil || e == nil {
		return SearchResult{Over: true, End: footy.ReasonEventGone}, err
	}
	crashpoint.Here(crashpoint.SearchRecorded)
	a.Page.Publish(ctx, "event", in.EventUID)
	return out, a.startDownload(ctx, in.Input, id, footy.MatchLabel(f, *e))
}

// addPosts writes what a search found into the ledger. It answers how many posts nobody had seen before, and the Download id that is to
// drive those it chose; "" if it chose none. Posts that a try of this very search wrote down before it died are its own, and chosen
// anew.
func (a *Activities) addPosts(ctx context.Context, e footy.Event, in SearchInput, id string, found []footy.Candidate, now time.Time) (fresh int, download string, err error) {
	known, err := a.Store.Posts(ctx, store.PostQuery{EventUID: e.UID})
	if err != nil {
		return 0, "", err
	}
	have := make(map[string]footy.Post, len(known))
	for _, p := range known {
		have[p.PostID] = p
	}
	for _, p := range known {
		if p.State == footy.PostPassed && p.Candidate.Link != "" { // no later search finds it again: its comment was read
			found = append(found, p.Candidate)
		}
	}
	by := ledger.Search{Round: in.Round, Try: in.Try}
	chosen, passed := round.ChooseLongest(found, func(post string) bool {
		p, there := have[post]
		return there && p.State != footy.PostPassed && (p.Round != by.Round || p.Try != by.Try)
	}, in.Timing.BatchSize)
	var posts []footy.Post
	var rows []footy.Entry
	add := func(p footy.Post, row footy.Entry) { posts, rows = append(posts, p), append(rows, row) }
	for _, c := range chosen {
		download = id
		if have[c.PostID].State == footy.PostPassed {
			if _, err := policy.Advance(ctx, a.Store, have[c.PostID], ledger.Choose(c, by, id), now, a.Delays); err != nil { // a sibling goal's offer may be quicker
				return 0, "", err
			}
			continue
		}
		add(ledger.Found(in.FixtureID, e, c, by, id, now, a.Delays))
	}
	for _, c := range passed {
		add(ledger.PassedOver(in.FixtureID, e, c, by, now))
	}
	return len(chosen) + len(passed), download, a.Store.AddPosts(ctx, posts, rows...)
}

// EndSearch is End, as workflows call it.
var EndSearch = policy.Define[EndInput, policy.Nothing]("end_search", policy.Row{Queue: policy.QueueMain, Local: true, Timeout: 30 * time.Second,
	Why: "closes the round"})

// End closes the round and completes the event if nothing is open any more.
func (a *Activities) End(ctx context.Context, in EndInput) error {
	now := a.Now()
	e, err := in.Change(ctx, a.Store, func(_ *footy.Fixture, e *footy.Event) ([]footy.Entry, error) {
		if e.Removed || !round.End(e, in.Round, in.Why, now) {
			return nil, store.ErrUnchanged
		}
		return nil, nil
	})
	if err != nil || e == nil {
		return err
	}
	_, err = upload.Complete(ctx, a.Store, in.Input, now)
	if err == nil {
		a.Page.Publish(ctx, "event", in.EventUID)
	}
	return err
}

// roundOver tells whether there is anything left to search for.
func roundOver(e *footy.Event, in SearchInput, now time.Time) SearchResult {
	switch {
	case e == nil || e.Removed:
		return SearchResult{Over: true, End: footy.ReasonEventGone}
	case e.Round.Number != in.Round:
		return SearchResult{NewRound: true}
	}
	why, over := in.Timing.Limits().Over(e, now)
	return SearchResult{Over: over, End: why, Registered: e.Round.Searches}
}

func queryRow(fixture int64, e *footy.Event, in SearchInput, q source.Query, res source.Result, now time.Time) footy.Entry {
	return footy.Entry{
		Key: fmt.Sprintf("%s/query/r%d/%02d", e.UID, in.Round, in.Try), FixtureID: fixture, EventUID: e.UID, At: now,
		Kind: footy.EntryQuery, Try: in.Try, Reason: res.Reason,
		Data: footy.Evidence{Query: q.Text, State: res.State, Found: len(res.Candidates), Calls: res.CallsUsed,
			Since: q.Since.UTC().Truncate(time.Second), RetryAfter: res.RetryAfter.Seconds(), Detail: res.Detail, Round: in.Round, Comments: res.Comments},
	}
}
