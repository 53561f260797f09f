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
	var known *footy.Error
	var app *temporal.ApplicationError
	if err == nil || errors.As(err, &app) || !errors.As(err, &known) {
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
	var known *footy.Error
	if !errors.As(err, &known) {
		return err
	}
	return temporal.NewApplicationErrorWithOptions(footy.UserMessage(err), string(known.Code), temporal.ApplicationErrorOptions{NonRetryable: true, Cause: err})
}

// CodeOf returns the code of an error that crossed Temporal; "" if it carries none.
func CodeOf(err error) footy.Code {
	var app *temporal.ApplicationError
	if errors.As(err, &app) {
		return footy.Code(app.Type())
	}
	var known *footy.Error
	if errors.As(err, &known) {
		return known.Code
	}
	return ""
}

// Words are what people read of an error that crossed Temporal: what failed and why, without the engine's event numbers
// and without saying it once for every hand it passed through.
func Words(err error) string {
	var app *temporal.ApplicationError
	if errors.As(err, &app) {
		return app.Message()
	}
	var act *temporal.ActivityError
	if errors.As(err, &act) && act.Unwrap() != nil {
		return act.Unwrap().Error()
	}
	return err.Error()
}
