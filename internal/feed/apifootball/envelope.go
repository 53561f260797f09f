package apifootball

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Envelope is a response's body, opened: the fixtures as they lie in it. HTTP 200 can carry failure, so it is opened
// with suspicion.
type Envelope struct {
	Parameters map[string]string
	Response   []json.RawMessage
}

// Open reads an envelope. Only an empty errors list (or object) is success; a missing one is not.
func Open(body []byte, now time.Time) (Envelope, error) {
	const op = "read answer"
	var w struct {
		Parameters json.RawMessage `json:"parameters"`
		Errors     json.RawMessage `json:"errors"`
		Response   json.RawMessage `json:"response"`
	}
	if err := json.Unmarshal(body, &w); err != nil {
		return Envelope{}, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	if err := complaint(w.Errors, now); err != nil {
		return Envelope{}, err
	}
	var e Envelope
	if len(w.Response) == 0 || w.Response[0] != '[' {
		return Envelope{}, footy.Errorf(footy.CodeUnavailable, op, "the envelope holds no response list")
	}
	if err := json.Unmarshal(w.Response, &e.Response); err != nil {
		return Envelope{}, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	var said map[string]text
	_ = json.Unmarshal(w.Parameters, &said) // [] where there are none
	e.Parameters = make(map[string]string, len(said))
	for k, v := range said {
		e.Parameters[k] = string(v)
	}
	return e, nil
}

// Asked returns the ids a response was asked for, in order; none for lists.
func (e Envelope) Asked() []int64 {
	var out []int64
	for _, w := range strings.Split(e.Parameters["ids"]+"-"+e.Parameters["id"], "-") {
		if id, err := strconv.ParseInt(w, 10, 64); err == nil && id > 0 {
			out = append(out, id)
		}
	}
	return out
}

// complaint reads the errors field: an object, a list of strings, an empty one of either, or missing.
func complaint(raw json.RawMessage, now time.Time) error {
	raw = bytes.TrimSpace(raw)
	named := map[string]json.RawMessage{}
	var list []json.RawMessage
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return footy.Errorf(footy.CodeUnavailable, "read answer", "the envelope does not say whether it failed")
	case raw[0] == '[':
		if err := json.Unmarshal(raw, &list); err != nil {
			return footy.Wrap(footy.CodeUnavailable, "read answer", err)
		}
		for i, item := range list {
			named[fmt.Sprint(i)] = item
		}
	case raw[0] == '{':
		if err := json.Unmarshal(raw, &named); err != nil {
			return footy.Wrap(footy.CodeUnavailable, "read answer", err)
		}
	default:
		named["error"] = raw
	}
	if len(named) == 0 {
		return nil
	}
	keys := make([]string, 0, len(named))
	for k := range named {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var said text
	_ = json.Unmarshal(named[keys[0]], &said)
	if said == "" {
		said = text(named[keys[0]])
	}
	return translate(keys[0], string(said), now)
}

// translate gives a vendor's complaint its code. Unknown ones are "could not look".
func translate(key, said string, now time.Time) error {
	e := footy.Errorf(footy.CodeUnavailable, "ask feed", "%s: %s", key, said)
	low := strings.ToLower(said)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(low, w) {
				return true
			}
		}
		return false
	}
	switch {
	case key == "requests" || has("request limit for the day"):
		e.Code, e.RetryAfter = footy.CodeRateLimited, untilMidnight(now)
	case key == "rateLimit" || has("too many requests", "rate limit"):
		e.Code, e.RetryAfter = footy.CodeRateLimited, time.Minute
	case key == "token" || key == "access" || has("application key", "api key", "suspended", "subscription"):
		e.Code = footy.CodeAuthRequired
	case key == "bug" || key == "report" || key == "server" || key == "error":
	case key == "plan" || key == "required" || has("field", "parameter", "plan"):
		e.Code = footy.CodeInvalid
	}
	return e
}

// untilMidnight is when the day's calls are counted anew: the vendor's day is UTC.
func untilMidnight(now time.Time) time.Duration {
	now = now.UTC()
	return time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC).Sub(now)
}
