// Package alias is the workflow that looks up what people call a team and caches it. Temporal knows it as RAGWorkflow.
package alias

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/workflow"

	port "github.com/found-footy/found-footy/internal/connect/alias"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// Input names a team.
type Input struct {
	Team     footy.Team `json:"team"`
	Country  string     `json:"country,omitempty"`
	National bool       `json:"national,omitempty"`
}

// Of names a team of a competition.
func Of(t footy.Team, l footy.League) Input {
	return Input{Team: t, Country: l.Country, National: l.National()}
}

// Cached is the answer of the cache.
type Cached struct {
	Found   bool              `json:"found"`
	Aliases footy.TeamAliases `json:"aliases"`
}

// WorkflowID is one per team: two goals of a team resolve its name once.
func WorkflowID(teamID int64) string { return fmt.Sprintf("rag-%d", teamID) }

// Child is what looks a team up.
func Child(t footy.Team) policy.Child {
	return policy.Child{ID: WorkflowID(t.ID), Summary: t.Name, Reuse: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE}
}

// Workflow looks up the aliases of a team.
var Workflow = policy.DefineWorkflow("RAGWorkflow", time.Hour, start)

func start(ctx workflow.Context, in Input) (footy.TeamAliases, error) {
	c, err := CachedAliases.Do(ctx, in, "words known for "+in.Team.Name)
	if err != nil || c.Found {
		return c.Aliases, err
	}
	found, err := ResolveAliases.Do(ctx, in, "look up words for "+in.Team.Name)
	if err != nil {
		return found, err
	}
	return found, SaveAliases.Run(ctx, found, "keep the words for "+in.Team.Name)
}

// Activities of alias resolution.
type Activities struct {
	Store    store.Store
	Resolver port.Resolver // tries the good sources first
	Fallback port.Resolver // answers for any name without a network
	Now      func() time.Time
}

// CachedAliases is Cached, as workflows call it.
var CachedAliases = policy.Define[Input, Cached]("get_cached_team_aliases", policy.Row{Queue: policy.QueueMain, Timeout: 30 * time.Second, Tries: 3, Pause: 2 * time.Second,
	Why: "one read"})

// Cached looks into the cache. A stand-in for Wikidata's answer serves for a day.
func (a *Activities) Cached(ctx context.Context, in Input) (Cached, error) {
	found, err := a.Store.Aliases(ctx, in.Team.ID)
	if footy.IsNotFound(err) {
		return Cached{}, nil
	}
	return Cached{Found: err == nil && !port.Stale(found, a.Now()), Aliases: found}, err
}

// ResolveAliases is Resolve, as workflows call it.
var ResolveAliases = policy.Define[Input, footy.TeamAliases]("get_team_aliases", policy.Row{Queue: policy.QueueMain, Timeout: 90 * time.Second, Tries: 3, Pause: 5 * time.Second,
	Why: "Wikidata and perhaps a model"})

// Resolve asks the resolver; if it knows nothing or cannot be reached the fallback's deterministic answer serves.
func (a *Activities) Resolve(ctx context.Context, in Input) (footy.TeamAliases, error) {
	found, err := a.Resolver.Resolve(ctx, in.Team, in.Country, in.National)
	if err != nil {
		found, err = a.Fallback.Resolve(ctx, in.Team, in.Country, in.National)
	}
	found.UpdatedAt = a.Now()
	return found, err
}

// SaveAliases is Save, as workflows call it.
var SaveAliases = policy.Define[footy.TeamAliases, policy.Nothing]("save_team_aliases", policy.Row{Queue: policy.QueueMain, Timeout: 30 * time.Second,
	Why: "one read and one write"})

// Save caches the answer beside what titles taught.
func (a *Activities) Save(ctx context.Context, in footy.TeamAliases) error {
	old, err := a.Store.Aliases(ctx, in.TeamID)
	if err != nil && !footy.IsNotFound(err) {
		return err
	}
	in.Spelt = old.Spelt
	return a.Store.PutAliases(ctx, in)
}
