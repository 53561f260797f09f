package apifootball

import (
	"context"
	"encoding/json"
	"time"

	"github.com/tidwall/gjson"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
)

// Account implements feed.Feed. A bad key is told here, before the first match is missed.
func (f *Feed) Account(ctx context.Context) (feed.Account, error) {
	const op = "ask about the plan"
	body, at, err := f.get(ctx, op, "/status")
	if err != nil {
		return feed.Account{}, err
	}
	a, err := ReadAccount(body, at)
	f.noteSpent(err, at)
	if err != nil {
		return a, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	f.noteAccount(a, at)
	return a, nil
}

// ReadAccount reads an answer to /status.
func ReadAccount(body []byte, at time.Time) (feed.Account, error) {
	const op = "read the account"
	if !json.Valid(body) {
		return feed.Account{}, footy.Errorf(footy.CodeUnavailable, op, "the answer is not JSON")
	}
	root := gjson.ParseBytes(body)
	if err := complaint(root.Get("errors"), at); err != nil {
		return feed.Account{}, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	said := root.Get("response")
	limit, known := number(said.Get("requests.limit_day"))
	if !known || limit <= 0 {
		return feed.Account{}, footy.Errorf(footy.CodeUnavailable, op, "the answer does not name the day's calls")
	}
	used, _ := number(said.Get("requests.current"))
	return feed.Account{Plan: text(said.Get("subscription.plan")), DayLimit: int(limit), Used: int(used)}, nil
}
