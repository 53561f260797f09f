// Package bill is what X's paid API costs, what was spent of a day's money, and how X says that there is no more of it. Calls that
// cost money are begun and ended at a Purse; its ledger is shared by every process that spends the same money.
package bill

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// Money is in thousandths of a US dollar.
type Money int

// X's price list for pay per use: docs.x.com, "X API pricing", as of April 2026. What an answer includes beside its posts is paid for, too.
const (
	PostRead  Money = 5
	UserRead  Money = 10
	MediaRead Money = 5
)

// SearchCap is the setting that limits a day (UTC).
const SearchCap = "X_DAILY_CAP"

// MaxMedia is how many pictures and videos a post has at most.
const MaxMedia = 4

// Dollars is an amount as settings have it.
func Dollars(d float64) Money { return Money(d*1000 + 1e-6) }

// String writes it in dollars, with the third decimal where there is one.
func (m Money) String() string {
	return "$" + strings.TrimSuffix(fmt.Sprintf("%.3f", float64(m)/1000), "0")
}

// CostOf is what an answer costs by what it holds.
func CostOf(answer []byte) (Money, error) {
	var a struct {
		Data     []json.RawMessage
		Includes struct{ Tweets, Users, Media []json.RawMessage }
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return 0, err
	}
	i := a.Includes
	return Money(len(a.Data)+len(i.Tweets))*PostRead + Money(len(i.Users))*UserRead + Money(len(i.Media))*MediaRead, nil
}

// Refused is why X answers nothing for want of money; "" for any other answer.
func Refused(status int, h http.Header, answer []byte) footy.SearchState {
	var problem struct{ Title, Type string }
	_ = json.Unmarshal(answer, &problem) // a gateway answers in HTML
	switch {
	case status == http.StatusPaymentRequired, problem.Title == "CreditsDepleted":
		return footy.SearchNoCredits
	case problem.Title == "SpendCapReached", problem.Title == "UsageCapExceeded", strings.HasSuffix(problem.Type, "/usage-capped"),
		status == http.StatusTooManyRequests && callsLeft(h):
		return footy.SearchMonthlyCap
	}
	return ""
}

// callsLeft reports whether the rate limits allow more calls: then a 429 is not theirs.
func callsLeft(h http.Header) bool {
	for _, day := range []string{"x-app-limit-24hour-remaining", "x-user-limit-24hour-remaining"} {
		if h.Get(day) == "0" {
			return false
		}
	}
	n, err := strconv.Atoi(h.Get("x-rate-limit-remaining"))
	return err == nil && n > 0
}

// Words say a want of money and what helps; setting is the one that limits the day.
func Words(why footy.SearchState, setting string) (fault, remedy string) {
	switch why {
	case footy.SearchNoCredits:
		return "X's paid API has no credits left", "Add credits at console.x.com; it goes on by itself."
	case footy.SearchMonthlyCap:
		return "the monthly cap of X's paid API is spent", "Raise the monthly cap at console.x.com; it goes on by itself."
	case footy.SearchDayCap:
		return "the day's money for X's paid API is spent", "Raise " + setting + ", or wait for midnight UTC."
	}
	return "", ""
}
