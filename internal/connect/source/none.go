package source

import (
	"context"
	"time"
)

// None is the source of a machine without any: every search waits for a login instead of passing for an empty one.
type None struct{}

// Name of the source.
func (None) Name() string { return "none" }

// Search always answers that a login is missing.
func (None) Search(context.Context, Query) (Result, error) {
	return Result{State: StateLoginRequired, RetryAfter: time.Minute, Detail: "nobody has logged in to X here, and there is no token for its API"}, nil
}

// Health says what a person should do.
func (None) Health(context.Context) (Health, error) {
	return Health{Login: LoginMissing, BudgetLeft: -1, BudgetLimit: -1, Detail: "bring an X account (footy x import-cookies FILE), or set X_BEARER_TOKEN"}, nil
}
