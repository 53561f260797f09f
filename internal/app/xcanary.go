package app

import (
	"context"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/canary"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/source"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
)

// Canary checks X now: through the workflow where an engine runs, so that the page tells of it too, else by the service.
func (x X) Canary(ctx context.Context, engine string) (source.Canary, error) {
	if engine == "" {
		return x.ask(ctx)
	}
	a := &App{Config: x.Config, Log: x.Log}
	c, err := a.Dial(ctx, engine)
	if err != nil {
		return source.Canary{}, err
	}
	defer c.Close()
	found, err := canaryNow(ctx, c)
	return inWords(found), err
}

const nobodyLoggedIn = "could not look: nobody is logged in to X; footy x import-cookies FILE or footy x login"

// ask makes the service look, and says what x status would say where it cannot.
func (x X) ask(ctx context.Context) (source.Canary, error) {
	r, err := x.Status(ctx)
	switch {
	case err != nil:
		return source.Canary{}, footy.Errorf(footy.CodeUnavailable, "check X's shape", "the search service at %s does not answer; is it running, and is TWITTER_SERVICE_URL right?", x.url())
	case !r.Running:
		return source.Canary{}, footy.Errorf(footy.CodeUnavailable, "check X's shape", "the search service is not running (%s); start it with footy up or footy browser", x.url())
	case r.Login == source.LoginMissing, r.Login == source.LoginExpired:
		return source.Canary{}, footy.Errorf(footy.CodeAuthRequired, "check X's shape", nobodyLoggedIn)
	}
	found, err := x.service().Canary(ctx)
	return inWords(found), err
}

// inWords tells a state as x status does.
func inWords(c source.Canary) source.Canary {
	c.Detail = strings.ReplaceAll(c.Detail, "could not look: "+string(source.StateLoginRequired), nobodyLoggedIn)
	c.Detail = strings.ReplaceAll(c.Detail, "could not look: "+string(source.StateRateLimited), "could not look: no search is left at this moment; footy x status says when there is")
	return c
}

// canaryNow runs the canary's workflow once, without its later looks, and waits for it.
func canaryNow(ctx context.Context, c client.Client) (source.Canary, error) {
	const op = "check X's shape"
	ctx, cancel := context.WithTimeout(ctx, 4*time.Minute)
	defer cancel()
	run, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{ID: policy.CanaryID + "-now", TaskQueue: policy.QueueMain, WorkflowRunTimeout: policy.RunTimeout(policy.CanaryWorkflow),
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING, WorkflowExecutionTimeout: 5 * time.Minute,
		StaticSummary: "does X still look as expected? (asked for)"}, policy.CanaryWorkflow, canary.Input{Tries: 1})
	if err != nil {
		return source.Canary{}, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	var found source.Canary
	if err := run.Get(ctx, &found); err != nil {
		return found, footy.Errorf(footy.CodeUnavailable, op, "%s; is a worker running (footy up or footy worker)?", unreached(err))
	}
	return found, nil
}
