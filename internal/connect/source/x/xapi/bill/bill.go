// Package bill is what X's paid API costs, what was spent of a day's money, and how X says that there is no more of it. Calls that
// cost money are begun and ended at a Purse; its ledger is shared by every process that spends the same money.
package bill

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

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

// Book is what was spent, by day (UTC, 2006-01-02), and why X answers nothing.
type Book struct {
	Days map[string]Money `json:"days,omitempty"`
	Stop *Stop            `json:"stop,omitempty"` // nil: X answers
	// Unknown is the day on which the book could not be read: its money counts as spent.
	Unknown string `json:"unknown,omitempty"`
}

// Unreadable is the book to go on with where the one that was kept cannot be read.
func Unreadable(now time.Time) Book { return Book{Unknown: dayOf(now)} }

// Stop is why no call is made, and until when.
type Stop struct {
	Why   footy.SearchState `json:"why"`
	Until time.Time         `json:"until"`
}

// Ledger keeps the book for every process that spends the same money.
type Ledger interface {
	Read(ctx context.Context) (Book, error)
	// Change is one step: no other change comes between reading and writing. change may be called again.
	Change(ctx context.Context, change func(*Book) (changed bool)) error
}

// Purse is a day's money. What a call may cost at most is set aside before it is made, so that a process that dies in between has
// spent too much rather than too little.
type Purse struct {
	Ledger Ledger
	Cap    Money // a day; negative: none
	Now    func() time.Time
}

const (
	// AskAgain is how often X is asked whether there is money again.
	AskAgain = time.Minute
	keptDays = 3 // an answer may come after midnight, and clocks differ
)

func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// Call is one that may be made.
type Call struct {
	purse Purse
	day   string
	most  Money
}

// Begin sets aside what a call costs at most. stop says why it must not be made; then nothing was set aside.
func (p Purse) Begin(ctx context.Context, most Money) (call Call, stop *Stop, err error) {
	now := p.Now()
	day := dayOf(now)
	err = p.Ledger.Change(ctx, func(b *Book) bool {
		if stop = p.stopped(*b, most, now); stop != nil {
			return false
		}
		if b.Stop != nil { // this call asks for all others
			b.Stop.Until = now.Add(AskAgain)
		}
		b.add(day, most)
		return true
	})
	return Call{p, day, most}, stop, err
}

// End notes what a call cost.
func (c Call) End(ctx context.Context, cost Money) error {
	return c.end(ctx, func(b *Book) {
		b.add(c.day, cost-c.most)
		b.Stop = nil
	})
}

// Cancel takes back what was set aside: X did not answer, and nothing is to be paid.
func (c Call) Cancel(ctx context.Context) error {
	return c.end(ctx, func(b *Book) { b.add(c.day, -c.most) })
}

// Refused takes back what was set aside, and stops all calls until X is asked again.
func (c Call) Refused(ctx context.Context, why footy.SearchState) error {
	return c.end(ctx, func(b *Book) {
		b.add(c.day, -c.most)
		b.Stop = &Stop{Why: why, Until: c.purse.Now().Add(AskAgain)}
	})
}

func (c Call) end(ctx context.Context, change func(*Book)) error {
	return c.purse.Ledger.Change(context.WithoutCancel(ctx), func(b *Book) bool {
		change(b)
		return true
	})
}

// State is what was spent today, and why a call that costs at most that much would not be made now. A stop holds until X has answered.
func (p Purse) State(ctx context.Context, most Money) (spent Money, stop *Stop, err error) {
	b, err := p.Ledger.Read(ctx)
	if err != nil {
		return 0, nil, err
	}
	if stop = b.Stop; stop == nil {
		stop = p.stopped(b, most, p.Now())
	}
	return b.Days[dayOf(p.Now())], stop, nil
}

func (p Purse) stopped(b Book, most Money, now time.Time) *Stop {
	switch {
	case b.Stop != nil && now.Before(b.Stop.Until):
		return &Stop{b.Stop.Why, b.Stop.Until}
	case p.Cap >= 0 && (b.Unknown == dayOf(now) || b.Days[dayOf(now)]+most > p.Cap):
		return &Stop{footy.SearchDayCap, now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)}
	}
	return nil
}

// Spent says what was spent of the day's money.
func (p Purse) Spent(spent Money) string {
	if p.Cap < 0 {
		return spent.String() + " spent today"
	}
	return fmt.Sprintf("%s of the day's %s spent", spent, p.Cap)
}

func (b *Book) add(day string, m Money) {
	if b.Days == nil {
		b.Days = map[string]Money{}
	}
	b.Days[day] = max(b.Days[day]+m, 0)
	for _, old := range slices.Sorted(maps.Keys(b.Days))[:max(len(b.Days)-keptDays, 0)] {
		delete(b.Days, old)
	}
}
