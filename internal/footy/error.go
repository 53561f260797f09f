package footy

import (
	"errors"
	"fmt"
	"time"
)

// Code says what kind of failure happened; pipeline/fault maps codes to retries in one place.
type Code string

// The codes. "Nothing found" (CodeNotFound) and "could not look" (CodeUnavailable and friends) never share a value.
const (
	CodeNotFound     Code = "not_found"
	CodeConflict     Code = "conflict"
	CodeInvalid      Code = "invalid"
	CodeRateLimited  Code = "rate_limited"
	CodeAuthRequired Code = "auth_required"
	CodeUnavailable  Code = "unavailable"
	CodeGeoBlocked   Code = "geo_blocked"
	CodeRejected     Code = "rejected"
	CodeCorrupt      Code = "corrupt"     // files or pages of the database are damaged: an operator must act
	CodeNotInPlan    Code = "not_in_plan" // the plan that is paid for does not allow this: no outage, and no key that is wrong
)

// Error is the one error type that crosses package borders.
type Error struct {
	Code       Code
	Op         string        // "verb object", e.g. "update fixture 5000"
	Reason     Reason        // for CodeRejected and CodeGeoBlocked: why; else the trouble, if known
	RetryAfter time.Duration // for CodeRateLimited: how long to wait; 0 = unknown
	Err        error
}

// Error renders "op: code (reason): cause".
func (e *Error) Error() string {
	s := e.Op
	if s != "" {
		s += ": "
	}
	s += string(e.Code)
	if e.Reason != "" {
		s += " (" + string(e.Reason) + ")"
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error whose cause is formatted like fmt.Errorf (so %w keeps the chain).
func Errorf(code Code, op, format string, args ...any) *Error {
	return &Error{Code: code, Op: op, Err: fmt.Errorf(format, args...)}
}

// Wrap puts a code and an operation on a cause; nil stays nil. A cause that already has a code keeps it.
func Wrap(code Code, op string, err error) error {
	if err == nil {
		return nil
	}
	if inner, ok := errors.AsType[*Error](err); ok {
		return &Error{Code: inner.Code, Op: op, Reason: inner.Reason, RetryAfter: inner.RetryAfter, Err: err}
	}
	return &Error{Code: code, Op: op, Err: err}
}

// Reject makes the error of a candidate that was looked at and refused.
func Reject(op string, reason Reason, format string, args ...any) *Error {
	return &Error{Code: CodeRejected, Op: op, Reason: reason, Err: fmt.Errorf(format, args...)}
}

// CodeOf returns the code of err: "" for nil, CodeUnavailable for errors nobody translated
// (a failure whose kind is unknown must never look like "nothing found").
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeUnavailable
}

// ReasonOf returns the reason that err gives: why a candidate was refused, or which trouble it waits for; "" if none.
func ReasonOf(err error) Reason {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Reason
	}
	return ReasonNone
}

// IsNotFound reports whether err says that the thing does not exist.
func IsNotFound(err error) bool { return CodeOf(err) == CodeNotFound }

// UserMessage says an error for people: without the codes that are meant for programs.
func UserMessage(err error) string {
	e, ok := errors.AsType[*Error](err)
	if ok && e.Error() == err.Error() && e.Err != nil && (e.Reason == "" || !e.refused()) {
		if e.Op == "" { // the cause says it all
			return UserMessage(e.Err)
		}
		return e.Op + ": " + UserMessage(e.Err)
	}
	return err.Error()
}

// refused: its reason says something that the cause does not.
func (e *Error) refused() bool { return e.Code == CodeRejected || e.Code == CodeGeoBlocked }

// RootCause is what happened, without the operations it passed through and their codes.
func RootCause(err error) string {
	var e *Error
	for errors.As(err, &e) && e.Err != nil {
		err = e.Err
	}
	return err.Error()
}
