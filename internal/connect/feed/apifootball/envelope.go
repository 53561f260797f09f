package apifootball

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
)

// Envelope is a response's body, opened: the fixtures as they lie in it. HTTP 200 can carry failure, so it is opened
// with suspicion.
type Envelope struct {
	Parameters map[string]string
	Response   []string // JSON of one entry each
}

// Open reads an envelope. Only an empty errors list (or object) is success; a missing one is not.
func Open(body []byte, now time.Time) (Envelope, error) {
	const op = "read answer"
	if !json.Valid(body) { // everything below takes valid JSON for granted
		return Envelope{}, footy.Wrap(footy.CodeUnavailable, op, json.Unmarshal(body, new(json.RawMessage)))
	}
	root := gjson.ParseBytes(body)
	e := Envelope{Parameters: map[string]string{}}
	if p := root.Get("parameters"); p.IsObject() { // [] where there are none
		p.ForEach(func(k, v gjson.Result) bool { e.Parameters[k.String()] = text(v); return true })
	}
	if err := complaint(root.Get("errors"), now); err != nil {
		return e, err
	}
	entries, known := list(root.Get("response"))
	if !known {
		return e, footy.Errorf(footy.CodeUnavailable, op, "the envelope holds no response list")
	}
	for _, v := range entries {
		e.Response = append(e.Response, v.Raw)
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
func complaint(errors gjson.Result, now time.Time) (err error) {
	if !errors.IsObject() && !errors.IsArray() {
		if said := text(errors); said != "" {
			return translate("error", said, now)
		}
		return footy.Errorf(footy.CodeUnavailable, "read answer", "the envelope does not say whether it failed")
	}
	errors.ForEach(func(k, v gjson.Result) bool {
		said := cmp.Or(text(v), v.Raw)
		err = translate(k.String(), said, now)
		return false // the first says enough
	})
	return err
}

// translate gives a vendor's complaint its code. Unknown ones are "could not look".
func translate(key, said string, now time.Time) error {
	e := footy.Errorf(footy.CodeUnavailable, "", "%s: %s", key, said)
	low := strings.ToLower(said)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(low, w) {
				return true
			}
		}
		return false
	}
	switch { // a refusal of the plan, a spent day and a wrong key look alike but for the key, so it goes before the words
	case key == "plan":
		e.Code = footy.CodeNotInPlan
	case key == "requests" || has("request limit for the day"):
		e.Code, e.RetryAfter, e.Err = footy.CodeRateLimited, untilMidnight(now), feed.ErrDaySpent
	case key == "rateLimit" || has("too many requests", "rate limit"):
		e.Code, e.RetryAfter, e.Err = footy.CodeRateLimited, time.Minute, fmt.Errorf("the plan's calls of this minute are used up (%s)", said)
	case key == "token" || key == "access" || has("application key", "api key", "suspended", "subscription"):
		e.Code, e.Err = footy.CodeAuthRequired, fmt.Errorf("the key is refused (%s: %s)", key, said)
	case has("plans do not have access", "plan does not have access"):
		e.Code = footy.CodeNotInPlan
	case key == "bug" || key == "report" || key == "server" || key == "error":
	case key == "required" || has("field", "parameter", "plan"):
		e.Code = footy.CodeInvalid
	}
	return e
}

// untilMidnight is when the day's calls are counted anew: the vendor's day is UTC.
func untilMidnight(now time.Time) time.Duration {
	now = now.UTC()
	return time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC).Sub(now)
}
