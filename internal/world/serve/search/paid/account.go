// Package paid is X's paid API as somebody with a bearer token searches it, and the account that its calls are billed to.
package paid

import (
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// The items of a bill, as X's price list names them.
const (
	PostRead       = "post_read"
	UserRead       = "user_read"
	MediaRead      = "media_read"
	PostMade       = "post_made"
	LinkedPostMade = "linked_post_made"
)

// prices are in thousandths of a dollar, as of April 2026.
var prices = map[string]int{PostRead: 5, UserRead: 10, MediaRead: 5, PostMade: 15, LinkedPostMade: 200}

// Want is why an account gets no answer.
type Want int

// The wants of money.
const (
	Nothing    Want = iota
	NoCredits       // 402
	MonthlyCap      // 429 with thousands of calls left
)

// Account is what X bills. The zero value has money; a nil one is never billed.
type Account struct {
	Wants func() Want // nil: nothing

	mu    sync.Mutex
	items map[string]int
}

// Bill is what was billed so far.
type Bill struct {
	Items   map[string]int `json:"items"`
	Dollars float64        `json:"dollars"`
}

// Charge bills n of an item.
func (a *Account) Charge(item string, n int) {
	if a == nil || n == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.items == nil {
		a.items = map[string]int{}
	}
	a.items[item] += n
}

// Bill is what was billed so far.
func (a *Account) Bill() Bill {
	a.mu.Lock()
	defer a.mu.Unlock()
	b, mills := Bill{Items: maps.Clone(a.items)}, 0
	for item, n := range a.items {
		mills += n * prices[item]
	}
	b.Dollars = float64(mills) / 1000
	return b
}

// ServeHTTP tells the bill.
func (a *Account) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, a.Bill())
}

// Refuses answers a call for which there is no money, and reports whether it did.
func (a *Account) Refuses(w http.ResponseWriter) bool {
	if a == nil || a.Wants == nil {
		return false
	}
	switch a.Wants() {
	case NoCredits:
		answer(w, http.StatusPaymentRequired, map[string]any{"title": "CreditsDepleted", "type": "https://api.twitter.com/2/problems/credits",
			"detail": "Your enrolled account does not have any credits to fulfill this request."})
	case MonthlyCap:
		limits(w)
		answer(w, http.StatusTooManyRequests, map[string]any{"title": "Too Many Requests", "detail": "Too Many Requests", "type": "about:blank", "status": 429})
	default:
		return false
	}
	return true
}

// limits are the rate limit's headers: it allows thousands of calls more.
func limits(w http.ResponseWriter) {
	w.Header().Set("X-Rate-Limit-Limit", "10000")
	w.Header().Set("X-Rate-Limit-Remaining", "9990")
	w.Header().Set("X-Rate-Limit-Reset", strconv.FormatInt(time.Now().Add(15*time.Minute).Unix(), 10))
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client went away: nobody to tell
}
