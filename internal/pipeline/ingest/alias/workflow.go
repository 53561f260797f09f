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

// WorkflowID is one per team: two goals of a team resolve its name once.
func WorkflowID(teamID int64) string { return fmt.Sprintf("rag-%d", teamID) }

// Child is what looks a team up.
func Child(t footy.Team) policy.Child {
	return policy.Child{ID: WorkflowID(t.ID), Summary: t.Name, Reuse: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE}
}

// Workflow looks up the aliases of a team.
var Workflow = policy.DefineWorkflow("RAGWorkflow", time.Hour, start)

func start(ctx workflow.Context, in Input) (footy.TeamAliases, error) {
	return ResolveAliases.Do(ctx, in, "look up words for "+in.Team.Name)
}

// Activities of alias resolution.
type Activities struct {
	Store    store.Store
	Resolver port.Resolver // tries the good sources first
	Fallback port.Resolver // answers for any name without a network
	Now      func() time.Time
}

// ResolveAliases is Resolve, as workflows call it.
var ResolveAliases = policy.Define[Input, footy.TeamAliases]("get_team_aliases", policy.Row{Queue: policy.QueueMain, Timeout: 90 * time.Second, Pause: 5 * time.Second,
	Why: "Wikidata and perhaps a model; where they fail the fallback serves, so only our store is retried"})

// Resolve looks into the cache, where a stand-in for Wikidata's answer serves for a day, and else asks the resolver; if that knows nothing or cannot
// be reached the fallback's deterministic answer serves. The answer is cached beside what titles taught.
func (a *Activities) Resolve(ctx context.Context, in Input) (footy.TeamAliases, error) {
	old, err := a.Store.Aliases(ctx, in.Team.ID)
	switch {
	case err == nil && !port.Stale(old, a.Now()):
		return old, nil
	case err != nil && !footy.IsNotFound(err):
		return old, err
	}
	found, err := a.Resolver.Resolve(ctx, in.Team, in.Country, in.National)
	if err != nil {
		found, err = a.Fallback.Resolve(ctx, in.Team, in.Country, in.National)
	}
	if err != nil {
		return found, err
	}
	if old, err = a.Store.Aliases(ctx, in.Team.ID); err != nil && !footy.IsNotFound(err) { // a search may have learnt meanwhile
		return found, err
	}
	found.UpdatedAt, found.Spelt = a.Now(), old.Spelt
	return found, a.Store.PutAliases(ctx, found)
}
