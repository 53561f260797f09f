// Package fault maps the product's error codes to Temporal's retries, in this one place.
package fault

import (
	"errors"

	"go.temporal.io/sdk/temporal"

	"github.com/found-footy/found-footy/internal/footy"
)

// Translate gives err the retry behaviour of its code: what cannot get better by itself is not retried, a rate limit
// is waited out as long as it asks for.
func Translate(err error) error {
	known, ok := errors.AsType[*footy.Error](err)
	if _, translated := errors.AsType[*temporal.ApplicationError](err); translated || !ok {
		return err
	}
	opts := temporal.ApplicationErrorOptions{Cause: err}
	switch known.Code {
	case footy.CodeInvalid, footy.CodeNotFound, footy.CodeRejected, footy.CodeAuthRequired, footy.CodeGeoBlocked,
		footy.CodeNotInPlan:
		opts.NonRetryable = true
	case footy.CodeRateLimited:
		opts.NextRetryDelay = known.RetryAfter
	}
	return temporal.NewApplicationErrorWithOptions(footy.UserMessage(err), string(known.Code), opts)
}

// Final gives err as one that the activity is not tried again for: whoever failed has tried often enough.
func Final(err error) error {
	known, ok := errors.AsType[*footy.Error](err)
	if !ok {
		return err
	}
	return temporal.NewApplicationErrorWithOptions(footy.UserMessage(err), string(known.Code), temporal.ApplicationErrorOptions{NonRetryable: true, Cause: err})
}

// CodeOf returns the code of an error that crossed Temporal; "" if it carries none.
func CodeOf(err error) footy.Code {
	if app, ok := errors.AsType[*temporal.ApplicationError](err); ok {
		return footy.Code(app.Type())
	}
	if known, ok := errors.AsType[*footy.Error](err); ok {
		return known.Code
	}
	return ""
}

// Words are what people read of an error that crossed Temporal: what failed and why, without the engine's event numbers
// and without saying it once for every hand it passed through.
func Words(err error) string {
	if app, ok := errors.AsType[*temporal.ApplicationError](err); ok {
		return app.Message()
	}
	if act, ok := errors.AsType[*temporal.ActivityError](err); ok && act.Unwrap() != nil {
		return act.Unwrap().Error()
	}
	return err.Error()
}
