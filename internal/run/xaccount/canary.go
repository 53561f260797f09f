package xaccount

import (
	"context"

	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
)

// Canary checks X now: through the workflow of the engine, so that the page tells of it too; without the address of one by the service.
func (x Account) Canary(ctx context.Context, at config.Engine) (source.Canary, error) {
	if at.Address == "" {
		return x.canaryByService(ctx)
	}
	c, err := engine.Dial(ctx, at, x.Log)
	if err != nil {
		return source.Canary{}, err
	}
	defer c.Close()
	found, err := canary.RunNow(ctx, c)
	if err != nil {
		return found, footy.Errorf(footy.CodeUnavailable, "check X's shape", "%s; is a worker running (footy up or footy worker)?", network.Unreached(err))
	}
	return found, nil
}

// canaryByService makes the service look, and says what x status would say where it cannot.
func (x Account) canaryByService(ctx context.Context) (source.Canary, error) {
	r, err := x.Status(ctx)
	switch {
	case err != nil:
		return source.Canary{}, footy.Errorf(footy.CodeUnavailable, "check X's shape", "the search service at %s does not answer; is it running, and is TWITTER_SERVICE_URL right?", x.url())
	case !r.Running:
		return source.Canary{}, footy.Errorf(footy.CodeUnavailable, "check X's shape", "the search service is not running (%s); start it with footy up or footy browser", x.url())
	case r.Login == source.LoginMissing, r.Login == source.LoginExpired:
		return source.Canary{}, footy.Errorf(footy.CodeAuthRequired, "check X's shape", "could not look: nobody is logged in to X; %s", account.HowToLogIn)
	}
	return x.service().Canary(ctx)
}

// CanaryText is a canary's finding in a few words.
func CanaryText(c source.Canary) string {
	switch {
	case c.OK:
		return "as expected"
	case c.Drift:
		return "changed: " + c.Detail
	}
	return c.Detail
}
