package footy

import "context"

// Publisher is told what changed, so that pages that are open show it; without ids it is the whole kind.
type Publisher interface {
	Publish(ctx context.Context, entity string, ids ...string)
}
