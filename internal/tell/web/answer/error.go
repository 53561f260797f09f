package answer

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Codes of the API that only HTTP knows.
const (
	CodeGone   footy.Code = "gone" // the thing was here and no longer stands
	CodeMethod footy.Code = "method_not_allowed"
)

// Error is a failure as the client sees it.
type Error struct {
	Status  int
	Code    footy.Code
	Message string
	Words   string       // an operator's own, behind the message
	Reason  footy.Reason // why what was asked for is gone

	RetryAfter time.Duration // 0: not known
	Close      bool          // the connection is of no more use

	Fixture *footy.Fixture // of what is gone, for the error page
	Event   *footy.Event
}

func (e *Error) Error() string { return strings.TrimSpace(e.Message + " " + e.Words) }

const cannotLook = "The database or the clip store cannot be reached right now. Nothing is lost; try again in a moment."

// ErrorOf is what the client sees of a failure. unexpected: the failure is ours; its details belong into the log only.
func ErrorOf(err error) (answer *Error, unexpected bool) {
	if refused, ok := errors.AsType[*Error](err); ok {
		return refused, false
	}
	if errors.Is(err, store.ErrDamaged) { // ours, whatever the reader asked for
		return &Error{Status: http.StatusInternalServerError, Code: footy.CodeUnavailable,
			Message: "What is stored of this match is damaged and cannot be read. The health page says what to do."}, true
	}
	if errors.Is(err, store.ErrDatabase) { // whatever its code: the question was right
		no := &Error{Status: http.StatusServiceUnavailable, Code: footy.CodeUnavailable, Message: cannotLook}
		if footy.CodeOf(err) == footy.CodeCorrupt {
			no.Message = "The database is damaged and has to be restored by its operator; the health page says how."
		}
		return no, true
	}
	out := &Error{Status: statusOf(footy.CodeOf(err)), Code: footy.CodeOf(err)}
	known, ok := errors.AsType[*footy.Error](err)
	switch {
	case out.Status >= http.StatusInternalServerError:
		out.Message = cannotLook
		return out, true
	case ok && known.Err != nil:
		out.Message = known.Err.Error()
	default:
		out.Message = http.StatusText(out.Status) + "."
	}
	return out, false
}

// statusOf maps error codes to HTTP; an unknown failure is never "not found".
func statusOf(code footy.Code) int {
	return cmp.Or(map[footy.Code]int{
		footy.CodeNotFound: http.StatusNotFound, footy.CodeConflict: http.StatusConflict, footy.CodeInvalid: http.StatusBadRequest,
		footy.CodeRejected: http.StatusBadRequest, footy.CodeRateLimited: http.StatusTooManyRequests, footy.CodeAuthRequired: http.StatusUnauthorized,
		footy.CodeGeoBlocked: http.StatusUnavailableForLegalReasons,
	}[code], http.StatusServiceUnavailable)
}

// RetryAfter sets the header where coming back later helps: to what the failure knows, else to some seconds.
func RetryAfter(h http.Header, err error) {
	no, _ := ErrorOf(err)
	after := no.RetryAfter
	if known, ok := errors.AsType[*footy.Error](err); ok && after == 0 {
		after = known.RetryAfter
	}
	if after == 0 && (no.Status == http.StatusServiceUnavailable || no.Status == http.StatusTooManyRequests) {
		after = 5 * time.Second
	}
	if after > 0 {
		h.Set("Retry-After", strconv.Itoa(Seconds(after)))
	}
}

// Seconds are whole ones, at least one: who comes back too early is refused again.
func Seconds(d time.Duration) int { return int(d.Seconds()) + 1 }

// WriteJSON sends the one error body of the API.
func (e *Error) WriteJSON(w http.ResponseWriter, r *http.Request) {
	type body struct {
		Code    footy.Code   `json:"code"`
		Message string       `json:"message"`
		Reason  footy.Reason `json:"reason,omitempty"`
	}
	_ = JSON(w, r, e.Status, map[string]body{"error": {e.Code, e.Error(), e.Reason}}) // cannot fail to encode
}

// BadParam names a parameter, what was sent and what would do.
func BadParam(name, value, want string) error {
	return footy.Errorf(footy.CodeInvalid, "read "+name, "%s must be %s, not %q", name, want, value)
}
