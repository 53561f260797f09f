package web

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

// failure is the one error body of the API.
type failure struct {
	Error failureBody `json:"error"`
}

type failureBody struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Reason  string `json:"reason,omitempty"`
}

// The API's own codes.
const (
	codeGone   = "gone" // the thing was here and no longer stands
	codeMethod = "method_not_allowed"
)

// goneError says that a goal or clip was here and is not any more, and why.
type goneError struct {
	reason  footy.Reason
	message string
	event   *footy.Event
	fixture *footy.Fixture
}

func (g *goneError) Error() string { return g.message }

// methodError says that the address is right and the method is not.
type methodError struct{ method, allow string }

func (m *methodError) Error() string {
	return fmt.Sprintf("%s is not possible here; %s is.", m.method, m.allow)
}

// statusError is a refusal whose HTTP status no code of ours stands for.
type statusError struct {
	status  int
	code    footy.Code
	message string
}

func (e *statusError) Error() string { return e.message }

// statusOf maps error codes to HTTP; an unknown failure is never "not found".
func statusOf(err error) int {
	var gone *goneError
	if errors.As(err, &gone) {
		return http.StatusGone
	}
	var method *methodError
	if errors.As(err, &method) {
		return http.StatusMethodNotAllowed
	}
	var own *statusError
	if errors.As(err, &own) {
		return own.status
	}
	if errors.Is(err, store.ErrDamaged) { // ours, whatever the reader asked for
		return http.StatusInternalServerError
	}
	switch footy.CodeOf(err) {
	case footy.CodeNotFound:
		return http.StatusNotFound
	case footy.CodeConflict:
		return http.StatusConflict
	case footy.CodeInvalid, footy.CodeRejected:
		return http.StatusBadRequest
	case footy.CodeRateLimited:
		return http.StatusTooManyRequests
	case footy.CodeAuthRequired:
		return http.StatusUnauthorized
	case footy.CodeGeoBlocked:
		return http.StatusUnavailableForLegalReasons
	}
	return http.StatusServiceUnavailable
}

// fail answers an error in the form the client speaks, and logs those that are ours.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	status := statusOf(err)
	body := failureBody{Code: string(footy.CodeOf(err)), Message: publicMessage(err, status)}
	var gone *goneError
	if errors.As(err, &gone) {
		body.Code, body.Reason = codeGone, string(gone.reason)
	}
	if status == http.StatusMethodNotAllowed {
		body.Code = codeMethod
	}
	var own *statusError
	if errors.As(err, &own) {
		body.Code = string(own.code)
	}
	if errors.Is(err, store.ErrDamaged) {
		body.Code = string(footy.CodeUnavailable)
	}
	var fe *footy.Error
	if errors.As(err, &fe) && fe.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(fe.RetryAfter.Seconds())+1))
	}
	if status >= 500 && own == nil && r.Context().Err() == nil {
		s.log.ErrorContext(r.Context(), "cannot answer", "action", "http", "path", r.URL.Path, "error", err)
	}
	w.Header().Set("Cache-Control", "no-store")
	if strings.HasPrefix(r.URL.Path, "/api/") || r.URL.Path == "/oembed" {
		if a, err := jsonAnswer(status, failure{body}); err == nil {
			a.send(w, r)
		}
		return
	}
	s.errorPage(w, r, status, body, gone)
}

// publicMessage tells people what they can use; details of our own failures stay in the log.
func publicMessage(err error, status int) string {
	var gone *goneError
	if errors.As(err, &gone) {
		return gone.message
	}
	var method *methodError
	if errors.As(err, &method) {
		return method.Error()
	}
	var own *statusError
	if errors.As(err, &own) {
		return own.message
	}
	if errors.Is(err, store.ErrDamaged) {
		return "What is stored of this match is damaged and cannot be read. The health page says what to do."
	}
	if status >= 500 {
		return "The database or the clip store cannot be reached right now. Nothing is lost; try again in a moment."
	}
	var fe *footy.Error
	if errors.As(err, &fe) && fe.Err != nil {
		return fe.Err.Error()
	}
	return fmt.Sprintf("%s.", http.StatusText(status))
}
